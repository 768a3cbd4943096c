"""Typed trees of kernels as LLVM assembly."""

from collections import Counter
from collections.abc import Sequence

from acausal.runtime.kernel.llvm.expressions import ExpressionPrinter
from acausal.runtime.kernel.llvm.types import INTRINSICS, type_text
from acausal.runtime.kernel.tree import (
    Assign,
    Break,
    Call,
    Continue,
    Element,
    Evaluate,
    Expression,
    Field,
    For,
    Function,
    If,
    Return,
    Statement,
    Store,
    While,
)
from acausal.runtime.kernel.types import Scalar
from acausal.runtime.kernel.walk import all_expressions

INLINED = 30
"""Functions of so many lines are inlined; so are those that are called at one place only, however long they are."""


def print_llvm(functions: Sequence[Function], exported: Sequence[str]) -> str:
    """A module of these functions; those that are exported are seen from outside."""
    arguments = {name: "double, double, double" if name == "fma" else "double" for name in INTRINSICS}
    declared = [f"declare double @{INTRINSICS[name]}({given})" for name, given in arguments.items()]
    calls = Counter([e.name for f in functions for e in all_expressions(f.body) if isinstance(e, Call)])
    printed = [_Printer(f, f.name in exported, calls[f.name]).text() for f in functions]
    return "\n".join([*declared, "", *printed])


class _Printer(ExpressionPrinter):
    """One function."""

    def __init__(self, function: Function, is_exported: bool, calls: int) -> None:
        super().__init__(function)
        self._function = function
        self._is_called_once = calls == 1 and not is_exported
        self._linkage = "" if is_exported else "internal "
        self._loops: list[tuple[str, str]] = []

    def text(self) -> str:
        function = self._function
        self._head += [f"  %{name}.at = alloca {type_text(kind)}" for name, kind in function.variables]
        self._block(function.body)
        if not self._ended():
            self._line("ret void" if function.result is Scalar.NOTHING else "unreachable")
        given = ", ".join([f"{type_text(kind)} %{name}" for name, kind in function.parameters])
        inlined = "alwaysinline " if self._is_called_once or len(self._lines) <= INLINED else ""
        head = f"define {self._linkage}{type_text(function.result)} @{function.name}({given}) {inlined}{{"
        return "\n".join([head, "entry:", *self._head, *self._lines, "}", ""])

    def _block(self, body: Sequence[Statement]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Assign(name, value):
                self._line(f"store {type_text(value.type)} {self._value(value)}, ptr %{name}.at")
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
                self._line(f"ret {type_text(value.type)} {self._value(value)}")
            case Break():
                self._go(self._loops[-1][1])
            case Continue():
                self._go(self._loops[-1][0])

    def _store(self, place: Field | Element, value: Expression) -> None:
        found = self._value(value)
        if isinstance(place, Element) and place.array.type is Scalar.CINTS:
            self._line(f"store i32 {self._new(f'trunc i64 {found} to i32')}, ptr {self._place(place)}")
        else:
            self._line(f"store {type_text(value.type)} {found}, ptr {self._place(place)}")

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
