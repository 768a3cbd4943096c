"""Quantities of results: variables, patterns and expressions as people name them, with the unit of their display.

crank.q     crank.q in deg     crank.q*180/pi     *.phi     max(C.u, 0) in mV
"""

import re
from collections.abc import Iterable, Sequence
from math import isclose
from typing import TYPE_CHECKING

from acausal.base.arguments import as_names
from acausal.base.diagnostics import Diagnostic, ModelError, UsageError
from acausal.base.frozen import dataclass
from acausal.ir import ast
from acausal.ir.names import listed
from acausal.results.display_units import Conversion, conversion, fits, is_affine, known_unit_text, ratio
from acausal.results.expression_tree import parsed, variables_in
from acausal.results.expression_units import Known, shown_unit, unit_of
from acausal.results.expressions import evaluate
from acausal.results.trajectories import Trajectories
from acausal.units.name_unit import name_unit

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_IN = re.compile(r"(.*\S)\s+in\s+(\S.*)", re.DOTALL)
_PLAIN_NAME = re.compile(r"[\w.*\[\]:, ]+|der\([\w.\[\], ]+\)")
"""A name or pattern; its mistakes are those of a name."""
MOST_UNITS = 6
"""Units named in a message."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A variable or an expression: `variables` are what its text reads, `conversion` gives its unit.

    The unit is `fixed` if the user has named it for this one.
    """

    text: str
    variables: tuple[str, ...]
    conversion: Conversion
    fixed: bool = False

    @property
    def label(self) -> str:
        """The text with single blanks."""
        return " ".join(self.text.split())

    @property
    def unit(self) -> str | None:
        """The unit of the values."""
        return self.conversion.unit

    def values(self, result: Trajectories) -> "Array":
        """The values at the instants of a result; UsageError F010 for a single number."""
        import numpy as np

        found = result[self.text] if self.text in result else evaluate(self.text, result)
        values = np.broadcast_to(np.asarray(found, dtype=float), result.time.shape)
        return self.conversion(values)


def quantities(result: Trajectories, texts: Iterable[str], units: Sequence[str] = ()) -> tuple[Quantity, ...]:
    """The quantities that names, patterns and expressions stand for.

    Of `units`, each is displayed in the first that fits, unless its text says `in UNIT`. UsageError F005 for unknown
    names, F010 for faults in an expression, F022 for a unit that fits nothing.
    """
    found: dict[tuple[str, str | None], Quantity] = {}
    for text in as_names("names", texts):
        for quantity in _quantities(result, text):
            found.setdefault((quantity.text, quantity.unit), quantity)
    return in_units(found.values(), units)


def in_units(found: Iterable[Quantity], units: Sequence[str]) -> tuple[Quantity, ...]:
    """The same in the first of the units that fits; UsageError F022 for a unit that fits none."""
    used: set[str] = set()
    shown: list[Quantity] = []
    given = tuple(found)
    for quantity in given:
        wanted = next((unit for unit in units if fits(quantity.unit, unit)), None)
        if wanted is None or quantity.unit is None or quantity.fixed:
            used |= {unit for unit in units if fits(quantity.unit, unit)}
            shown.append(quantity)
            continue
        used.add(wanted)
        shown.append(_converted(quantity, conversion(quantity.unit, wanted)))
    for unit in units:
        known_unit_text(unit)
        if unit not in used:
            names = listed([f"{q.label} [{q.unit or 'unknown'}]" for q in given], MOST_UNITS)
            message = f"nothing that is plotted can be shown in {unit}"
            raise UsageError(Diagnostic("F022", message, notes=(f"plotted: {names}",), help=_hint(unit)))
    return tuple(shown)


def _converted(quantity: Quantity, second: Conversion) -> Quantity:
    first = quantity.conversion
    factor, offset = first.factor * second.factor, first.offset * second.factor + second.offset
    return Quantity(quantity.text, quantity.variables, Conversion(second.unit, factor, offset))


