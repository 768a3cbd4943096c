"""Names of kernels in C."""

_KEYWORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm bool true
    false near far interface small
"""
_LIBRARY = """
    acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10 log1p
    log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma gamma ceil floor nearbyint rint lrint
    round lround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma signgam j0 j1 jn y0
    y1 yn isnan isinf isfinite isnormal signbit fpclassify drem significand abs labs div abort exit malloc calloc free
    printf puts index rindex bcmp bcopy bzero memcpy memset memcmp strlen alloca offsetof main min max
"""
_MACROS = "INFINITY NAN HUGE_VAL OVERFLOW UNDERFLOW DOMAIN SING PLOSS TLOSS NULL NEAR FAR IN OUT OPTIONAL ERROR CONST"
RESERVED = frozenset(f"{_KEYWORDS} {_LIBRARY} {_MACROS}".split())
"""Keywords and names of the C library, of compilers, and macros of Windows."""


def c_name(name: str) -> str:
    """The name in C: the same one, unless it means something there."""
    return f"{name}_" if name in RESERVED else name
