"""Divisors that no state can make zero, with the parameters of a run: they need not be examined in its rows.

m + k*sin(q)^2      between m and m + k, whatever q is
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import inf, isfinite
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from acausal.base.caches import LOCK, register
from acausal.ir.program.instructions import Instruction
from acausal.simulate.rows.divisors import Divisor, Divisors, divisors_of
from acausal.simulate.rows.zeros_between_rows import TOUCHES
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable

    Interval = tuple[float, float]

ANY, ZERO = (-inf, inf), (0.0, 0.0)
ROUNDING = 1e-12
"""Intervals are wider by this share: more than the rounding errors of all operations."""
MOST = 100
"""Instructions of a divisor whose bounds are searched for."""


_ANSWERS: "WeakKeyDictionary[System, tuple[bytes, Divisors]]" = WeakKeyDictionary()
"""The last answer for each system, with its parameters."""
register(_ANSWERS)
_FORMS: "WeakKeyDictionary[Executable, bool]" = WeakKeyDictionary()
"""True for programs with a divisor that may have bounds."""
register(_FORMS)
_SUMS = frozenset({"add", "sub", "neg", "mul"})
_BOUNDED = frozenset({"parameter", "const", "sin", "cos"})


def vanishing_divisors(system: System) -> Divisors:
    """The divisors that may be zero with the parameters that the system has."""
    divisors = divisors_of(system.executable)
    if not divisors.all or not _have_bounds(system.executable, divisors):
        return divisors
    p = system.arrays[1]
    asked, last = p.tobytes(), _ANSWERS.get(system)
    if last is None or last[0] != asked:
        last = asked, _without_bounded(divisors, system.program.derivatives.code, p)
        with LOCK:
            _ANSWERS[system] = last
    return last[1]


def _have_bounds(executable: "Executable", divisors: Divisors) -> bool:
    """True if some of them may have bounds with some parameters."""
    found = _FORMS.get(executable)
    if found is None:
        code, pairs = executable.program.derivatives.code, zip(divisors.all, divisors.each, strict=True)
        with LOCK:
            found = _FORMS[executable] = any(_may_be_bounded(code, divisor, needed) for divisor, needed in pairs)
    return found


def _may_be_bounded(code: Sequence[Instruction], divisor: Divisor, needed: Sequence[int]) -> bool:
    """False where a state, an input or time is in it other than in a sine or cosine."""
    if divisor.is_matrix or len(needed) > MOST:
        return False
    is_free: dict[int, bool] = {}
    for number in needed:
        op, args, _ = code[number]
        is_free[number] = op not in _BOUNDED and (op not in _SUMS or any(is_free[a] for a in args))
    return not is_free[divisor.register]


def _without_bounded(divisors: Divisors, code: Sequence[Instruction], p: "Array") -> Divisors:
    pairs = zip(divisors.all, divisors.each, strict=True)
    rest = [(divisor, needed) for divisor, needed in pairs if not _is_bounded(code, divisor, needed, p)]
    if len(rest) == len(divisors.all):
        return divisors
    needed = {number for _, numbers in rest for number in numbers}
    found, each = tuple([divisor for divisor, _ in rest]), tuple([numbers for _, numbers in rest])
    return replace(divisors, all=found, each=each, needed=tuple(sorted(needed)))


def _is_bounded(code: Sequence[Instruction], divisor: Divisor, needed: Sequence[int], p: "Array") -> bool:
    """True if it is nowhere so small, beside its value elsewhere, that it counts as zero."""
    if divisor.is_matrix or len(needed) > MOST:
        return False
    bounds: dict[int, Interval] = {}
    factors: dict[int, Counter[int]] = {}
    for number in needed:
        op, args, value = code[number]
        given = [bounds.get(a, ANY) for a in args]  # solutions of blocks are known without them
        factors[number] = Counter([number])
        if op == "mul":
            factors[number] = factors[args[0]] + factors[args[1]]
            found = (1.0, 1.0)
            for factor, power in factors[number].items():
                found = _product(found, _power(bounds[factor], power))
        elif op == "parameter" and isinstance(value, int):
            found = (float(p[value]), float(p[value]))
        elif op == "const" and isinstance(value, float):
            found = (value, value)
        elif op == "add" and ZERO in given:  # of a parameter that is 0
            other = args[0] if given[1] == ZERO else args[1]
            found, factors[number] = bounds[other], factors[other]
        else:
            found = _bounds_of(op, given)
        bounds[number] = _wider(found)
    low, high = bounds[divisor.register]
    low, high = (low, high) if low > 0.0 else (-high, -low)
    return TOUCHES * high < low and isfinite(high)


def _bounds_of(op: str, given: "list[Interval]") -> "Interval":
    if op == "add":
        return given[0][0] + given[1][0], given[0][1] + given[1][1]
    if op == "sub":
        return given[0][0] - given[1][1], given[0][1] - given[1][0]
    if op == "neg":
        return -given[0][1], -given[0][0]
    return (-1.0, 1.0) if op in ("sin", "cos") else ANY


def _product(a: "Interval", b: "Interval") -> "Interval":
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def _power(base: "Interval", power: int) -> "Interval":
    """A factor that occurs so often."""
    if power == 1:
        return base
    low, high = base[0] ** power, base[1] ** power
    if power % 2:
        return low, high
    return (0.0 if base[0] < 0.0 < base[1] else min(low, high)), max(low, high)


def _wider(interval: "Interval") -> "Interval":
    low, high = (interval[0] - ROUNDING * abs(interval[0]), interval[1] + ROUNDING * abs(interval[1]))
    return (low, high) if low <= high else ANY  # NaN, of an infinite number times zero