def _quantities(result: Trajectories, text: str) -> list[Quantity]:
    text = text.strip()
    if text in result:
        return [_variable(result, text)]
    split = _IN.fullmatch(text)
    inside, wanted = (split[1], split[2]) if split else (text, None)
    if inside in result or not _is_expression(result, inside):
        names = result.match((inside,))
        return [_shown_in(_variable(result, name), wanted, len(names) > 1) for name in names]
    tree = parsed(inside)
    known = unit_of(tree, lambda name: result.column(name).unit)
    evaluate(inside, _Sample(result))
    given = Quantity(inside, variables_in(tree), Conversion(shown_unit(known)))
    return [given if wanted is None else _expression_in(given, known, wanted)]


def _is_expression(result: Trajectories, text: str) -> bool:
    """True unless the text is meant as a name or pattern: one that fits, or that cannot be an expression."""
    try:
        tree = parsed(text)
        names = variables_in(tree)
    except ModelError:
        if _PLAIN_NAME.fullmatch(text):
            return False
        raise
    if all(name in result for name in names) or not _PLAIN_NAME.fullmatch(text):
        return True
    return isinstance(tree, ast.Product) and not result.fits(text)


def _variable(result: Trajectories, name: str) -> Quantity:
    return Quantity(name, (name,), Conversion(result.column(name).unit))


def _shown_in(quantity: Quantity, wanted: str | None, matched: bool = False) -> Quantity:
    if wanted is None:
        return quantity
    if quantity.unit is None:
        known_unit_text(wanted)
        message = f"the unit of {quantity.label} is unknown, so that it cannot be shown in {wanted}"
        hint = (
            'declare its unit, as in `local x (unit="m")`, or write the factor: x*1000 shows m in mm; '
            "a CSV file has units if `acausal simulate` wrote it with --units"
        )
        raise UsageError(Diagnostic("F022", message, help=hint))
    if not fits(quantity.unit, wanted):
        message = f"{quantity.label} is in {quantity.unit}, which cannot be shown in {wanted}"
        hint = f"the option --unit {wanted} converts what it fits, in Python unit='{wanted}'"
        raise UsageError(Diagnostic("F022", message, help=hint if matched else _hint(wanted)))
    return Quantity(quantity.text, quantity.variables, conversion(quantity.unit, wanted), True)


def _expression_in(quantity: Quantity, known: Known, wanted: str) -> Quantity:
    """An expression in a unit; one that converts by hand to just this unit is not converted twice."""
    if quantity.unit == wanted:
        return Quantity(quantity.text, quantity.variables, Conversion(wanted), True)
    target = known_unit_text(wanted)
    if known.dimension is None or known.constant is not None:
        return _shown_in(quantity, wanted)
    natural = known.text or name_unit(known.dimension)
    if not fits(natural, wanted):
        message = f"{quantity.label} is in {natural}, which cannot be shown in {wanted}"
        raise UsageError(Diagnostic("F022", message, help=_hint(wanted)))
    if is_affine(wanted) or is_affine(natural):
        message = f"{quantity.label} is not a single temperature and cannot be shown in {wanted}"
        raise UsageError(Diagnostic("F022", message, help="show the temperature itself, or the difference in K"))
    factor = ratio(known.dimension, target.dimension)
    by_hand = factor != 1.0 and isclose(known.factor, factor, rel_tol=1e-12)
    return Quantity(quantity.text, quantity.variables, Conversion(wanted, 1.0 if by_hand else factor), True)


def _hint(unit: str) -> str:
    if "Hz" in unit:
        return "an angular velocity can be shown in rpm, deg/s or rev/s"
    return "units of the same kind convert: rad and deg, rad/s and rpm, A and mA"


class _Sample:
    """Two instants of a result that may have none yet: shows faults of an expression before a run."""

    def __init__(self, result: Trajectories) -> None:
        self._result = result

    @property
    def time(self) -> "Array":
        """Two instants."""
        import numpy as np

        return np.zeros(2)

    def __getitem__(self, name: str) -> "Array":
        self._result.column(name)
        return self.time


def remark(results: Iterable[Trajectories], quantity: Quantity) -> str:
    """Behind the name of a quantity that is, or is made of, values that are not unique."""
    if all(result.column(name).unique for result in results for name in quantity.variables if name in result):
        return ""
    return " (not unique)" if quantity.text in quantity.variables else " (of values that are not unique)"


def missing(result: Trajectories, quantity: Quantity) -> tuple[str, ...]:
    """The variables of a quantity that a result does not have."""
    return tuple([name for name in quantity.variables if name not in result])
