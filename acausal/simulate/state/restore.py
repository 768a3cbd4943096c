"""A system as a saved state has it."""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.near_names import did_you_mean
from acausal.ir.names import listed, show_derivative
from acausal.ir.program.program import Program
from acausal.simulate.state.state import State, digest_of, equations_digest, require_no_units, state_names
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from collections.abc import Mapping

    from acausal.codegen.executable import Array

SHOWN = 4


def restore(system: System, state: State) -> "Array":
    """Frozen values, solutions of blocks and delays of the system become those of the state; the states."""
    arrays, program = state.arrays, system.program
    system.frozen[:] = arrays["frozen"]
    system.next_sample[:] = arrays["next_sample"]
    system.band[:], system.widening[:] = arrays["band"], arrays["widening"]
    unknowns = [show_derivative(*symbol) for symbol in program.memory_slots]
    if tuple(unknowns) == state.unknowns and len(system.memory) == len(arrays["memory"]):
        system.memory[:] = arrays["memory"]
    else:
        values = dict(zip(state.unknowns, arrays["memory"].tolist(), strict=False))
        system.memory[: len(unknowns)] = [values.get(name, 0.0) for name in unknowns]
    system.delays.restore(arrays)
    system.forget_branches()
    return arrays["y"].copy()


def needs_event(system: System, state: State) -> bool:
    """True if relations may be others: values were changed, or the equations or parameters are not those of the state.

    Also where the text of the model was edited, or a stepper goes to the state of another run.
    """
    return state.is_changed or state.made_by not in ("", equations_digest(system))


def require_model(program: Program, state: State) -> None:
    """UsageError A011 for a state of another model; `program` is the first one."""
    require_no_units(program)
    if state.digest == digest_of(program):
        return
    own, others = state_names(program), state.names
    missing = [name for name in own if name not in others]
    surplus = [name for name in others if name not in own]
    hint = "simulate from the start, or give initial values by name"
    notes = [f"states that it does not include: {listed(missing, SHOWN)}"] if missing else []
    notes += [f"states that are unknown here: {listed(surplus, SHOWN)}"] if surplus else []
    if not notes and state.model == program.name:
        notes = ["its relations, discrete variables or delays are others"]
    slot = next((s for s in program.state_slots if show_derivative(*s.symbol) in missing), None)
    label = None if slot is None or slot.origin is None else Label(slot.origin.span, "a state of this model")
    changed = f"{program.name} as it was" if state.model == program.name else state.model
    message = f"the state at t = {state.time:g} is one of {changed}, not of {program.name}"
    raise UsageError(Diagnostic("A011", message, label, (), tuple(notes), hint))


def with_values(state: State, given: "Mapping[str, float]", parameters: "Mapping[str, float]") -> State:
    """The state with other values of states and discrete variables, for these parameters.

    UsageError F005 for a name that is none of them.
    """
    from dataclasses import replace

    if not given and dict(parameters) == state.parameters:
        return state
    y, frozen = state.arrays["y"].copy(), state.arrays["frozen"].copy()
    for name, value in given.items():
        if name in state.names:
            y[state.names.index(name)] = value
        elif name in state.discrete_places:
            frozen[state.discrete_places[name]] = value
        else:
            hint = did_you_mean(name, state) or f"the states are {listed(list(state), SHOWN)}"
            raise UsageError(Diagnostic("F005", f"{name} is not a state of {state.model}", help=hint))
    arrays = {**state.arrays, "y": y, "frozen": frozen}
    return replace(state, arrays=arrays, parameters=dict(parameters), is_changed=True)
