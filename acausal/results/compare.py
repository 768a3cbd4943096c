"""Comparison of two results: every variable of the first within a tube around it.

variable    deviation    allowed   at t
La.i          0.13 A      0.02 A  0.025 s   different
"""

from collections.abc import Iterable
from math import isfinite
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.results.display_units import Conversion, conversion, fits
from acausal.results.trajectories import Trajectories
from acausal.results.tube import deviation

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SHOWN = 20
"""Lines of the table."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One variable: its largest `deviation` from the reference, at `time`, and how much is `allowed`."""

    name: str
    unit: str | None
    deviation: float
    allowed: float
    time: float

    @property
    def equal(self) -> bool:
        """True if the deviation is allowed."""
        return self.deviation <= self.allowed

    @property
    def share(self) -> float:
        """The deviation as a share of what is allowed."""
        return self.deviation / self.allowed if self.allowed else (float("inf") if self.deviation else 0.0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Variables in the order of their deviations, largest first; names that only one of the results has.

    `spans` are first and last instant of both results; they are `shift` apart at most if the results are equal.
    `mismatched` are variables whose units do not convert.
    """

    variables: tuple[Compared, ...]
    missing: tuple[str, ...]
    additional: tuple[str, ...]
    mismatched: tuple[str, ...]
    spans: tuple[tuple[float, float], tuple[float, float]]
    shift: float

    @property
    def equal(self) -> bool:
        """True if the other result has all variables of the reference, over the same time, within their tubes."""
        return self.same_span and not (self.missing or self.mismatched) and all(v.equal for v in self.variables)

    def __bool__(self) -> bool:
        return self.equal

    @property
    def same_span(self) -> bool:
        """True if the results begin and end at the same times."""
        (a, b), (c, d) = self.spans
        return max(abs(a - c), abs(b - d)) <= max(self.shift, 1e-12 * max(abs(b), abs(d)))

    def data(self) -> dict[str, object]:
        """The comparison for programs."""
        return {
            "equal": self.equal,
            "variables": [
                {
                    "name": v.name,
                    "unit": v.unit,
                    "equal": v.equal,
                    "deviation": v.deviation if isfinite(v.deviation) else None,
                    "allowed": v.allowed,
                    "time": v.time,
                }
                for v in self.variables
            ],
            "missing": list(self.missing),
            "additional": list(self.additional),
            "mismatched_units": list(self.mismatched),
            "spans": [list(span) for span in self.spans],
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())

    __repr__ = __str__

    def lines(self) -> list[str]:
        """The comparison as people read it: what differs, else the largest deviation."""
        different = [v for v in self.variables if not v.equal]
        lines = (
            [] if self.same_span else ["different times: " + " and ".join(f"{a:g} to {b:g} s" for a, b in self.spans)]
        )
        lines += [f"missing in the second result: {', '.join(self.missing)}"] if self.missing else []
        lines += [f"units do not convert: {', '.join(self.mismatched)}"] if self.mismatched else []
        lines += _table(different[:SHOWN])
        if len(different) > SHOWN:
            lines.append(f"and {len(different) - SHOWN} more")
        count = len(self.variables)
        if different:
            return [*lines, f"{len(different)} of {count} variables differ"]
        largest = self.variables[0] if self.variables else None
        most = f"; largest share of the tolerance: {largest.share:.3g}, {largest.name}" if largest is not None else ""
        return [*lines, f"{count} variables agree{most}"]


def compare(
    reference: Trajectories,
    other: Trajectories,
    tolerance: float,
    absolute: float = 0.0,
    names: Iterable[str] = (),
) -> Comparison:
    """Compare the variables of a result, or those that names and patterns select, with another result.

    A variable may deviate by `tolerance` times the range of its values (of a constant: times its magnitude) plus
    `absolute`, and come earlier or later by `tolerance` times the duration. UsageError F005 for unknown names, F006
    for negative tolerances and results without rows.
    """
    for name, value in (("tolerance", tolerance), ("absolute", absolute)):
        if not (isfinite(value) and value >= 0):
            raise UsageError(Diagnostic("F006", f"{name}={value:g}: a tolerance must be a number, 0 or greater"))
    if not (len(reference.time) and len(other.time)):
        raise UsageError(Diagnostic("F006", "a result without rows cannot be compared"))
    chosen = reference.match(names) or tuple(reference.columns)
    common = [name for name in chosen if name in other and name != "time"]
    spans = [(float(r.time[0]), float(r.time[-1])) for r in (reference, other)]
    shift = tolerance * (spans[0][1] - spans[0][0])
    compared, mismatched = [], []
    for name in common:
        unit, old = reference.column(name).unit, other.column(name).unit
        converted = _conversion(old, unit)
        if converted is None:
            mismatched.append(name)
            continue
        values, others = reference[name], converted(other[name])
        found = deviation((reference.time, values), (other.time, others), shift)
        compared.append(Compared(name, unit, found.value, _allowed(values, tolerance, absolute), found.time))
    compared.sort(key=lambda v: -v.share)
    missing = tuple([name for name in chosen if name not in other])
    additional = tuple([name for name in other.columns if name not in reference]) if not names else ()
    return Comparison(tuple(compared), missing, additional, tuple(mismatched), (spans[0], spans[1]), shift)


def _conversion(old: str | None, unit: str | None) -> Conversion | None:
    """From the unit of the other result to that of the reference; a file without units has the same ones."""
    if old is None or unit is None or old == unit:
        return Conversion(unit)
    return conversion(old, unit) if fits(old, unit) else None


def _allowed(values: "Array", tolerance: float, absolute: float) -> float:
    import numpy as np

    finite = values[np.isfinite(values)]
    if not len(finite):
        return absolute
    span = float(finite.max() - finite.min())
    return absolute + tolerance * (span or float(abs(finite[0])))


def _table(variables: list[Compared]) -> list[str]:
    """Lines with the deviations of variables."""
    rows = [("variable", "deviation", "allowed", "at t [s]")]
    for v in variables:
        unit = f" {v.unit}" if v.unit and v.unit != "1" else ""
        rows.append((v.name, f"{v.deviation:.4g}{unit}", f"{v.allowed:.4g}{unit}", f"{v.time:.6g}"))
    if len(rows) == 1:
        return []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        f"{row[0]:{widths[0]}}  " + "  ".join(f"{cell:>{w}}" for cell, w in zip(row[1:], widths[1:], strict=True))
        for row in rows
    ]
