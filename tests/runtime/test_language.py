"""Kernels give the same bits in Python and as machine code; what is not in the language is refused with its line."""

import ctypes
import inspect
from collections.abc import Callable
from math import inf, nan
from typing import Annotated, Protocol

import numpy as np
import pytest

from acausal.codegen.context_memory import ContextMemory
from acausal.codegen.llvm.kernel_code import load_text
from acausal.runtime.events import event_loop
from acausal.runtime.kernel.c.printer import print_c
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.language import CInts, Int, Ints, Real, Reals, Struct, floor, kernel, nearest, tail
from acausal.runtime.kernel.llvm.printer import print_llvm
from acausal.runtime.kernel.overlay import Overlay, overlay
from acausal.runtime.kernel.scope import KernelError
from acausal.runtime.kernel.signature import fields, size_of

LIMIT = 3.5


class Numbers(Struct):
    """Arrays of all kinds."""

    size: Int
    values: Reals
    places: Ints
    small: CInts
    total: Real


class More(Numbers):
    """One field more."""

    counted: Int


@kernel
def clipped(x: Real) -> Real:
    return min(max(x, -LIMIT), LIMIT)


@kernel
def is_odd(n: Int) -> Int:
    while n > 1:
        return is_odd(n - 2)
    return n


@kernel
def mixed(c: More, x: Real) -> Real:
    """A bit of everything."""
    c.total = 0.0
    c.counted = -1
    for i in range(c.size):
        if c.values[i] != c.values[i] or (i > 3 and not c.values[c.places[i]] > x):
            continue
        c.total += clipped(c.values[c.places[i]]) * float(is_odd(i)) - x / 3.0
        c.small[i] = c.small[i] - i
        c.counted = i if c.total < 0.0 else c.counted
        if c.total > 1e3:
            break
    return floor(c.total) + nearest(c.total) + abs(c.total) + float(c.counted) + float(c.total > 0.0)


class Rule(Protocol):
    """A routine that is a parameter."""

    def __call__(self, values: Reals, x: Real, /) -> Real: ...


@kernel
def from_middle(values: Reals, places: Ints, x: Real, rule: Rule) -> Real:
    """Sees the same numbers as the array that `middle` is a part of."""
    first = int(x)
    middle = tail(tail(values, first), places[0])
    later = tail(places, 1)
    middle[later[0]] = middle[0] * 0.5
    found = rule(middle, x)
    return found + values[first + places[0]]


def test_routines_as_parameters_and_parts_of_arrays() -> None:
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.c_double)
    engine = load_text(print_llvm(check_kernels([from_middle]), ["from_middle"]))
    pointers = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, kind]
    function = ctypes.CFUNCTYPE(ctypes.c_double, *pointers)(engine.get_function_address("from_middle"))
    for x in (0.0, 1.0, 1.75, 2.999):
        values, places = np.arange(8.0) + x, np.array([1, 3])
        there = values.copy()
        python = from_middle(values, places, x, lambda array, at: array[1] - at)
        rule = kind(lambda array, at: array[1] - at)
        assert function(there.ctypes.data, places.ctypes.data, x, rule) == python
        assert there.tobytes() == values.tobytes()
    with pytest.raises(TypeError, match="copy"):
        tail([1.0], 0)


def machine_code(function: Callable[..., object]) -> Callable[[int, float], float]:
    engine = load_text(print_llvm(check_kernels([function]), [function.__name__]))
    found = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_double)(
        engine.get_function_address(function.__name__)
    )
    found.engine = engine  # type: ignore[attr-defined]
    return found


def test_python_and_machine_code_agree_to_the_bit() -> None:
    function, rng = machine_code(mixed), np.random.default_rng(7)
    special = [nan, 0.0, -0.0, 0.5, -0.5, 2.5, inf, -inf]
    for number in range(200):
        size = int(rng.integers(0, 12))
        values = rng.normal(scale=10.0 ** rng.integers(-3, 5), size=size)
        values[rng.random(size) < 0.1] = rng.choice(special)
        places, small = rng.integers(0, max(size, 1), size), rng.integers(-9, 9, size).astype(np.int32)
        x = float(rng.choice([*special[1:6], *rng.normal(size=6)]))
        arrays = {"values": values, "places": places, "small": small.copy()}
        plain = {name: array.tolist() for name, array in arrays.items()}
        context = More(size=size, **plain, total=0.0, counted=0)
        python = mixed(context, x)
        memory = ContextMemory(tuple(fields(More)), {"size": size, **arrays, "total": 0.0, "counted": 0})
        assert np.float64(function(memory.address, x)).tobytes() == np.float64(python).tobytes(), number
        assert arrays["small"].tolist() == context.small
        assert memory.words[memory.place("counted")] == context.counted
        assert memory.numbers[memory.place("total")].tobytes() == np.float64(context.total).tobytes()


@pytest.mark.parametrize("value", [2.5, -0.5, 0.5, 3.5, -1.5, 0.0, -0.0, 1e300, inf, -inf])
def test_whole_numbers_are_those_of_ieee_754(value: float) -> None:
    assert np.float64(nearest(value)).tobytes() == np.rint(value).tobytes()
    assert np.float64(floor(value)).tobytes() == np.floor(value).tobytes()


def bad_types(c: Numbers, i: Int) -> Real:
    return c.values[i] + i  # here


def bad_field(c: Numbers, i: Int) -> Real:
    return c.value[i]  # type: ignore[attr-defined,no-any-return]  # here


