"""Protocol of scopes: what expressions need of the place where they are written."""

from collections.abc import Mapping
from typing import Protocol

from acausal.base.options import Limits
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool

ParameterValue = float | bool | str | tuple[float | str, ...]
"""The value of a parameter; arrays row by row."""


class Scope(Protocol):
    """Names and functions as seen from one place in the text.

    `time`, `pi` and the functions of the language are known before any scope is asked.
    """

    @property
    def pool(self) -> Pool:
        """The maker of expressions."""

    @property
    def limits(self) -> Limits:
        """Limits of array sizes and of nested function calls."""

    @property
    def types(self) -> Mapping[Expr, str]:
        """The type of every leaf that is `boolean` or `string`; leaves that are not in it are numbers."""

    @property
    def unit(self) -> str | None:
        """The unit of the value that is given here, "" for the SI unit; None in equations, where numbers have none."""

    @property
    def rounds(self) -> list[int] | None:
        """Rounds so far of the comprehensions around, one number; None outside of any."""

    def with_loop(self, variable: str, number: int, rounds: list[int]) -> "Scope":
        """The scope inside of a comprehension, where a loop variable has this value."""

    def lookup(self, reference: ast.Reference) -> Expr:
        """Expression that the reference names, whole: the indices of its last part are not yet applied.

        A leaf of the declared shape, or an expression: a constant's number, the value of a
        loop variable, an array of items. Indices of the parts before the last are applied.
        Raises ModelError for an unknown name.
        """

    def function(self, name: str) -> ast.Function | None:
        """The user's function of that name."""

    def structural(self, parameter: Expr) -> ParameterValue:
        """The value of a parameter on which shapes depend; the scope remembers that it was asked.

        Raises ModelError where the parameter has no value.
        """


class ValueScope(Scope, Protocol):
    """A scope in which values are given, which may have units."""

    def for_value(self, node: ast.Expression, unit: str | None) -> "ValueScope":
        """The scope of a value that is given where this unit is declared."""
