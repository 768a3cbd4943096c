"""Routines that must succeed: by homotopy where Newton's method fails, else the failure as an explained error.

A system answers with a status only (`system/system`); what it means is found here.
"""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.simulate.failure.messages import branches_cross, continued
from acausal.simulate.failure.recovery import Evaluated, failure_of, nearly_singular, recovered

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def checked(system: Evaluated, routine: str, status: int, t: float) -> None:
    """Results and memory of a routine that has just ended with this status, by homotopy if it is none.

    SimulationError if that fails too, or if a value is not finite.
    """
    if status and system.crosses:
        raise SimulationError(at_crossing(system, t))
    found = recovered(system, routine, t, status)
    if status and found.unsolved is None:
        system.results(routine)[:] = found.results
        system.arrays[2][:] = found.memory
        system.continued |= dict.fromkeys(found.continued, t)
        status = 0
    error = failure_of(system, routine, status, t, found)
    if error is not None:
        raise SimulationError(error)


def at_crossing(system: Evaluated, t: float, *, changing: bool = False) -> Diagnostic:
    """R016 of a system that was refused, or could not be left for one with other states, `changing`.

    Lines of a library are shown behind that of the submodel.
    """
    from acausal.simulate.failure.user_lines import with_user_lines

    at = "start" if system.rhs_calls <= 1 else "change of states" if changing else "event"
    found, origin = branches_cross(system.program, t, system.states, at)
    return with_user_lines(found, system.equations.flat if system.equations else None, origin)


def _results(system: Evaluated, routine: str, t: float, y: "Array") -> "Array":
    status = system.evaluate(routine, t, y)
    if status:
        checked(system, routine, status, t)
    return system.results(routine).copy()


def event_results(system: Evaluated, t: float, y: "Array") -> "Array":
    """The results of the routine `events`; SimulationError R003 where a block cannot be solved."""
    return _results(system, "events", t, y)


def state_choices(system: Evaluated, t: float, y: "Array") -> "Array":
    """The results of the routine `choices`; SimulationError R003 where a block cannot be solved."""
    return _results(system, "choices", t, y)


def delayed_values(system: Evaluated, t: float, y: "Array") -> "Array":
    """The results of the routine `delayed`, memory as it was; SimulationError R003 where a block cannot be solved."""
    m = system.arrays[2]
    memory = m.copy()  # within a step blocks are solved on the side
    found = _results(system, "delayed", t, y)
    m[:] = memory
    return found


def explain(system: Evaluated, routine: str, status: int, t: float, y: "Array") -> Diagnostic | None:
    """Diagnostic of a routine in a run at this point: a block, or values that are not finite."""
    system.move_to(t, y)
    return failure_of(system, routine, status, t, recovered(system, routine, t))


def explain_nearly_singular(system: Evaluated, t: float, y: "Array") -> Diagnostic | None:
    """A block that is almost singular at this point; None if there is none."""
    system.move_to(t, y)
    return nearly_singular(system, t, recovered(system, "derivatives", t))


def rates_by_homotopy(system: Evaluated, t: float, y: "Array") -> "tuple[Array, Array]":
    """dy/dt and memory, where a block may have no solution but by homotopy."""
    system.move_to(t, y)
    found = recovered(system, "derivatives", t)
    return found.results, found.memory[: system.program.memory]


def continued_notes(system: Evaluated) -> list[Diagnostic]:
    """R013 for each block that only the homotopy solved; lines of a library are shown behind that of the submodel."""
    from acausal.simulate.failure.user_lines import with_user_lines

    flat = None if system.equations is None else system.equations.flat
    origins = [system.program.blocks[number - 1].origins[0] for number in system.continued]
    notes = continued(system.program, system.continued)
    return [with_user_lines(note, flat, origin) for note, origin in zip(notes, origins, strict=True)]
