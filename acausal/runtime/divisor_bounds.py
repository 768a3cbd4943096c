"""Intervals in which divisors are, whatever the states are, with the parameters of a run.

m + k*sin(q)^2      between m and m + k, whatever q is
"""

from math import inf

from acausal.runtime.kernel.language import Bool, Int, Ints, Real, Reals, Struct, kernel

ANY, PARAMETER, CONSTANT, SUM, DIFFERENCE, NEGATIVE, PRODUCT, WAVE = range(8)
"""Operations; a wave is a sine or cosine."""
ROUNDING = 1e-12
"""Intervals are wider by this share: more than the rounding errors of all operations."""
TOUCHES = 1e-7
"""A divisor that is as small, as a share of that elsewhere, is zero."""


class DivisorBounds(Struct):
    """Instructions of divisors: those of divisor d from `begins[d]` up to `begins[d + 1]`.

    Arguments are counted from there, -1 is unknown; that of PARAMETER is a place in p.
    """

    count: Int
    begins: Ints
    operations: Ints
    first: Ints
    second: Ints
    constants: Reals
    # room, for the instructions of one divisor
    width: Int
    low: Reals
    high: Reals
    is_product: Ints
    """1 where an instruction is the product of powers of earlier ones, else it is that in `root`."""
    root: Ints
    powers: Ints
    """In row i, `width` apart, how often instruction i has each earlier one as a factor."""
    interval: Reals
    """Room for two bounds."""


@kernel
def are_bounded(b: DivisorBounds, p: Reals) -> Bool:
    """True if no divisor can be zero."""
    for divisor in range(b.count):
        if not is_bounded(b, divisor, p):
            return False
    return True


@kernel
def is_bounded(b: DivisorBounds, divisor: Int, p: Reals) -> Bool:
    """True if a divisor is nowhere so small, beside its value elsewhere, that it counts as zero."""
    begin = b.begins[divisor]
    count = b.begins[divisor + 1] - begin
    if count == 0:
        return False
    for i in range(count):
        find_bounds(b, i, begin, p)
    low = b.low[count - 1]
    high = b.high[count - 1]
    if not low > 0.0:
        low = -b.high[count - 1]
        high = -b.low[count - 1]
    return TOUCHES * high < low and high < inf


@kernel
def find_bounds(b: DivisorBounds, i: Int, begin: Int, p: Reals) -> None:
    """The interval of instruction i, and what it is the product of."""
    op = b.operations[begin + i]
    x = b.first[begin + i]
    y = b.second[begin + i]
    b.is_product[i] = 0
    b.root[i] = i
    low = -inf
    high = inf
    if op == PARAMETER:
        low = p[x]
        high = low
    elif op == CONSTANT:
        low = b.constants[begin + i]
        high = low
    elif op == WAVE:
        low = -1.0
        high = 1.0
    elif op == PRODUCT:
        take_factors(b, i, x, y)
        multiply_factors(b, i)
        low = b.interval[0]
        high = b.interval[1]
    elif op == SUM and is_zero(b, x):
        share_value(b, i, y)
        low = lower(b, y)
        high = upper(b, y)
    elif op == SUM and is_zero(b, y):
        share_value(b, i, x)
        low = lower(b, x)
        high = upper(b, x)
    elif op == SUM:
        low = lower(b, x) + lower(b, y)
        high = upper(b, x) + upper(b, y)
    elif op == DIFFERENCE:
        low = lower(b, x) - upper(b, y)
        high = upper(b, x) - lower(b, y)
    elif op == NEGATIVE:
        low = -upper(b, x)
        high = -lower(b, x)
    low = low - ROUNDING * abs(low)
    high = high + ROUNDING * abs(high)
    is_interval = low <= high  # not where a parameter is no number
    b.low[i] = low if is_interval else -inf
    b.high[i] = high if is_interval else inf


@kernel
def lower(b: DivisorBounds, i: Int) -> Real:
    """The lower bound of an argument."""
    return -inf if i < 0 else b.low[i]


@kernel
def upper(b: DivisorBounds, i: Int) -> Real:
    """The upper bound of an argument."""
    return inf if i < 0 else b.high[i]


@kernel
def is_zero(b: DivisorBounds, i: Int) -> Bool:
    """True for a parameter or product that is 0."""
    return lower(b, i) == 0.0 and upper(b, i) == 0.0


@kernel
def share_value(b: DivisorBounds, i: Int, other: Int) -> None:
    """Instruction i has the value of an earlier one, if that is known."""
    if other < 0:
        return
    b.root[i] = b.root[other]
    b.is_product[i] = b.is_product[other]
    if b.is_product[i] != 0:
        for j in range(i):
            b.powers[i * b.width + j] = 0
        add_factors(b, i, other)


@kernel
def take_factors(b: DivisorBounds, i: Int, x: Int, y: Int) -> None:
    """The factors of the product of two instructions."""
    b.is_product[i] = 1
    for j in range(i):
        b.powers[i * b.width + j] = 0
    add_factors(b, i, x)
    add_factors(b, i, y)


@kernel
def add_factors(b: DivisorBounds, i: Int, x: Int) -> None:
    """The factors of an earlier instruction become factors of instruction i."""
    if x < 0:
        return
    row = i * b.width
    if b.is_product[x] == 0:
        b.powers[row + b.root[x]] += 1
        return
    for j in range(x):
        b.powers[row + j] += b.powers[x * b.width + j]


@kernel
def multiply_factors(b: DivisorBounds, i: Int) -> None:
    """The interval of a product, into `interval`; a square is not negative."""
    low = 1.0
    high = 1.0
    for j in range(i):
        power = b.powers[i * b.width + j]
        if power > 0:
            raise_interval(b, j, power)
            below = b.interval[0]
            above = b.interval[1]
            first = times(low, below)
            second = times(low, above)
            least = min(first, second, times(high, below))
            most = max(first, second, times(high, below))
            last = times(high, above)
            low = min(least, last)
            high = max(most, last)
    b.interval[0] = low
    b.interval[1] = high


@kernel
def times(x: Real, y: Real) -> Real:
    """A product of bounds: infinite ones stand for finite numbers."""
    return 0.0 if x == 0.0 or y == 0.0 else x * y


@kernel
def raise_interval(b: DivisorBounds, j: Int, power: Int) -> None:
    """The interval of a power of an earlier instruction, into `interval`."""
    low = 1.0
    high = 1.0
    for _ in range(power):
        low *= b.low[j]
        high *= b.high[j]
    if power & 1 == 0:
        first = low
        low = 0.0 if b.low[j] < 0.0 and b.high[j] > 0.0 else min(first, high)
        high = max(first, high)
    b.interval[0] = low
    b.interval[1] = high
