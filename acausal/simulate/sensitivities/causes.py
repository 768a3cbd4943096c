"""Reasons for the times of events, and what has no derivative there."""

from typing import TYPE_CHECKING, NamedTuple

from acausal.base.diagnostics import Diagnostic, Label
from acausal.base.frozen import dataclass
from acausal.ir.origin import Origin

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class Cause(NamedTuple):
    """The reason for the time of an event: the slopes of its time, and where it is written."""

    slopes: "Array"
    text: str
    origin: Origin
    number: int = -1
    """Of the frozen value that changes."""


@dataclass(frozen=True, slots=True)
class EventSlope:
    """An event at a time, the slopes of this time by the parameters, and the relations whose crossing it is."""

    time: float
    slopes: "Array"
    texts: tuple[str, ...]


def grazing(t: float, text: str, origin: Origin) -> Diagnostic:
    """A021."""
    message = (
        f"at t = {t:.10g} the crossing of {text} is grazing: its time has no derivative with respect to parameters"
    )
    hint = "choose parameters for which the crossing is clearly made or clearly missed"
    return Diagnostic("A021", message, Label(origin.span, "crosses here"), help=hint)


def simultaneous(t: float, first: Cause, second: Cause) -> Diagnostic:
    """A022."""
    message = (
        f"at t = {t:.10g} {first.text or 'an event'} and {second.text or 'another event'} switch at the same time, but "
        "these times depend differently on the parameters: no derivative exists"
    )
    labels = Label(first.origin.span, "one of them"), Label(second.origin.span, "the other one")
    hint = "change a parameter a little, so that one event comes first"
    return Diagnostic("A022", message, labels[0], (labels[1],), help=hint)
