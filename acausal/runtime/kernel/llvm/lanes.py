"""Kernels for several numbers at once as LLVM assembly: a lane of a vector for each.

Only kernels without branches and effects: assignments, and a result. Both values of `a if c else b` are computed, calls
become part of the text, and what several of them compute alike is computed once.
"""

from collections.abc import Callable, Mapping, Sequence

from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.llvm.types import INTRINSICS, OPERATIONS, literal_text, relation
from acausal.runtime.kernel.scope import KernelError
from acausal.runtime.kernel.tree import (
    Assign,
    Binary,
    Call,
    Choice,
    Comparison,
    Expression,
    Function,
    Literal,
    Local,
    Primitive,
    Return,
    Unary,
)
from acausal.runtime.kernel.types import Scalar, Type

_TYPES = {Scalar.REAL: "double", Scalar.INT: "i64", Scalar.BOOL: "i1"}
_FUNCTION = """\
define {pair} @{name}({kind} %x) #0 {{
entry:
{test}
  %bits = bitcast <{lanes} x i1> {inside} to i{lanes}
  %all = icmp eq i{lanes} %bits, -1
  br i1 %all, label %near, label %far
near:
{near}
far:
{far}
}}
attributes #0 = {{ "tune-cpu"="generic" }}
"""

Kernel = Callable[..., object]


def print_pair(name: str, lanes: int, domain: Kernel, pair: Sequence[Kernel], library: Sequence[str]) -> str:
    """A module with a function of two results for each lane.

    They are those of two kernels if all lanes are in their domain, which is another kernel; else those of two functions
    of the C library.
    """
    kernels = {function.name: function for function in check_kernels([domain, *pair])}
    test, near = LaneText(kernels, lanes, "t"), LaneText(kernels, lanes, "v")
    inside, results = test.call(domain.__name__, ["%x"]), [near.call(k.__name__, ["%x"]) for k in pair]
    kind = vector(Scalar.REAL, lanes)
    text = _FUNCTION.format(
        name=name,
        kind=kind,
        pair=f"{{ {kind}, {kind} }}",
        lanes=lanes,
        inside=inside,
        test="\n".join(test.lines),
        near="\n".join([*near.lines, *_results(kind, results, "near")]),
        far="\n".join(_by_lanes(kind, lanes, library)),
    )
    return "\n".join([*(test.declared | near.declared), *[f"declare double @{f}(double)" for f in library], text])


def vector(kind: Type, lanes: int) -> str:
    """The type of values of all lanes."""
    if not isinstance(kind, Scalar) or kind not in _TYPES:
        raise KernelError(f"no lanes of {kind}")
    return f"<{lanes} x {_TYPES[kind]}>"


def splat(kind: str, value: str, lanes: int) -> str:
    """A constant in all lanes."""
    return "<" + ", ".join([f"{kind} {value}"] * lanes) + ">"


class LaneText:
    """Lines that compute kernels of all lanes."""

    def __init__(self, kernels: Mapping[str, Function], lanes: int, prefix: str) -> None:
        self._kernels = kernels
        self._lanes = lanes
        self._prefix = prefix
        self._known: dict[str, str] = {}
        self.lines: list[str] = []
        self.declared: dict[str, None] = {}

    def call(self, name: str, arguments: Sequence[str]) -> str:
        """The result of a kernel."""
        function = self._kernels[name]
        values = dict(zip(dict(function.parameters), arguments, strict=True))
        for statement in function.body:
            match statement:
                case Assign(variable, value):
                    values[variable] = self._value(value, values)
                case Return(value) if value is not None:
                    return self._value(value, values)
                case _:
                    break
        raise KernelError(f"{name} is not a formula")

    def _line(self, text: str) -> str:
        """The value of an instruction; of two alike there is one."""
        if text not in self._known:
            self._known[text] = name = f"%{self._prefix}{len(self._known)}"
            self.lines.append(f"  {name} = {text}")
        return self._known[text]

    def _value(self, value: Expression, values: Mapping[str, str]) -> str:
        match value:
            case Local(name):
                return values[name]
            case Literal(_, kind) if isinstance(kind, Scalar):
                return splat(_TYPES[kind], literal_text(value), self._lanes)
            case Unary(_, Literal(number, kind)) if kind is Scalar.REAL:
                return splat("double", literal_text(Literal(-number, kind)), self._lanes)
            case Call(name, arguments):
                return self.call(name, [self._value(a, values) for a in arguments])
            case Binary(op, left, right, kind):
                letter = "f" if kind is Scalar.REAL else ""
                return self._line(f"{letter}{OPERATIONS[op]} {self._two(left, right, values)}")
            case Comparison(op, left, right):
                return self._line(f"{relation(op, left.type)} {self._two(left, right, values)}")
            case Choice(test, yes, no):
                chosen = [f"{vector(part.type, self._lanes)} {self._value(part, values)}" for part in (test, yes, no)]
                return self._line(f"select {', '.join(chosen)}")
            case Primitive(name, arguments, kind):
                return self._primitive(name, [self._value(a, values) for a in arguments], kind)
        raise KernelError(f"no lanes of {type(value).__name__}")

    def _two(self, left: Expression, right: Expression, values: Mapping[str, str]) -> str:
        return f"{vector(left.type, self._lanes)} {self._value(left, values)}, {self._value(right, values)}"

    def _primitive(self, name: str, arguments: Sequence[str], kind: Type) -> str:
        target = vector(kind, self._lanes)
        if name in ("bits_of", "from_bits"):
            source = vector(Scalar.REAL if name == "bits_of" else Scalar.INT, self._lanes)
            return self._line(f"bitcast {source} {arguments[0]} to {target}")
        if name not in INTRINSICS:
            raise KernelError(f"no lanes of {name}")
        function = INTRINSICS[name].replace(".f64", f".v{self._lanes}f64")
        self.declared[f"declare {target} @{function}({', '.join([target] * len(arguments))})"] = None
        return self._line(f"call {target} @{function}({', '.join([f'{target} {a}' for a in arguments])})")


def _results(kind: str, values: Sequence[str], prefix: str) -> list[str]:
    """Lines that return a pair."""
    pair = f"{{ {kind}, {kind} }}"
    return [
        f"  %{prefix}pair0 = insertvalue {pair} poison, {kind} {values[0]}, 0",
        f"  %{prefix}pair1 = insertvalue {pair} %{prefix}pair0, {kind} {values[1]}, 1",
        f"  ret {pair} %{prefix}pair1",
    ]


def _by_lanes(kind: str, lanes: int, library: Sequence[str]) -> list[str]:
    """Lines that call functions of the C library lane by lane."""
    lines, results = [], []
    for name in library:
        found = "poison"
        for i in range(lanes):
            lines.append(f"  %{name}x{i} = extractelement {kind} %x, i32 {i}")
            lines.append(f"  %{name}y{i} = call double @{name}(double %{name}x{i})")
            lines.append(f"  %{name}{i} = insertelement {kind} {found}, double %{name}y{i}, i32 {i}")
            found = f"%{name}{i}"
        results.append(found)
    return [*lines, *_results(kind, results, "far")]
