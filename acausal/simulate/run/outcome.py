"""Outcome of a run, complete or not: numbers only, names stay in the program."""

from collections.abc import Iterator
from dataclasses import field, fields
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import record
from acausal.ir.program.program import Program
from acausal.simulate.rows.event_log import EventLog
from acausal.simulate.state.state import State

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@record(frozen=True, slots=True)
class Stats:
    """The cost of a run.

    `rhs_calls` counts evaluations of the derivatives, those for difference quotients included; `seconds` is the time
    from the first instant to the last stored row; `matrix` is the linear solver of CVODE (dense, band, sparse).
    """

    solver: str
    steps: int
    rhs_calls: int
    jacobians: int
    seconds: float
    events: int = 0
    matrix: str = ""

    def __iter__(self) -> Iterator[tuple[str, object]]:
        """Names and values, as `dict` takes them."""
        return ((field.name, getattr(self, field.name)) for field in fields(self))


@record(frozen=True, slots=True)
class Outcome:
    """The rows of a run: `time` (rows), `stored` (rows by stored variables of the program), `parameters` (p).

    `failure` says why the run ended before its time, `interrupted` that the user ended it;
    the rows up to then are kept. `state` is that at the end, where the run was asked for it.
    """

    program: Program
    time: "Array"
    stored: "Array"
    parameters: "Array"
    stats: Stats
    failure: Diagnostic | None = None
    interrupted: bool = False
    notes: tuple[Diagnostic, ...] = ()
    events: EventLog = field(default_factory=EventLog)
    state: State | None = None
