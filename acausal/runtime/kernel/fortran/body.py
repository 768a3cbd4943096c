"""Statements of kernels in Fortran, and the variables that they need."""

from collections.abc import Iterator, Sequence

from acausal.runtime.kernel.fortran.expressions import ExpressionText
from acausal.runtime.kernel.fortran.types import declared
from acausal.runtime.kernel.tree import (
    Assign,
    Break,
    Continue,
    Element,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Local,
    Return,
    Statement,
    Store,
    While,
)
from acausal.runtime.kernel.types import Scalar, Type
from acausal.runtime.kernel.walk import all_expressions


class Body(ExpressionText):
    """The statements of one kernel, and the variables that they need."""

    def __init__(self, function: Function, results: dict[str, Type]) -> None:
        super().__init__(function, results)
        read = {value.name for value in all_expressions(function.body) if isinstance(value, Local)}
        unread = [self.names[name] for name, _ in function.parameters if name not in read]
        self._block(function.body, 2)
        uses = [f"    associate (unused => {name}); end associate" for name in unread]
        self.lines = [*self._declarations(), *uses, *self._lines]

    def _declarations(self) -> Iterator[str]:
        for name, kind in self._function.variables:
            yield f"    {declared(kind, self.names[name])}"
        for name, kind in self._extra.items():
            yield f"    {declared(kind, name)}"

    def _block(self, body: Sequence[Statement], level: int) -> None:
        for statement in body:
            self._statement(statement, level)

    def _statement(self, statement: Statement, level: int) -> None:
        match statement:
            case Assign(name, value):
                self._set(self.names[name], value, level)
            case Store(place, value):
                target = self._text(place, level)
                text = self._text(value, level)
                is_narrow = isinstance(place, Element) and place.array.type is Scalar.CINTS
                self._add(f"{target} = {f'int({text}, i4)' if is_narrow else text}", level)
            case Evaluate(value):
                self._evaluate(value, level)
            case If(test, yes, no):
                self._add(f"if ({self._text(test, level)}) then", level)
                self._block(yes, level + 1)
                if no:
                    self._add("else", level)
                    self._block(no, level + 1)
                self._add("end if", level)
            case While(test, body):
                self._add("do", level)
                self._add(f"if (.not. ({self._text(test, level + 1)})) exit", level + 1)
                self._block(body, level + 1)
                self._add("end do", level)
            case For(name, first, end, body):
                bounds = f"{self._text(first, level)}, {self._text(end, level)} - 1_i8"
                self._add(f"do {self.names[name]} = {bounds}", level)
                self._block(body, level + 1)
                self._add("end do", level)
            case Return(value):
                if value is not None:
                    self._set("result_value", value, level)
                self._add("return", level)
            case Break():
                self._add("exit", level)
            case Continue():
                self._add("cycle", level)

    def _evaluate(self, value: Expression, level: int) -> None:
        text = self._text(value, level)
        if value.type is Scalar.NOTHING:
            self._add(f"call {text}", level)
            return
        name = f"ignored_{len(self._extra) + 1}"
        self._extra[name] = value.type
        self._add(f"{name} = {text}", level)
