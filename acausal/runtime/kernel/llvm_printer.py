"""Typed trees of kernels as LLVM assembly."""

import struct
from collections.abc import Callable, Sequence

from acausal.base.caches import once
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.signature import fields, signature, type_of
from acausal.runtime.kernel.tree import (
    Assign,
    Binary,
    Break,
    Call,
    Choice,
    Comparison,
    Continue,
    Convert,
    Element,
    Evaluate,
    Expression,
    Field,
    For,
    Function,
    If,
    Invoke,
    Literal,
    Local,
    Logic,
    Primitive,
    Return,
    RoutineType,
    Scalar,
    Statement,
    Store,
    StructType,
    Tail,
    Type,
    Unary,
    While,
)

_TYPES = {
    Scalar.REAL: "double",
    Scalar.INT: "i64",
    Scalar.BOOL: "i1",
    Scalar.CINT: "i32",
    Scalar.NOTHING: "void",
}
OPERATIONS = {"+": "add", "-": "sub", "*": "mul", "/": "div", "&": "and", "^": "xor", "<<": "shl"}
_RELATIONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
INTRINSICS = {
    "abs": "llvm.fabs.f64",
    "floor": "llvm.floor.f64",
    "nearest": "llvm.rint.f64",
    "sqrt": "llvm.sqrt.f64",
    "fma": "llvm.fma.f64",
}


def print_llvm(functions: Sequence[Function], exported: Sequence[str]) -> str:
    """A module of these functions; those that are exported are seen from outside."""
    arguments = {name: "double, double, double" if name == "fma" else "double" for name in INTRINSICS}
    declared = [f"declare double @{INTRINSICS[name]}({given})" for name, given in arguments.items()]
    printed = [_Printer(f, f.name in exported).text() for f in functions]
    return "\n".join([*declared, "", *printed])


def print_constant(name: str, value: Struct) -> list[str]:
    """A structure that does not change; its arrays are lists, routines the names of functions."""
    lines, parts = [], []
    for field, (_, kind) in fields(type(value)).items():
        content = getattr(value, field)
        if isinstance(kind, RoutineType):
            parts.append(f"ptr @{content}")
        elif kind in (Scalar.REALS, Scalar.INTS):
            item, numbers = _items(kind), [_number(number) for number in content]
            elements = ", ".join([f"{item} {number}" for number in numbers])
            lines.append(f"@{name}_{field} = private constant [{len(numbers)} x {item}] [{elements}]")
            parts.append(f"ptr @{name}_{field}")
        else:
            parts.append(f"{_type(kind)} {_number(content)}")
    kinds = ", ".join([part.partition(" ")[0] for part in parts])
    return [*lines, f"@{name} = private constant {{ {kinds} }} {{ {', '.join(parts)} }}"]


@once
def declaration(kernel: Callable[..., object]) -> str:
    """A kernel that another module defines."""
    parameters, result = signature(kernel)
    kinds = ", ".join([_type(type_of(kind) or Scalar.NOTHING) for _, kind in parameters])
    return f"declare {_type(type_of(result) or Scalar.NOTHING)} @{kernel.__name__}({kinds})"


@once
def routine_declaration(name: str, protocol: type) -> str:
    """A C function of this type that another module defines."""
    kind = type_of(protocol)
    assert isinstance(kind, RoutineType)
    return f"declare {_type(kind.result)} @{name}({', '.join([_type(k) for k in kind.parameters])})"


def _type(kind: Type) -> str:
    return _TYPES.get(kind, "ptr") if isinstance(kind, Scalar) else "ptr"


def _items(array: Type) -> str:
    """The type of the elements of an array."""
    return {Scalar.REALS: "double", Scalar.INTS: "i64"}.get(array, "i32") if isinstance(array, Scalar) else "ptr"


