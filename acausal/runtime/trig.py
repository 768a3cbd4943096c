"""Sine and cosine without branches, for several numbers at once: C libraries have them one by one only.

The argument is less a multiple k of pi/2 in three parts, with the rounding error kept (the first product is exact, as
k < 2^20); then the minimax polynomials of fdlibm (Sun Microsystems 1993, k_sin.c and k_cos.c, error below 2^-58). The
result is within one unit in the last place. The printer for lanes (`kernel/llvm/lanes`) computes what sine and cosine
have in common once.
"""

from acausal.runtime.kernel.language import Bool, Real, bits_of, fma, from_bits, kernel

LARGEST = 2.0**19
"""The limit of arguments."""

S1, S2, S3, S4, S5, S6 = (
    -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
    2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
)  # fmt: skip
"""Coefficients of the sine."""
C1, C2, C3, C4, C5, C6 = (
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
    -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
)  # fmt: skip
"""Coefficients of the cosine."""
FIRST, SECOND, THIRD = 1.5707963267341256, 6.077100506506192e-11, 3.5215598651832e-27
"""pi/2: 33 bits, 53 bits, the rest."""
TWO_OVER_PI = 0.6366197723675814
ROUND = 1.5 * 2.0**52
"""Added and taken away again it rounds to a whole number, which stands in the last bits meanwhile."""


@kernel
def is_reducible(x: Real) -> Bool:
    """True for arguments of `sine` and `cosine`."""
    return abs(x) < LARGEST


@kernel
def sine(x: Real) -> Real:
    """The sine."""
    quarters = bits_of(quarter_turns(x))
    high = reduced(x)
    low = reduced_rest(x)
    value = cosine_part(high, low) if quarters & 1 != 0 else sine_part(high, low)
    return from_bits(bits_of(value) ^ ((quarters & 2) << 62))


@kernel
def cosine(x: Real) -> Real:
    """The cosine."""
    quarters = bits_of(quarter_turns(x))
    high = reduced(x)
    low = reduced_rest(x)
    value = sine_part(high, low) if quarters & 1 != 0 else cosine_part(high, low)
    return from_bits(bits_of(value) ^ (((quarters + 1) & 2) << 62))


@kernel
def quarter_turns(x: Real) -> Real:
    """The nearest multiple of pi/2, plus ROUND."""
    return fma(x, TWO_OVER_PI, ROUND)


@kernel
def reduced(x: Real) -> Real:
    """The distance of x from the nearest multiple of pi/2."""
    k = quarter_turns(x) - ROUND
    return fma(k, -FIRST, x) - k * SECOND


@kernel
def reduced_rest(x: Real) -> Real:
    """The rounding error of `reduced` (D. E. Knuth, The Art of Computer Programming 2, 4.2.2)."""
    k = quarter_turns(x) - ROUND
    rest = fma(k, -FIRST, x)
    product = k * SECOND
    result = rest - product
    negative = result - rest
    lost = (rest - (result - negative)) - (product + negative)
    return lost + fma(k, -THIRD, fma(k, -SECOND, product))


@kernel
def sine_part(x: Real, low: Real) -> Real:
    """x + x^3*P(z) with z = x^2, and what `low` changes: low*(1 - z/2)."""
    z = x * x
    polynomial = fma(fma(fma(fma(fma(S6, z, S5), z, S4), z, S3), z, S2), z, S1)
    return x + fma(z * x, polynomial, fma(z * -0.5, low, low))


@kernel
def cosine_part(x: Real, low: Real) -> Real:
    """1 - z/2 + z^2*Q(z) with z = x^2, and what `low` changes: -x*low; what is lost in 1 - z/2 is added again."""
    z = x * x
    half = z * 0.5
    large = 1.0 - half
    lost = (1.0 - large) - half
    polynomial = fma(fma(fma(fma(fma(C6, z, C5), z, C4), z, C3), z, C2), z, C1)
    return large + fma(z * z, polynomial, lost - x * low)
