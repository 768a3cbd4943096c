"""Sine and cosine of several numbers at once, in LLVM's language: C libraries have them one by one only.

The argument is less a multiple k of pi/2 in three parts, with the rounding error kept (the first product is exact, as
k < 2^20); then the minimax polynomials of fdlibm (Sun Microsystems 1993, k_sin.c and k_cos.c, error below 2^-58). The
result is within one unit in the last place. Lanes beyond, infinite or nan send all lanes to the C library.
"""

from collections.abc import Iterator, Sequence

from acausal.codegen.llvm.lines import number

LARGEST = 2.0**19
"""Larger arguments go to the C library."""

_SINE = (
    -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
    2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
)  # fmt: skip
_COSINE = (
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
    -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
)  # fmt: skip
_PARTS = (1.5707963267341256, 6.077100506506192e-11, 3.5215598651832e-27)
"""pi/2: 33 bits, 53 bits, the rest."""
_ROUND = 1.5 * 2.0**52
"""Added and taken away again it rounds to a whole number, which stands in the last bits meanwhile."""


class _Vector:
    """Lines of a function of vectors."""

    def __init__(self, lanes: int) -> None:
        self.kind, self.whole, self.truth = f"<{lanes} x double>", f"<{lanes} x i64>", f"<{lanes} x i1>"
        self.lanes = lanes
        self.lines: list[str] = []

    def line(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def real(self, value: float) -> str:
        return splat("double", number(value), self.lanes)

    def int(self, value: int) -> str:
        return splat("i64", str(value), self.lanes)

    def op(self, op: str, a: str, b: str) -> str:
        return self.line(f"{op} {self.kind if op[0] == 'f' else self.whole} {a}, {b}")

    def fma(self, a: str, b: str, c: str) -> str:
        given = ", ".join([f"{self.kind} {x}" for x in (a, b, c)])
        return self.line(f"call {self.kind} @llvm.fma.v{self.lanes}f64({given})")

    def polynomial(self, x: str, coefficients: Sequence[float]) -> str:
        value = self.real(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            value = self.fma(value, x, self.real(c))
        return value

    def signed(self, value: str, sign: str) -> str:
        """The value with the sign bit of another."""
        bits = self.line(f"bitcast {self.kind} {value} to {self.whole}")
        return self.line(f"bitcast {self.whole} {self.op('xor', bits, sign)} to {self.kind}")


def splat(kind: str, value: str, lanes: int) -> str:
    """A constant in all lanes."""
    return "<" + ", ".join([f"{kind} {value}"] * lanes) + ">"


def sincos_text(lanes: int) -> str:
    """The function `sincos`: sine and cosine of a vector as a pair."""
    kind = f"<{lanes} x double>"
    pair = f"{{ {kind}, {kind} }}"
    v = _Vector(lanes)
    sine, cosine = _reduced(v)
    inside = "\n".join(v.lines)
    slow = "\n".join(_one_by_one(lanes))
    return f"""\
define internal {pair} @sincos({kind} %x) #0 {{
entry:
  %size = call {kind} @llvm.fabs.v{lanes}f64({kind} %x)
  %inside = fcmp olt {kind} %size, {splat("double", number(LARGEST), lanes)}
  %bits = bitcast <{lanes} x i1> %inside to i{lanes}
  %all = icmp eq i{lanes} %bits, -1
  br i1 %all, label %near, label %far
near:
{inside}
  %n0 = insertvalue {pair} poison, {kind} {sine}, 0
  %n1 = insertvalue {pair} %n0, {kind} {cosine}, 1
  ret {pair} %n1
far:
{slow}
  %f0 = insertvalue {pair} poison, {kind} %s{lanes}, 0
  %f1 = insertvalue {pair} %f0, {kind} %c{lanes}, 1
  ret {pair} %f1
}}
"""


def sincos_declarations(lanes: int) -> tuple[str, ...]:
    """Declarations of the functions that `sincos` calls."""
    kind = f"<{lanes} x double>"
    return (
        f"declare {kind} @llvm.fma.v{lanes}f64({kind}, {kind}, {kind})",
        f"declare {kind} @llvm.fabs.v{lanes}f64({kind})",
        "declare double @sin(double)",
        "declare double @cos(double)",
    )


def _reduced(v: _Vector) -> tuple[str, str]:
    """Sine and cosine of %x."""
    first, second, third = _PARTS
    shifted = v.fma("%x", v.real(0.6366197723675814), v.real(_ROUND))
    k = v.op("fsub", shifted, v.real(_ROUND))
    quadrant = v.line(f"bitcast {v.kind} {shifted} to {v.whole}")
    rest = v.fma(k, v.real(-first), "%x")
    product = v.op("fmul", k, v.real(second))
    high, lost = _difference(v, rest, product)
    inexact = v.fma(k, v.real(-second), product)
    low = v.op("fadd", lost, v.fma(k, v.real(-third), inexact))
    z = v.op("fmul", high, high)
    s, c = _sine(v, high, low, z), _cosine(v, high, low, z)
    odd = v.line(f"icmp ne {v.whole} {v.op('and', quadrant, v.int(1))}, {v.int(0)}")
    sine = v.line(f"select {v.truth} {odd}, {v.kind} {c}, {v.kind} {s}")
    cosine = v.line(f"select {v.truth} {odd}, {v.kind} {s}, {v.kind} {c}")
    after = v.op("add", quadrant, v.int(1))
    signs = [v.op("shl", v.op("and", q, v.int(2)), v.int(62)) for q in (quadrant, after)]
    return v.signed(sine, signs[0]), v.signed(cosine, signs[1])


def _difference(v: _Vector, a: str, b: str) -> tuple[str, str]:
    """a - b, and what rounding takes away from it, exactly (Knuth, The Art of Computer Programming 2, 4.2.2)."""
    result = v.op("fsub", a, b)
    negative = v.op("fsub", result, a)
    first = v.op("fsub", a, v.op("fsub", result, negative))
    return result, v.op("fsub", first, v.op("fadd", b, negative))


def _sine(v: _Vector, x: str, low: str, z: str) -> str:
    """x + x^3*P(z), and what `low` changes: low*(1 - z/2)."""
    cube = v.op("fmul", z, x)
    tail = v.fma(v.op("fmul", z, v.real(-0.5)), low, low)
    return v.op("fadd", x, v.fma(cube, v.polynomial(z, _SINE), tail))


def _cosine(v: _Vector, x: str, low: str, z: str) -> str:
    """1 - z/2 + z^2*Q(z), and what `low` changes: -x*low; what is lost in 1 - z/2 is added again."""
    half = v.op("fmul", z, v.real(0.5))
    large = v.op("fsub", v.real(1.0), half)
    lost = v.op("fsub", v.op("fsub", v.real(1.0), large), half)
    fine = v.fma(v.op("fmul", z, z), v.polynomial(z, _COSINE), v.op("fsub", lost, v.op("fmul", x, low)))
    return v.op("fadd", large, fine)


def _one_by_one(lanes: int) -> Iterator[str]:
    """Lines that call the C library lane by lane."""
    for letter, function in (("s", "sin"), ("c", "cos")):
        for i in range(lanes):
            yield f"  %{letter}x{i} = extractelement <{lanes} x double> %x, i32 {i}"
            yield f"  %{letter}y{i} = call double @{function}(double %{letter}x{i})"
            before = f"%{letter}{i}" if i else "poison"
            value = f"double %{letter}y{i}"
            yield f"  %{letter}{i + 1} = insertelement <{lanes} x double> {before}, {value}, i32 {i}"
