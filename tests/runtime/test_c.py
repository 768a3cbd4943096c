"""Kernels as C: the text, its meaning in corners of both languages, and what is refused as C leaves it open."""

from collections.abc import Callable
from itertools import product
from types import FunctionType
from typing import Any, Protocol

import numpy as np
import pytest

from acausal.codegen.llvm.kernel_code import load_text
from acausal.runtime.kernel.c.printer import print_c
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.language import (
    CInt,
    CInts,
    Int,
    Ints,
    Real,
    Reals,
    Struct,
    floor,
    kernel,
    nearest,
    sqrt,
    tail,
)
from acausal.runtime.kernel.llvm.printer import print_llvm
from acausal.runtime.kernel.scope import KernelError
from tests.runtime.arguments import Memory, content, differences, is_same
from tests.runtime.machine import compiled, compilers, loaded

SMALLEST = 1e-12
FIRST = 2


class Slope(Protocol):
    """The derivative of x."""

    def __call__(self, x: Real, out: Reals, /) -> CInt:
        """Status."""
        ...


class Room(Struct):
    """Where a step is made."""

    size: Int
    small: CInts
    """Positions."""
    values: Reals


class Stepper(Room):
    """A step with its slope."""

    slope: Slope
    counts: Ints


@kernel
def sum_up(c: Room, short: Int) -> Real:
    """The sum of some values; */ does not end this."""
    total = 0.0
    for i in range(FIRST, short):
        total += c.values[i] - (c.values[i - 1] - SMALLEST)
    return total if c.size > 0 and (total < 1.0 or short == 3) else -SMALLEST


@kernel
def shrink(c: Stepper, x: Real) -> Int:
    """The end of a range is evaluated once."""
    c.size -= 1
    for i in range(c.size + 1 if x == x else c.size):
        c.size = i
        c.counts[i] = c.small[i] * c.small[i] + 2147483647 * 2
        if x > float(i):
            last = i
            c.counts[i] += i
        else:
            last = -c.small[0]
        c.values[last - last] = min(x, c.values[i], 2.0)
    return c.size


@kernel
def step(c: Stepper, x: Real) -> Int:
    """One step."""
    status = c.slope(x, tail(c.values, FIRST))
    total = sum_up(c, c.size)
    c.values[0] = x + total if status == 0 else float("nan")
    shrunk = shrink(c, x)
    return shrunk * 3 - (c.small[0] * c.small[1] - status)


TEXT = """\
/* The sum of some values; * / does not end this. */
static double sum_up(Room *c, int64_t short_)
{
    double total = 0.0;
    for (int64_t i = FIRST; i < short_; i++) {
        total += c->values[i] - (c->values[i - 1] - SMALLEST);
    }
    return c->size > 0 && (total < 1.0 || short_ == 3) ? total : -SMALLEST;
}

/* The end of a range is evaluated once. */
static int64_t shrink(Stepper *c, double x)
{
    c->base.size -= 1;
    for (int64_t i_end = (x == x ? c->base.size + 1 : c->base.size), i = 0; i < i_end; i++) {
        c->base.size = i;
        c->counts[i] = (int64_t)c->base.small[i] * c->base.small[i] + (int64_t)2147483647 * 2;
        int64_t last;
        if (x > (double)i) {
            last = i;
            c->counts[i] += i;
        } else {
            last = -(int64_t)c->base.small[0];
        }
        c->base.values[last - last] = least_of(least_of(x, c->base.values[i]), 2.0);
    }
    return c->base.size;
}

/* One step. */
int64_t step(Stepper *c, double x)
{
    int64_t status = c->slope(x, c->base.values + FIRST);
    double total = sum_up(&c->base, c->base.size);
    c->base.values[0] = status == 0 ? x + total : NAN;
    int64_t shrunk = shrink(c, x);
    return shrunk * 3 - ((int64_t)c->base.small[0] * c->base.small[1] - status);
}
"""
DECLARATIONS = """\
enum {
    FIRST = 2,
};
static const double SMALLEST = 1e-12;

typedef struct Room Room;
typedef struct Stepper Stepper;

/* The derivative of x. */
typedef int (*Slope)(double x, double *out);

/* Where a step is made. */
struct Room {
    int64_t size;
    int *small_; /* Positions. */
    double *values;
};

/* A step with its slope. */
struct Stepper {
    Room base;
    Slope slope;
    int64_t *counts;
};
"""
ASSERTIONS = """\
ASSERT_OFFSET(Room, size, 0);
ASSERT_OFFSET(Room, small_, 8);
ASSERT_OFFSET(Room, values, 16);
ASSERT_SIZE(Room, 24);
ASSERT_OFFSET(Stepper, base, 0);
ASSERT_OFFSET(Stepper, slope, 24);
ASSERT_OFFSET(Stepper, counts, 32);
ASSERT_SIZE(Stepper, 40);
"""


