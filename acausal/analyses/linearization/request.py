"""Requests for linearizations from arguments of Python."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from acausal.analyses.linearization.linearize import LinearizeRequest
from acausal.base.arguments import as_mapping, as_names, as_number, as_text, wrong_type
from acausal.base.diagnostics import Diagnostic, ModelError, Report, Severity, UsageError
from acausal.base.options import SimulateOptions
from acausal.elaborate.connections.open_loops import OpenedLoop, at_zero
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.run.operating_point import Side
from acausal.simulate.state.state import State


def request_of(
    inputs: Iterable[str] | None,
    outputs: Iterable[str] | None,
    at: object,
    side: str,
    values: Mapping[str, InputValue] | None,
    tolerance: float | None,
    solver: str,
    loops: tuple[OpenedLoop, ...],
) -> LinearizeRequest:
    """The request; UsageError F006 for an argument of the wrong type or value."""
    names = [
        None if given is None else as_names(what, given) for what, given in (("inputs", inputs), ("outputs", outputs))
    ]
    if side not in ("after", "before"):
        hint = (
            "before: the values with which the run reaches an event at this time; after: those with which it continues"
        )
        raise UsageError(Diagnostic("F006", 'side is "before" or "after"', help=hint))
    options = SimulateOptions.of(None, None, tolerance, solver)
    chosen: Side = "before" if side == "before" else "after"
    given = {**(values or {}), **at_zero(loops)}
    return LinearizeRequest(names[0], names[1], _place(at), chosen, given, options, loops)


def require_steady(report: Report) -> None:
    """ModelError A004 where initial conditions prevent that a run starts in steady state."""
    found = next((d for d in report.diagnostics if d.code == "I011"), None)
    if found is not None:
        hint = "remove these initial conditions, or linearize at a time at which the model has come to rest"
        raise ModelError(replace(found, code="A004", severity=Severity.ERROR, help=hint))


def _place(at: object) -> float | State | Mapping[str, float] | None:
    """A time or states; "steady" is a matter of the translation."""
    if at is None or at == "steady":
        return None
    if isinstance(at, str):
        hint = 'at is a time, "steady", or values of states by name: {"arm.q": 0.5}'
        raise UsageError(Diagnostic("F006", f"unknown operating point {as_text('at', at)}", help=hint))
    if isinstance(at, State):
        return at
    if isinstance(at, Mapping):
        found: dict[str, float] = {}
        for name, value in as_mapping("at", at).items():
            number = as_number(name, value)
            if number is None:
                raise wrong_type(name, "a number", value)
            found[name] = number
        return found
    return as_number("at", at)
