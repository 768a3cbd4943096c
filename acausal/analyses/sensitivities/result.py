"""Sensitivities of a run: derivatives of variables and of times of events by parameters."""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.names import listed

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.result import Result

SHOWN = 6
"""Names that a message lists at most."""


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


class Sensitivities:
    """Derivatives by parameters: `s["C.u", "R.R"]` (rows), in the unit of the variable by that of the parameter.

    `time` (rows) in seconds, `values` (rows, variables), `derivatives` (rows, variables, parameters) at fixed time;
    both sides of events are rows, unless times were asked for. `events` has the times of events, `result` is the run.
    """

    def __init__(
        self,
        result: "Result",
        names: tuple[tuple[str, ...], tuple[str, ...]],
        rows: "tuple[Array, Array, Array]",
        events: EventSensitivities,
    ) -> None:
        self.result = result
        self.variables, self.parameters = names
        self.time, self.values, self.derivatives = rows
        self.events = events

    def __getitem__(self, pair: tuple[str, str]) -> "Array":
        """The derivative of a variable by a parameter (rows); UsageError F005 for unknown names."""
        variable, parameter = pair
        i = _place("variable", variable, self.variables)
        k = _place("parameter", parameter, self.parameters)
        found: Array = self.derivatives[:, i, k]
        return found


def _place(what: str, name: object, names: tuple[str, ...]) -> int:
    if name not in names:
        raise UsageError(Diagnostic("F005", f"unknown {what} {name}", help=f"known are {listed(names, SHOWN)}"))
    return names.index(str(name))
