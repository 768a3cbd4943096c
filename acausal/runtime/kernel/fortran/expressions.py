"""Expressions of kernels in Fortran.

Fortran may evaluate all parts of a logical expression, and both values of a choice: where later parts depend on the
first one, or call something, they become `if` statements before the statement that they belong to.
"""

from acausal.runtime.kernel.fortran.layout import wrapped
from acausal.runtime.kernel.fortran.names import constant_name, fortran_name, procedure_name, variable_names
from acausal.runtime.kernel.fortran.types import is_pointer, literal_text, path_to_base, type_name
from acausal.runtime.kernel.scope import KernelError
from acausal.runtime.kernel.tree import (
    Binary,
    Call,
    Choice,
    Comparison,
    Convert,
    Element,
    Expression,
    Field,
    Function,
    Invoke,
    Literal,
    Local,
    Logic,
    Overlaid,
    Primitive,
    Tail,
    Unary,
)
from acausal.runtime.kernel.types import InnerArray, Scalar, StructType, Type
from acausal.runtime.kernel.walk import parts

_SAME = {"abs": "abs", "sqrt": "square_root", "floor": "floor_of", "min": "least_of", "max": "greatest_of"}
_SAME |= {"nearest": "nearest_of"}
_TAILS = {Scalar.REALS: "tail", Scalar.INTS: "tail_of_ints", Scalar.CINTS: "tail_of_c_ints"}


