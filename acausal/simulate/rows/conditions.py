"""`assert` and `terminate`, examined where results are stored."""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label, Severity
from acausal.base.frozen import dataclass
from acausal.ir.names import show_name
from acausal.ir.origin import Origin
from acausal.ir.program.program import Program
from acausal.ir.program.slots import AnnouncementSlot, ConditionSlot

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


INCONSISTENT = "check the lengths, directions and start values of these parts: they cannot be assembled like this"


@dataclass(frozen=True, slots=True)
class Stop:
    """The run ends behind `rows` rows: as a `failure` of what has this origin, or as the model wants, with a `note`."""

    rows: int
    failure: Diagnostic | None = None
    note: Diagnostic | None = None
    origin: Origin | None = None


def first_stop(program: Program, times: "Array", stored: "Array") -> Stop | None:
    """The first row where an assertion does not hold or a condition to terminate does; None if there is none."""
    found: tuple[int, ConditionSlot] | None = None
    for slot in program.conditions:
        values = stored[:, slot.position]
        ends = values != 0.0 if slot.kind == "terminate" else values == 0.0
        if ends.any() and (found is None or ends.argmax() < found[0]):
            found = int(ends.argmax()), slot
    if found is None:
        return None
    row, slot = found
    return (
        _stop(row, slot, float(times[row])) if slot.kind != "integer" else _not_whole(program, slot, row, times, stored)
    )


def _not_whole(program: Program, slot: ConditionSlot, row: int, times: "Array", stored: "Array") -> Stop:
    """The end that a value makes which is declared integer; rows with such a value are not kept."""
    variable = next(v for v in program.variable_slots if show_name(v.symbol[0]) == slot.text)
    value = variable.sign * (stored[row, variable.position] if variable.kind == "stored" else variable.value)
    message = f"at t = {times[row]:g}: {slot.text} is declared integer, its value is {value:g}"
    help_ = "round the value, as in floor(x + 0.5), or declare the variable without `integer`"
    return Stop(row, failure=Diagnostic("T014", message, Label(slot.origin.span), help=help_))


def announced(slot: AnnouncementSlot, rows: int, t: float) -> Stop:
    """The end that an `assert` or `terminate` inside a `when` makes."""
    return _stop(rows - 1, slot, t)


def _stop(row: int, slot: ConditionSlot | AnnouncementSlot, t: float) -> Stop:
    label = Label(slot.origin.span)
    where = f" in {show_name(slot.origin.path)}" if slot.origin.path else ""
    if slot.kind == "redundant":
        message = f"at t = {t:g} the constraints{where} are inconsistent: {slot.text}"
        return Stop(row + 1, failure=Diagnostic("R010", message, label, help=INCONSISTENT), origin=slot.origin)
    if slot.kind == "assert":
        message = f"at t = {t:g} an assertion{where} is violated: {slot.text}"
        before = "" if row == 0 else " shortly before that time"
        help_ = f"check the variables of its condition{before}"
        return Stop(row + 1, failure=Diagnostic("R010", message, label, help=help_), origin=slot.origin)
    message = f"terminated at t = {t:g}: {slot.text}"
    return Stop(row + 1, note=Diagnostic("R011", message, label, severity=Severity.NOTE))