def c_text() -> str:
    return print_c(check_kernels([step]), ["step"])


def test_the_text_reads_as_the_kernels_do() -> None:
    text = c_text()
    for part in (DECLARATIONS, TEXT, ASSERTIONS):
        assert part.replace("c->base.small[", "c->base.small_[") in text, text
    assert text == c_text()


def slope(x: float, out: Any) -> int:
    out[:] = x * np.arange(1.0, len(out) + 1)
    return int(x > 2.0)


def stepper() -> Stepper:
    values = np.array([1.0, -2.0, 0.25, 1e-13])
    return Stepper(size=4, small=[-7, 60000, 3, -60000], values=values, slope=slope, counts=[0] * 4)


@pytest.mark.parametrize("compiler", compilers())
def test_no_warnings_and_the_same_numbers(compiler: str) -> None:
    engine = loaded(compiled(compiler, c_text()))
    functions = check_kernels([step])
    same = load_text(print_llvm(functions, ["step"]))

    for x in (0.5, -1e9, 2.5, float("nan"), -0.0):
        context = stepper()
        result = step(context, x)
        for found in (engine, same):
            memory = Memory(functions[0], [stepper(), x], lambda _name, _kind, x, arrays: slope(x[0], arrays[0]))
            assert memory.call(found.get_function_address("step")) == result
            assert not differences(content(functions[0], [context, x]), memory.content())


@kernel
def round_off(x: Real, y: Real, n: Int) -> Real:
    smallest = min(n, 3, -n)
    return nearest(x) * 64.0 + floor(x) * 8.0 + sqrt(x) + max(x, y) / min(y, x) + abs(y) + float(max(smallest, n))


@pytest.mark.parametrize("compiler", compilers())
def test_functions_at_halves_and_zeros(compiler: str) -> None:
    """No state of a run is exactly between two integers."""
    functions = check_kernels([round_off])
    text, name = print_c(functions, ["round_off"]), "round_off"
    engines = loaded(compiled(compiler, text)), load_text(print_llvm(functions, [name]))
    special = [0.5, 1.5, 2.5, -0.5, -2.5, 0.0, -0.0, float("inf"), float("nan"), 1e300]
    for x, y in product(np.array(special), repeat=2):
        for n in (-4, 0, 7):
            with np.errstate(all="ignore"):
                result = round_off(x, y, n)
            for engine in engines:
                found = Memory(functions[0], [float(x), float(y), n], lambda *_: 0).call(
                    engine.get_function_address(name)
                )
                assert is_same(found, float(result)), (x, y, n)


@kernel
def change(c: Room) -> Real:
    c.size += 1
    return c.values[0]


def bad_sum(c: Room) -> Real:
    return change(c) + float(c.size)


def bad_two_changes(c: Room) -> Real:
    return max(change(c), change(c))


def bad_place(c: Room) -> None:
    c.values[c.size] = change(c)


def bad_routine(c: Stepper) -> Real:
    return c.values[c.slope(0.0, c.values)]


@pytest.mark.parametrize("function", [bad_sum, bad_two_changes, bad_place, bad_routine])
def test_order_of_evaluation_does_not_matter(function: Callable[..., object]) -> None:
    with pytest.raises(KernelError, match=f"{function.__name__}: the call of .* depend on the order of evaluation"):
        check_kernels([function])


def good_order(c: Stepper) -> Real:
    first = change(c)
    if (first > 0.0 and change(c) > 0.0) or c.size > 3:
        c.size = c.slope(first, c.values)
    return c.values[0] if change(c) > 0.0 else first


def test_calls_that_decide_are_ordered() -> None:
    check_kernels([good_order])


def bad_loop_variable(c: Room) -> Int:
    i = 5
    for i in range(c.size):
        c.values[i] = 0.0
    return i


def test_the_variable_of_a_loop_is_its_own() -> None:
    """Behind a loop Python has the last value, other languages the end."""
    with pytest.raises(KernelError, match="with a variable of its own"):
        check_kernels([bad_loop_variable])


def other_module() -> Callable[..., object]:
    def other(x: Real) -> Real:
        return x + SMALLEST

    found = FunctionType(other.__code__, {**globals(), "SMALLEST": 2.0}, "other")
    found.__module__ = "tests.elsewhere"
    found.__annotations__ = other.__annotations__
    return kernel(found)


def test_constants_of_one_name_are_told_apart() -> None:
    text = print_c(check_kernels([other_module(), sum_up]), ["other"])
    assert "static const double ELSEWHERE_SMALLEST = 2.0;" in text
    assert "static const double TEST_C_SMALLEST = 1e-12;" in text
    assert "return x + ELSEWHERE_SMALLEST;" in text