class ExpressionText:
    """Expressions of one kernel, and lines before the statement that they belong to."""

    def __init__(self, function: Function, results: dict[str, Type]) -> None:
        self._function = function
        names = [name for name, _ in (*function.parameters, *function.variables)]
        self.names = variable_names(names, results)
        self._extra: dict[str, Type] = {}
        self._lines: list[str] = []

    def _temporary(self, kind: Type) -> str:
        name = f"part_{len(self._extra) + 1}"
        self._extra[name] = kind
        return name

    def _add(self, text: str, level: int) -> None:
        self._lines.append(wrapped(text, level))

    def _set(self, name: str, value: Expression, level: int) -> None:
        """A variable gets a value."""
        sign = "=>" if is_pointer(value.type) else "="
        if isinstance(value, Choice):
            self._add(f"if ({self._text(value.test, level)}) then", level)
            self._set(name, value.yes, level + 1)
            self._add("else", level)
            self._set(name, value.no, level + 1)
            self._add("end if", level)
        elif isinstance(value, Logic) and not _is_plain(value):
            self._set(name, value.parts[0], level)
            for number, part in enumerate(value.parts[1:]):
                self._add(f"if ({name if value.op == 'and' else f'.not. {name}'}) then", level + number)
                self._set(name, part, level + number + 1)
            for number in reversed(range(len(value.parts) - 1)):
                self._add("end if", level + number)
        else:
            self._add(f"{name} {sign} {self._text(value, level)}", level)

    def _text(self, value: Expression, level: int) -> str:
        """An expression; what has to be decided before stands in lines before it."""
        match value:
            case Literal(number, _, name):
                return literal_text(number) if not name or not _is_finite(number) else constant_name(name)
            case Local(name):
                return self.names[name]
            case Field(base, _, name):
                return f"{self._structure(base, level)}%{fortran_name(name)}"
            case Element(array, position):
                return f"{self._text(array, level)}({self._text(position, level)})"
            case Tail(array, start):
                return f"{_tail(array)}({self._text(array, level)}, {self._text(start, level)})"
            case Overlaid(array, start, kind):
                assert isinstance(kind, StructType)
                name = f"{type_name(kind.struct)}_at"
                return f"{name}({self._text(array, level)}, {self._text(start, level)})"
            case Unary(op, operand):
                return f"{'.not. ' if op == 'not' else '-'}{self._operand(operand, level)}"
            case Binary():
                return self._binary(value, level)
            case Comparison(op, left, right):
                return self._comparison(op, left, right, level)
            case Logic() if _is_plain(value):
                return f" .{value.op}. ".join([self._operand(part, level) for part in value.parts])
            case Logic() | Choice():
                name = self._temporary(value.type)
                self._set(name, value, level)
                return name
            case _:
                return self._application(value, level)

    def _structure(self, value: Expression, level: int) -> str:
        """A structure whose components are taken: in Fortran not the result of a function."""
        text = self._text(value, level)
        if isinstance(value, Local | Field | Convert):
            return text
        name = self._temporary(value.type)
        self._add(f"{name} => {text}", level)
        return name

    def _application(self, value: Expression, level: int) -> str:
        match value:
            case Convert():
                return self._convert(value, level)
            case Primitive():
                return self._primitive(value, [self._text(a, level) for a in value.arguments])
            case Call(name, arguments):
                return f"{procedure_name(name)}({', '.join([self._text(a, level) for a in arguments])})"
            case Invoke(routine, _, arguments):
                return f"{self._text(routine, level)}({', '.join([self._text(a, level) for a in arguments])})"
        raise KernelError(f"{self._function.name}: no Fortran for {type(value).__name__}")

    def _operand(self, value: Expression, level: int) -> str:
        text = self._text(value, level)
        is_word = isinstance(value, Local | Field | Element | Call | Invoke | Primitive)
        is_positive = isinstance(value, Literal) and not text.startswith("-")
        return text if is_word or is_positive or text.startswith("part_") else f"({text})"

    def _binary(self, value: Binary, level: int) -> str:
        left, right = self._operand(value.left, level), self._operand(value.right, level)
        if value.op in "+-*/":
            return f"{left} {value.op} {right}"
        function = {"&": "iand", "^": "ieor", "<<": "shiftl"}[value.op]
        return f"{function}({left}, {right})"

    def _comparison(self, op: str, left: Expression, right: Expression, level: int) -> str:
        one, other = self._operand(left, level), self._operand(right, level)
        if left.type is Scalar.BOOL:
            return f"{one} {'.eqv.' if op == '==' else '.neqv.'} {other}"
        if left.type is Scalar.REAL and op in ("==", "!="):  # compilers warn of comparisons of real numbers
            text = f"is_equal({self._text(left, level)}, {self._text(right, level)})"
            return text if op == "==" else f".not. {text}"
        return f"{one} {'/=' if op == '!=' else op} {other}"

    def _convert(self, value: Convert, level: int) -> str:
        text, source, kind = self._text(value.operand, level), value.operand.type, value.type
        if isinstance(source, InnerArray):
            return text
        if isinstance(source, StructType) and isinstance(kind, StructType):
            return f"{text}%{path_to_base(source.struct, kind.struct)}"
        if source is Scalar.BOOL:
            one, zero = ("1.0_dp", "0.0_dp") if kind is Scalar.REAL else ("1_i8", "0_i8")
            return f"merge({one}, {zero}, {text})"
        if kind is Scalar.REAL:
            return f"real({text}, dp)"
        if kind in (Scalar.INT, Scalar.CINT):
            return f"int({text}, {'i8' if kind is Scalar.INT else 'i4'})"
        raise KernelError(f"{self._function.name}: no Fortran for this conversion")

    def _primitive(self, value: Primitive, arguments: list[str]) -> str:
        name = value.name
        if name not in _SAME:
            raise KernelError(f"{self._function.name}: no Fortran for {name}")
        function = name if value.type is Scalar.INT else _SAME[name]
        while len(arguments) > 2:
            arguments[:2] = [f"{function}({arguments[0]}, {arguments[1]})"]
        return f"{function}({', '.join(arguments)})"


def _is_plain(value: Logic) -> bool:
    """True if later parts may be evaluated whatever the first one is."""
    later = [part for whole in value.parts[1:] for part in parts(whole)]
    if any(isinstance(part, Field) and isinstance(part.base, Field) for part in later):
        return False
    return not any(isinstance(part, Element | Call | Invoke | Tail | Overlaid | Logic | Choice) for part in later)


def _tail(array: Expression) -> str:
    kind = array.type
    return _TAILS[kind] if isinstance(kind, Scalar) else _TAILS[Scalar.REALS]


def _is_finite(number: float) -> bool:
    return number - number == 0
