"""Sensitivities of a run: derivatives of variables and event times with respect to parameters."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.analyses.linear_systems.text_tables import table
from acausal.base.diagnostics import Diagnostic, Severity, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.names import listed
from acausal.ir.program.slots import VariableSlot
from acausal.results.formats.columns import gathered

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from acausal.codegen.executable import Array
    from acausal.results.drawing.picture import Picture
    from acausal.results.result import Result

SHOWN = 6
"""Names that a message lists at most."""
MOST_EVENTS = 20
"""Events that the text of a result lists."""


@dataclass(frozen=True, slots=True)
class EventSensitivities:
    """Events of a run: `times` (events) in seconds, `derivatives` (events, parameters) of these times.

    `names` has for each the relations whose crossing it is.
    """

    times: "Array"
    derivatives: "Array"
    names: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.times)


@dataclass(frozen=True, slots=True, eq=False)
class SlopeRows:
    """Rows of a run with slopes: `time`, what its program has `stored` and its parameters.

    `slots` say where variables are, `slopes` where their derivatives are, parameter by parameter.
    """

    time: "Array"
    stored: "Array"
    parameters: "Array"
    slots: "Sequence[VariableSlot]"
    slopes: "Sequence[VariableSlot]"

    def of(self, slots: "Sequence[VariableSlot]") -> "Array":
        """The numbers at these slots (rows, slots)."""
        return gathered(slots, self.parameters, self.time, self.stored)


class Sensitivities:
    """Derivatives by parameters: `s["C.u", "R.R"]` (rows), in the unit of the variable by that of the parameter.

    `time` (rows) in seconds, `values` (rows, variables), `derivatives` (rows, variables, parameters) at fixed time;
    both sides of events are rows, unless times were asked for. `events` has the times of events, `result` is the run,
    `notes` name parameters without influence. `table` has variables and derivatives as columns of a result.
    """

    def __init__(
        self,
        result: "Result",
        names: tuple[tuple[str, ...], tuple[str, ...]],
        rows: SlopeRows,
        events: EventSensitivities,
    ) -> None:
        self.result = result
        self.variables, self.parameters = names
        self.time, self._rows = rows.time, rows
        self.events = events

    @cached_property
    def values(self) -> "Array":
        """Values (rows, variables)."""
        return self._rows.of(self._rows.slots)

    @cached_property
    def derivatives(self) -> "Array":
        """Derivatives (rows, variables, parameters), gathered when they are first asked for."""
        shape = len(self.time), len(self.variables), len(self.parameters)
        return self._rows.of(self._rows.slopes).reshape(shape)

    def __getitem__(self, pair: tuple[str, str]) -> "Array":
        """The derivative of a variable by a parameter (rows); UsageError F005 for unknown names."""
        variable, parameter = pair
        i = _place("variable", variable, self.variables)
        k = _place("parameter", parameter, self.parameters)
        slot = self._rows.slopes[i * len(self.parameters) + k]
        found: Array = self._rows.of([slot])[:, 0]
        return found

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """A024 for each parameter by which all derivatives are zero."""
        without = [
            name
            for k, name in enumerate(self.parameters)
            if not self.derivatives[:, :, k].any() and not self.events.derivatives[:, k].any()
        ]
        text = "has no influence on these variables: all derivatives are zero"
        return tuple([Diagnostic("A024", f"{name} {text}", severity=Severity.NOTE) for name in without])

    @property
    def table(self) -> "Result":
        """A result with the variables, and their derivatives as `d(C.u)/d(R.R)`."""
        import numpy as np

        from acausal.results.formats.columns import Column
        from acausal.results.result import Result

        count = len(self.variables)
        pairs = [(v, p) for v in self.variables for p in self.parameters]
        stored = np.concatenate([self.values, self.derivatives.reshape(len(self.time), -1)], axis=1)
        names = [*self.variables, *[f"d({v})/d({p})" for v, p in pairs]]
        units = [self.result.columns[v].unit if v in self.result.columns else None for v in self.variables]
        columns = {
            name: Column(i, unit=units[i] if i < count else None, description=None) for i, name in enumerate(names)
        }
        return Result(self.result.name, self.time, stored, columns)

    def data(self) -> dict[str, object]:
        """Values at the end, and times of events, as JSON has them."""
        final = {
            v: {
                "value": float(self.values[-1, i]),
                "derivatives": dict(zip(self.parameters, self.derivatives[-1, i].tolist(), strict=True)),
            }
            for i, v in enumerate(self.variables)
        }
        events = [
            {"time": t, "relations": list(names), "derivatives": dict(zip(self.parameters, d, strict=True))}
            for t, names, d in zip(
                self.events.times.tolist(), self.events.names, self.events.derivatives.tolist(), strict=True
            )
        ]
        return {"time": float(self.time[-1]), "final": final, "events": events}

    def __str__(self) -> str:
        """Tables of the values at the end and of times of events, with derivatives."""
        heads = [f"d/d({p})" for p in self.parameters]
        rows = [
            [v, f"{self.values[-1, i]:.8g}", *[f"{d:.8g}" for d in self.derivatives[-1, i].tolist()]]
            for i, v in enumerate(self.variables)
        ]
        lines = [f"{self.result.name} at t = {self.time[-1]:g}", *table(["variable", "value", *heads], rows)]
        if len(self.events):
            shown = zip(self.events.times.tolist(), self.events.names, self.events.derivatives.tolist(), strict=True)
            rows = [[f"{t:.8g}", *[f"{d:.8g}" for d in slopes], ", ".join(names)] for t, names, slopes in shown]
            more = [] if len(rows) <= MOST_EVENTS else [f"... {len(rows) - MOST_EVENTS} more"]
            lines += ["", "times of events", *table(["time", *heads, "relation"], rows[:MOST_EVENTS]), *more]
        return "\n".join(lines)

    def figure(self, path: Path | None = None) -> "Figure | None":
        """Curves of all derivatives over time, one plot for each variable; None after it has been written."""
        from acausal.results.drawing.output import drawn

        found = drawn(self.picture(), path)
        return found if path is None else None

    def picture(self) -> "Picture":
        """The plot as data: derivatives of a variable in one panel if they have the same unit."""
        from acausal.results.drawing.picture import Curve, Panel, Picture
        from acausal.results.plot import title_of

        panels = []
        for i, variable in enumerate(self.variables):
            by_unit: dict[str | None, list[tuple[str, Curve]]] = {}
            for k, name in enumerate(self.parameters):
                label = f"d({variable})/d({name})"
                curve = Curve(label, self.time, self.derivatives[:, i, k])
                by_unit.setdefault(self._unit(variable, name), []).append((label, curve))
            panels += [
                Panel(title_of(unit, [label for label, _ in pairs]), tuple([curve for _, curve in pairs]))
                for unit, pairs in by_unit.items()
            ]
        return Picture(f"{self.result.name}: sensitivities", "time [s]", tuple(panels))

    def _unit(self, variable: str, parameter: str) -> str | None:
        """The unit of a derivative, as text: rad/kg."""
        column, below = self.result.columns.get(variable), self.result.parameters.get(parameter)
        above = None if column is None else column.unit
        if below is None or below.unit in (None, "1"):
            return above
        return f"{above or '1'}/{below.unit}" if below.unit.isalnum() else f"{above or '1'}/({below.unit})"


def _place(what: str, name: object, names: tuple[str, ...]) -> int:
    if name not in names:
        raise UsageError(Diagnostic("F005", f"unknown {what} {name}", help=f"known: {listed(names, SHOWN)}"))
    return names.index(str(name))
