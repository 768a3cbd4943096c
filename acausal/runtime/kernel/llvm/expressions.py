"""Expressions of kernels as instructions of LLVM, each result in a register of its own."""

from collections.abc import Sequence

from acausal.runtime.kernel.llvm.types import INTRINSICS, OPERATIONS, item_text, literal_text, relation, type_text
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


class ExpressionPrinter:
    """Instructions and labels of one function, and the expressions in it."""

    def __init__(self, function: Function) -> None:
        self._parameters = dict(function.parameters)
        self._head: list[str] = []
        self._lines: list[str] = []
        self._count = 0

    # ------------------------------------------------------------------ lines

    def _line(self, text: str) -> None:
        self._lines.append(f"  {text}")

    def _new(self, text: str) -> str:
        self._count += 1
        self._line(f"%v{self._count} = {text}")
        return f"%v{self._count}"

    def _labels(self, *names: str) -> list[str]:
        self._count += 1
        return [f"{name}{self._count}" for name in names]

    def _at(self, label: str) -> None:
        self._lines.append(f"{label}:")

    def _ended(self) -> bool:
        return bool(self._lines) and self._lines[-1].split()[0] in ("br", "ret", "unreachable")

    def _go(self, label: str) -> None:
        if not self._ended():
            self._line(f"br label %{label}")

    def _branch(self, test: Expression, yes: str, no: str) -> None:
        self._line(f"br i1 {self._value(test)}, label %{yes}, label %{no}")

    # ------------------------------------------------------------------ expressions

    def _place(self, place: Field | Element) -> str:
        if isinstance(place, Field):
            return self._new(f"getelementptr i64, ptr {self._value(place.base)}, i64 {place.number}")
        return self._at_index(place.array, place.position)

    def _at_index(self, array: Expression, position: Expression) -> str:
        """The address of an element."""
        base, index = self._value(array), self._value(position)
        return self._new(f"getelementptr {item_text(array.type)}, ptr {base}, i64 {index}")

    def _value(self, value: Expression) -> str:
        match value:
            case Literal():
                return literal_text(value)
            case Local(name, _) if name in self._parameters:
                return f"%{name}"
            case Local(name, kind):
                return self._new(f"load {type_text(kind)}, ptr %{name}.at")
            case Element(array, _, _) if array.type is Scalar.CINTS:
                return self._new(f"sext i32 {self._new(f'load i32, ptr {self._place(value)}')} to i64")
            case Field(type=kind) | Element(type=kind):
                return self._new(f"load {type_text(kind)}, ptr {self._place(value)}")
            case Tail(array, start, _) | Overlaid(array, start, _):
                return self._at_index(array, start)
            case Convert(Field() as field, _) if isinstance(field.type, InnerArray):
                return self._place(field)
            case Unary(op, operand, kind):
                return self._unary(op, self._value(operand), kind)
            case Binary(op, left, right, kind):
                letter = "f" if kind is Scalar.REAL else ""
                first, second = self._value(left), self._value(right)
                return self._new(f"{letter}{OPERATIONS[op]} {type_text(kind)} {first}, {second}")
            case Convert(operand, kind):
                return self._convert(operand, kind)
            case Call() | Invoke() | Primitive():
                return self._application(value)
            case _:
                return self._truth(value)

    def _application(self, value: Call | Invoke | Primitive) -> str:
        match value:
            case Primitive(name, arguments, kind):
                return self._primitive(name, [self._value(a) for a in arguments], kind)
            case Call(name, arguments, kind):
                return self._call(f"@{name}", arguments, kind)
            case Invoke(routine, _, arguments, kind):
                return self._call(self._value(routine), arguments, kind)

    def _truth(self, value: Comparison | Logic | Choice) -> str:
        match value:
            case Comparison(op, left, right):
                return self._comparison(op, left, right)
            case Logic(op, parts):
                return self._logic(op, parts)
            case Choice(test, yes, no, kind):
                return self._choice(test, yes, no, kind)

    def _unary(self, op: str, found: str, kind: Type) -> str:
        if op == "not":
            return self._new(f"xor i1 {found}, true")
        return self._new(f"fneg double {found}" if kind is Scalar.REAL else f"sub i64 0, {found}")

    def _comparison(self, op: str, left: Expression, right: Expression) -> str:
        a, b = self._value(left), self._value(right)
        return self._new(f"{relation(op, left.type)} {type_text(left.type)} {a}, {b}")

    def _logic(self, op: str, parts: Sequence[Expression]) -> str:
        """Later parts are evaluated only if those before do not decide."""
        (end,) = self._labels("decided")
        slot = self._slot("i1")
        for i, part in enumerate(parts):
            found = self._value(part)
            self._line(f"store i1 {found}, ptr {slot}")
            if i < len(parts) - 1:
                (on,) = self._labels("on")
                yes, no = (on, end) if op == "and" else (end, on)
                self._line(f"br i1 {found}, label %{yes}, label %{no}")
                self._at(on)
        self._go(end)
        self._at(end)
        return self._new(f"load i1, ptr {slot}")

    def _choice(self, test: Expression, yes: Expression, no: Expression, kind: Type) -> str:
        then, other, end = self._labels("yes", "no", "chosen")
        slot = self._slot(type_text(kind))
        self._branch(test, then, other)
        for label, value in ((then, yes), (other, no)):
            self._at(label)
            self._line(f"store {type_text(kind)} {self._value(value)}, ptr {slot}")
            self._line(f"br label %{end}")
        self._at(end)
        return self._new(f"load {type_text(kind)}, ptr {slot}")

    def _slot(self, kind: str) -> str:
        (name,) = self._labels("slot")
        self._head.append(f"  %{name} = alloca {kind}")
        return f"%{name}"

    def _convert(self, operand: Expression, kind: Type) -> str:
        if isinstance(kind, StructType):
            return self._value(operand)
        found, source = self._value(operand), type_text(operand.type)
        if kind is Scalar.REAL:
            return self._new(f"{'uitofp' if operand.type is Scalar.BOOL else 'sitofp'} {source} {found} to double")
        if operand.type is Scalar.REAL:
            return self._new(f"fptosi double {found} to i64")
        return self._new(f"{'sext' if kind is Scalar.INT else 'trunc'} {source} {found} to {type_text(kind)}")

    def _primitive(self, name: str, arguments: Sequence[str], kind: Type) -> str:
        if name in INTRINSICS:
            given = ", ".join([f"double {argument}" for argument in arguments])
            return self._new(f"call double @{INTRINSICS[name]}({given})")
        if name in ("bits_of", "from_bits"):
            source, target = ("double", "i64") if name == "bits_of" else ("i64", "double")
            return self._new(f"bitcast {source} {arguments[0]} to {target}")
        found, *others = arguments  # as Python: the first one unless a later one is smaller, or greater
        for other in others:
            relation = f"{'icmp s' if kind is Scalar.INT else 'fcmp o'}{'lt' if name == 'min' else 'gt'}"
            test = self._new(f"{relation} {type_text(kind)} {other}, {found}")
            found = self._new(f"select i1 {test}, {type_text(kind)} {other}, {type_text(kind)} {found}")
        return found

    def _call(self, function: str, arguments: Sequence[Expression], kind: Type) -> str:
        given = ", ".join([f"{type_text(a.type)} {v}" for a, v in [(a, self._value(a)) for a in arguments]])
        text = f"call {type_text(kind)} {function}({given})"
        if kind is Scalar.NOTHING:
            self._line(text)
            return ""
        return self._new(text)
