"""Numbers that are given as text from outside of a model: `2.5`, `4.7k`, `4.7 kOhm`, `true`."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, ModelError, UsageError
from acausal.base.given_values import finite_number, numbers_of
from acausal.base.source import SourceFile

if TYPE_CHECKING:
    from acausal.ir import ast

_WITH_WORD = re.compile(r"([-+]?[\d.]+(?:[eE][-+]?\d+)? ?)([^\W\d_]+)")


def given_number(text: str) -> float | None:
    """The number, a truth value for `true` and `false`, a `GivenQuantity` where there is a unit; None for others."""
    text = text.strip()
    if text in ("true", "false"):
        return text == "true"
    number = finite_number(text)
    if number is not None:
        return number
    node = _quantity(text)
    if node is None:
        return None
    from acausal.units.given_quantity import GivenQuantity
    from acausal.units.parse_unit import UnitError

    try:
        found = GivenQuantity(text, (node.number, node.prefix, node.unit))
    except UnitError:
        return None
    return found if node.unit else float(found)


def number_hint(text: str) -> str | None:
    """A hint for a text that is no number: the unit that may be meant, 4.7kOhm for 4.7kOm."""
    from acausal.units.near_units import near_unit

    found = _WITH_WORD.fullmatch(text.strip())
    near = near_unit(found[2]) if found else None
    return f"did you mean {found[1]}{near}?" if found and near else None


def given_values(values: Mapping[str, object]) -> dict[str, float]:
    """Values by name, as numbers or texts of numbers; UsageError T014 for anything else."""
    if not values:
        return {}
    return numbers_of(
        {name: value_of(name, value) if isinstance(value, str) else value for name, value in values.items()}
    )


def value_of(name: str, text: str) -> float:
    """The number of a text for a parameter; UsageError T014 for one that is none."""
    number = given_number(text)
    if number is None:
        hint = number_hint(text) or f"write {name!r}: 4700, or {name!r}: '4.7 kOhm' with a unit"
        raise UsageError(Diagnostic("T014", f"the value of {name} must be a finite number, not {text!r}", help=hint))
    return number


def _quantity(text: str) -> "ast.Quantity | None":
    from acausal.ir import ast
    from acausal.syntax.parser import parse_expression

    try:
        node = parse_expression(SourceFile("<value>", text))
    except ModelError:
        return None
    return node if isinstance(node, ast.Quantity) else None
