"""Messages of failed runs, in the terms of the model: equations, variables, values."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label, Severity, SimulationError
from acausal.ir.names import Symbol, listed, show_derivative
from acausal.ir.origin import Origin
from acausal.ir.program.program import Block, Program
from acausal.ir.program.slots import VariableSlot

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SHOWN = 6
"""Variables, equations or values that a message lists at most."""
DEPENDENT = "check for a value that makes the equations dependent: a zero resistance, mass or ratio, a dead center"
CEASED = "the solution may have ceased to exist here: compare the last values with the range that the equations allow"
NO_BRANCH = (
    "a characteristic that folds back needs a dynamic element (a capacitor, an inertia) or an event that switches; "
    "a mechanism must not rest in a dead center"
)
NO_NUMBER = "check for a division by zero, or a root or logarithm of a negative number"


def no_past(program: Program, t: float) -> SimulationError:
    """R009: a delayed variable that depends on its own past, which before the start is what it is then."""
    hint = "before the start a delayed expression has its start value: this equation must have a solution"
    where = Label(program.delays[0].origin.span, "delayed here")
    message = f"at t = {t:g} a delayed expression depends on itself and does not converge"
    return SimulationError(Diagnostic("R009", message, where, help=hint))


def block_failed(program: Program, number: int, t: float, y: "Array | None" = None) -> SimulationError:
    """R001 (first instant) or R003: block `number` could not be solved at time t with states y."""
    block = program.blocks[number - 1]
    names = listed([show_derivative(*target) for target in block.targets], SHOWN)
    labels = [Label(o.span, "of this system") for o in _distinct(block.origins)]
    count = f"{block.size} {block.kind} equation{'' if block.size == 1 else 's'}"
    linear, nonlinear = f"singular system of {count} (unknowns {names})", f"Newton's method failed for {count}"
    what = linear if block.kind == "linear" else f"{nonlinear} (iteration variables {names})"
    first = block.routine != "run"
    return SimulationError(
        Diagnostic(
            "R001" if first else "R003",
            f"{when(t, first)}: {what}",
            labels[0] if labels else None,
            tuple(labels[1:SHOWN]),
            notes=() if y is None or first else values_of_states(program, y),
            help=_advice(block, first),
        )
    )


def branch_left(
    program: Program, number: int, t: float, before: Mapping[Symbol, float], after: Mapping[Symbol, float]
) -> Diagnostic:
    """R014: block `number` has solutions, but none that continues the one before; values of its unknowns."""
    block = program.blocks[number - 1]
    jumps = [(abs(after[x] - before[x]), x) for x in block.targets if x in before and x in after]
    shown = [f"{show_derivative(*x)} from {before[x]:.6g} to {after[x]:.6g}" for _, x in sorted(jumps, reverse=True)]
    labels = [Label(o.span, "of this system") for o in _distinct(block.origins)]
    equations = "1 nonlinear equation" if block.size == 1 else f"{block.size} nonlinear equations"
    return Diagnostic(
        "R014",
        f"{when(t, False)}: the solution of {equations} jumps without an event: {listed(shown, SHOWN)}",
        labels[0] if labels else None,
        tuple(labels[1:SHOWN]),
        notes=("the branch of the previous solution ends here, or meets another one",),
        help=NO_BRANCH,
    )


_AT_CROSSING = {
    "start": (
        "velocities and accelerations are not determined there",
        "start near the dead center: an angle of 1e-3 is enough",
    ),
    "event": (
        "behind an event that stops the motion there, or turns it, it may continue along either branch",
        "let the event leave a hundredth of the speed, or happen beside the center: an angle of 0.02 is enough",
    ),
    "change of states": (
        "other states are needed there, and errors of the present ones change their motion",
        "use a smaller tolerance",
    ),
}
"""Notes and hints of R016."""


def branches_cross(program: Program, t: float, y: "Array", at: str) -> tuple[Diagnostic, Origin]:
    """R016: a run begins, goes on from an event, or has to change its states, where the solutions of a block cross.

    With an equation of the block.
    """
    block = next(b for b in program.blocks if b.kind == "nonlinear" and b.routine == "run")
    names = listed([show_derivative(*target) for target in block.targets], SHOWN)
    note, advice = _AT_CROSSING[at]
    found = Diagnostic(
        "R016",
        f"{when(t, at == 'start')}: in a dead center, two branches of the solution for {names} cross",
        Label(block.origins[0].span),
        notes=(note, *values_of_states(program, y)),
        help=advice,
    )
    return found, block.origins[0]


def continued(program: Program, blocks: Mapping[int, float]) -> Iterator[Diagnostic]:
    """R013: notes on blocks that only the homotopy solved, each with the time of the last time it did."""
    for number, t in blocks.items():
        block = program.blocks[number - 1]
        names = listed([show_derivative(*target) for target in block.targets], SHOWN)
        yield Diagnostic(
            "R013",
            f"{when(t, block.routine != 'run')}: Newton's method failed, least squares or homotopy found {names}",
            Label(block.origins[0].span),
            help="if it is not the intended solution, give a start value near the latter",
            severity=Severity.NOTE,
        )


def when(t: float, first: bool) -> str:
    """The words for a time."""
    return f"at the start, t = {t:g}" if first else f"at t = {t:.10g}"


def _advice(block: Block, first: bool) -> str:
    if block.kind == "linear":
        return DEPENDENT
    if first:
        name = show_derivative(*block.targets[0])
        return f"give guesses near the solution, as in: local {name.split('.')[-1]} (start=1)"
    return CEASED


def not_finite_symbols(program: Program, p: "Array", values: Mapping[Symbol, float]) -> list[Symbol]:
    """The variables that are constant and no finite number, then those of `values` that are none."""
    found = [s.symbol for s in program.variable_slots if not isfinite(_constant(s, p))]
    return found + [symbol for symbol, value in values.items() if not isfinite(value) and symbol not in found]


def _constant(slot: VariableSlot, p: "Array") -> float:
    """The value of a variable that no run changes; 0 for one that varies."""
    if slot.kind == "parameter":
        return float(p[slot.position])
    return slot.value if slot.kind == "constant" else 0.0


def not_finite_at_event(t: float, what: str, origin: Origin) -> SimulationError:
    """R004: what an event is to set is no finite number."""
    message = f"at t = {t:.10g}: {what} is not finite"
    return SimulationError(Diagnostic("R004", message, Label(origin.span), help=NO_NUMBER))


def no_number(t: float, wrong: Sequence[Symbol], *, first: bool) -> Diagnostic:
    """R004: variables that are no finite numbers."""
    names = [show_derivative(*symbol) for symbol in wrong]
    others = (f"also not finite: {listed(names[1:], SHOWN)}",) if len(names) > 1 else ()
    return Diagnostic("R004", f"{when(t, first)}: {names[0]} is not finite", notes=others, help=NO_NUMBER)


def not_finite(program: Program, t: float, y: "Array", position: int) -> Diagnostic:
    """R004: the derivative of a state is no finite number."""
    state = program.state_slots[position]
    return Diagnostic(
        "R004",
        f"at t = {t:g} the derivative of {show_derivative(*state.symbol)} is not finite",
        _declared(state.origin),
        notes=values_of_states(program, y),
        help=f"{NO_NUMBER}, in the equations for it",
    )


def solver_failed(program: Program, t: float, y: "Array", slope: "Array", why: str) -> Diagnostic:
    """R002: integration failed; names the state that changes fastest for its size."""
    import numpy as np

    if not len(y):
        message = f"at t = {t:.10g}: integration failed: {why}"
        return Diagnostic("R002", message, help="check whether an input or a solution jumps there")
    with np.errstate(all="ignore"):
        worst = int(np.argmax(np.abs(slope) / (np.abs(y) + 1e-3)))
    state = program.state_slots[worst]
    name = show_derivative(*state.symbol)
    rate = show_derivative(state.symbol[0], state.symbol[1] + 1)
    fastest = f"{name} = {y[worst]:.6g} changes fastest: {rate} = {slope[worst]:.6g}"
    return Diagnostic(
        "R002",
        f"at t = {t:.10g}: integration failed: {why}",
        _declared(state.origin),
        notes=(fastest, *values_of_states(program, y)),
        help="check whether the solution grows without bound or jumps; if not, try another tolerance or --solver radau",
    )


def rounding_errors(program: Program, t: float, y: "Array", rate: int, state: int, change: float) -> Diagnostic:
    """R015: the derivative of state `rate` changes so much with the last digit of `state`."""
    slot, (name, order) = program.state_slots[rate], program.state_slots[rate].symbol
    cause = show_derivative(*program.state_slots[state].symbol)
    return Diagnostic(
        "R015",
        f"at t = {t:.10g}: rounding errors of {show_derivative(name, order + 1)} limit the step size",
        _declared(slot.origin),
        notes=(f"the last digit of {cause} changes it by {change:.2g}", *values_of_states(program, y)),
        help="check for a small difference of large values in a denominator; if there is none, try a larger tolerance",
    )


def values_of_states(program: Program, y: "Array") -> tuple[str, ...]:
    """The last values, as one note."""
    pairs = [f"{show_derivative(*s.symbol)} = {v:.6g}" for s, v in zip(program.state_slots, y, strict=True)]
    return (f"last values: {listed(pairs, SHOWN)}",) if pairs else ()


def _declared(origin: Origin | None) -> Label | None:
    return None if origin is None else Label(origin.span)


def _distinct(origins: tuple[Origin, ...]) -> list[Origin]:
    return list({o.span: o for o in origins}.values())
