"""What an expression sees of the model around it."""

from typing import Protocol

from acausal.ir import ast
from acausal.ir.expr import Expr, Pool
from acausal.source import Span

Value = float | bool | str | tuple[float, ...]
"""A value at translation: a number, boolean, string, or the numbers of an array row by row."""


class Scope(Protocol):
    """The names that may be used at one place of the text, inside one instance."""

    @property
    def pool(self) -> Pool:
        """The maker of expressions of this translation."""

    def lookup(self, reference: ast.Reference) -> Expr:
        """The leaf (or the value of a constant or loop variable) that a reference names.

        Indices of submodels are applied, those of the last part are left to the caller.
        Raises ModelError N..., with "did you mean", where there is no such name.
        """

    def function(self, name: str) -> ast.Function | None:
        """The user's function of that name, if there is one."""

    def structural(self, expr: Expr, span: Span) -> Value:
        """The value at translation of an expression in parameters, which become structural by it.

        For dimensions, loop bounds, indices, structural conditions. Raises ModelError
        T101 where the expression varies in time.
        """