class _Printer:
    """One function."""

    def __init__(self, function: Function, is_exported: bool) -> None:
        self._function = function
        self._parameters = dict(function.parameters)
        self._linkage = "" if is_exported else "internal "
        self._head: list[str] = []
        self._lines: list[str] = []
        self._count = 0
        self._loops: list[tuple[str, str]] = []

    def text(self) -> str:
        function = self._function
        self._head += [f"  %{name}.at = alloca {_type(kind)}" for name, kind in function.variables]
        self._block(function.body)
        if not self._ended():
            self._line("ret void" if function.result is Scalar.NOTHING else "unreachable")
        given = ", ".join([f"{_type(kind)} %{name}" for name, kind in function.parameters])
        head = f"define {self._linkage}{_type(function.result)} @{function.name}({given}) {{"
        return "\n".join([head, "entry:", *self._head, *self._lines, "}", ""])

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

    # ------------------------------------------------------------------ statements

    def _block(self, body: Sequence[Statement]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Assign(name, value):
                self._line(f"store {_type(value.type)} {self._value(value)}, ptr %{name}.at")
            case Store(place, value):
                self._store(place, value)
            case Evaluate(value):
                self._value(value)
            case If(test, yes, no):
                self._if(test, yes, no)
            case While(test, body):
                head, inner, end = self._labels("while", "do", "done")
                self._go(head)
                self._at(head)
                self._branch(test, inner, end)
                self._body(inner, body, head, end)
                self._at(end)
            case For():
                self._for(statement)
            case Return(None):
                self._line("ret void")
            case Return(value) if value is not None:
                self._line(f"ret {_type(value.type)} {self._value(value)}")
            case Break():
                self._go(self._loops[-1][1])
            case Continue():
                self._go(self._loops[-1][0])

    def _store(self, place: Field | Element, value: Expression) -> None:
        found = self._value(value)
        if isinstance(place, Element) and place.array.type is Scalar.CINTS:
            self._line(f"store i32 {self._new(f'trunc i64 {found} to i32')}, ptr {self._place(place)}")
        else:
            self._line(f"store {_type(value.type)} {found}, ptr {self._place(place)}")

    def _if(self, test: Expression, yes: Sequence[Statement], no: Sequence[Statement]) -> None:
        then, other, end = self._labels("then", "else", "endif")
        self._branch(test, then, other if no else end)
        ended = []
        for label, body in ((then, yes), (other, no)):
            if body:
                self._at(label)
                self._block(body)
                ended.append(self._ended())
                self._go(end)
        if not (len(ended) == 2 and all(ended)):
            self._at(end)

    def _for(self, loop: For) -> None:
        head, inner, step, end = self._labels("for", "do", "next", "done")
        at, last = f"%{loop.name}.at", self._value(loop.end)
        self._line(f"store i64 {self._value(loop.first)}, ptr {at}")
        self._go(head)
        self._at(head)
        index = self._new(f"load i64, ptr {at}")
        self._line(f"br i1 {self._new(f'icmp slt i64 {index}, {last}')}, label %{inner}, label %{end}")
        self._body(inner, loop.body, step, end)
        self._at(step)
        index = self._new(f"load i64, ptr {at}")
        self._line(f"store i64 {self._new(f'add i64 {index}, 1')}, ptr {at}")
        self._line(f"br label %{head}")
        self._at(end)

    def _body(self, inner: str, body: Sequence[Statement], again: str, end: str) -> None:
        """The body of a loop, which goes on at `again`."""
        self._at(inner)
        self._loops.append((again, end))
        self._block(body)
        self._loops.pop()
        self._go(again)

    # ------------------------------------------------------------------ expressions

    def _place(self, place: Field | Element) -> str:
        if isinstance(place, Field):
            return self._new(f"getelementptr i64, ptr {self._value(place.base)}, i64 {place.number}")
        return self._at_index(place.array, place.position)

    def _at_index(self, array: Expression, position: Expression) -> str:
        """The address of an element."""
        base, index = self._value(array), self._value(position)
        return self._new(f"getelementptr {_items(array.type)}, ptr {base}, i64 {index}")

    def _value(self, value: Expression) -> str:
        match value:
            case Literal():
                return literal_text(value)
            case Local(name, _) if name in self._parameters:
                return f"%{name}"
            case Local(name, kind):
                return self._new(f"load {_type(kind)}, ptr %{name}.at")
            case Element(array, _, _) if array.type is Scalar.CINTS:
                return self._new(f"sext i32 {self._new(f'load i32, ptr {self._place(value)}')} to i64")
            case Field(type=kind) | Element(type=kind):
                return self._new(f"load {_type(kind)}, ptr {self._place(value)}")
            case Tail(array, start, _):
                return self._at_index(array, start)
            case Unary(op, operand, kind):
                return self._unary(op, self._value(operand), kind)
            case Binary(op, left, right, kind):
                letter = "f" if kind is Scalar.REAL else ""
                first, second = self._value(left), self._value(right)
                return self._new(f"{letter}{OPERATIONS[op]} {_type(kind)} {first}, {second}")
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
        return self._new(f"{relation(op, left.type)} {_type(left.type)} {a}, {b}")

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
        slot = self._slot(_type(kind))
        self._branch(test, then, other)
        for label, value in ((then, yes), (other, no)):
            self._at(label)
            self._line(f"store {_type(kind)} {self._value(value)}, ptr {slot}")
            self._line(f"br label %{end}")
        self._at(end)
        return self._new(f"load {_type(kind)}, ptr {slot}")

    def _slot(self, kind: str) -> str:
        (name,) = self._labels("slot")
        self._head.append(f"  %{name} = alloca {kind}")
        return f"%{name}"

    def _convert(self, operand: Expression, kind: Type) -> str:
        if isinstance(kind, StructType):
            return self._value(operand)
        found, source = self._value(operand), _type(operand.type)
        if kind is Scalar.REAL:
            return self._new(f"{'uitofp' if operand.type is Scalar.BOOL else 'sitofp'} {source} {found} to double")
        if operand.type is Scalar.REAL:
            return self._new(f"fptosi double {found} to i64")
        return self._new(f"{'sext' if kind is Scalar.INT else 'trunc'} {source} {found} to {_type(kind)}")

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
            test = self._new(f"{relation} {_type(kind)} {other}, {found}")
            found = self._new(f"select i1 {test}, {_type(kind)} {other}, {_type(kind)} {found}")
        return found

    def _call(self, function: str, arguments: Sequence[Expression], kind: Type) -> str:
        given = ", ".join([f"{_type(a.type)} {v}" for a, v in [(a, self._value(a)) for a in arguments]])
        text = f"call {_type(kind)} {function}({given})"
        if kind is Scalar.NOTHING:
            self._line(text)
            return ""
        return self._new(text)


def relation(op: str, kind: Type) -> str:
    """The instruction of a comparison."""
    name = _RELATIONS[op]
    if kind is Scalar.REAL:
        return f"fcmp {'une' if op == '!=' else 'o' + name}"
    return f"icmp {name if op in ('==', '!=') else 's' + name}"


def literal_text(literal: Literal) -> str:
    """A number, to the bit, or a truth value."""
    return _number(literal.value)


def _number(value: float) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