def bad_name(c: Numbers, i: Int) -> Real:
    return math_sin(c.values[i])  # type: ignore[name-defined,no-any-return]  # noqa: F821  # here


def bad_type_change(c: Numbers, i: Int) -> Real:
    x = c.values[i]
    x = i  # here
    return float(x)


def bad_way(c: Numbers, i: Int) -> Real:
    if i > 0:
        x = c.values[i]
    return x  # here


def bad_statement(c: Numbers, i: Int) -> Real:
    with np.errstate():  # here
        return c.values[i]


def bad_end(c: Numbers, i: Int) -> Real:  # type: ignore[return]  # noqa: RET503  # here
    while i > 0:
        return c.values[i]


def bad_parameter(c: Numbers, i: Int) -> Real:
    i = i + 1  # here
    return c.values[i]


def bad_slice(c: Numbers, i: Int) -> Real:
    return c.values[i:][0]  # type: ignore[misc]  # here


def bad_call(c: Numbers, i: Int) -> Real:
    return clipped(c.values[i], 1.0)  # type: ignore[call-arg]  # here


def bad_value(c: Numbers, i: Int) -> Real:
    c.values[i]  # here
    return 0.0


def bad_tail(c: Numbers, i: Int) -> Real:
    return tail(i, i)  # type: ignore[type-var,return-value]  # here


def bad_overlay(values: Reals, i: Int) -> Real:
    return overlay(Numbers, values, i).total  # type: ignore[type-var]  # here


def bad_array(values: Reals, i: Int) -> Real:
    head = overlay(Head, values, i)
    head.times = values  # here
    return 0.0


def bad_int(c: Numbers, i: Int) -> Int:
    return int(i)  # here


def bad_routine(rule: Rule, i: Int) -> Real:
    return rule(i)  # type: ignore[call-arg,arg-type]  # here


@pytest.mark.parametrize("name", [n for n in sorted(globals()) if n.startswith("bad_")])
def test_refused_with_file_and_line(name: str) -> None:
    function = globals()[name]
    lines, first = inspect.getsourcelines(function)
    line = first + next(i for i, text in enumerate(lines) if text.rstrip().endswith("# here"))
    with pytest.raises(KernelError) as raised:
        check_kernels([function])
    assert str(raised.value).startswith(f"{__file__}:{line}: ")


def test_a_structure_begins_with_the_fields_of_its_base() -> None:
    assert list(fields(More)) == [*fields(Numbers), "counted"]
    assert [number for number, _ in fields(More).values()] == list(range(6))
    with pytest.raises(TypeError, match="fields total"):
        Numbers(size=0, values=[], places=[], small=[])


def test_text_of_the_event_kernels_is_the_same_every_time() -> None:
    exported = [event_loop.acausal_start_events, event_loop.acausal_run_events]
    texts = {print_llvm(check_kernels(exported), [f.__name__ for f in exported]) for _ in range(2)}
    assert len(texts) == 1


class Head(Overlay):
    """A record in an array."""

    count: Real
    times: Annotated[Reals, 3]
    last: Real


@kernel
def through_overlay(values: Reals, first: Real) -> Real:
    """The same numbers by fields, by the array in the record, and by the array that it lies in."""
    start = int(first)
    head = overlay(Head, values, start)
    times = head.times
    times[1] = times[1] + 0.1
    head.last = head.count / 3.0 + values[start + 2]
    values[start + 1] = head.last * times[2]
    head.count += 1.0
    return head.times[0] + tail(times, 1)[0] + head.count


@pytest.mark.parametrize("start", [0, 2])
def test_records_in_arrays(start: int) -> None:
    """c, t0, t1, t2, l: t1 + 0.1, l = c/3 + t1, t0 = l*t2, c + 1."""
    engine = load_text(print_llvm(check_kernels([through_overlay]), ["through_overlay"]))
    address = engine.get_function_address("through_overlay")
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_double)(address)
    values = np.random.default_rng(3).normal(size=start + 5)
    there, (count, _, middle, end, _) = values.copy(), values[start:].tolist()
    found = through_overlay(values, float(start))
    middle += 0.1
    last = count / 3.0 + middle
    assert values[start:].tolist() == [count + 1.0, last * end, middle, end, last]
    assert found == last * end + middle + (count + 1.0)
    assert function(there.ctypes.data, start) == found
    assert there.tobytes() == values.tobytes()


def test_layout_of_records_in_arrays() -> None:
    assert {name: at for name, (at, _) in fields(Head).items()} == {"count": 0, "times": 1, "last": 4}
    assert size_of(Head) == 5
    assert "double times[3];" in print_c(check_kernels([through_overlay]), ["through_overlay"])


def test_records_in_arrays_hold_numbers_only() -> None:
    class Wrong(Overlay):
        """An address does not fit."""

        size: Int

    with pytest.raises(TypeError, match=r"Wrong\.size: it does not fit"):
        fields(Wrong)


@kernel
def count_and_move(values: Reals) -> Real:
    """Its order matters: a field of the record is an element of the array."""
    return moved(values) + overlay(Head, values, 0).count


@kernel
def moved(values: Reals) -> Real:
    """It changes an element."""
    values[0] = 2.0
    return values[0]


def test_the_order_of_changes_of_records_in_arrays() -> None:
    with pytest.raises(KernelError, match="the order of evaluation"):
        check_kernels([count_and_move])
