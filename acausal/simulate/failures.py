"""What went wrong in a run, in the words of the model: which equations, which variables, which values."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic, Label, Severity, SimulationError
from acausal.ir.names import listed, show_derivative
from acausal.ir.origin import Origin
from acausal.ir.program import Block, Program

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SHOWN = 6
"""Variables, equations or values that a message lists at most."""
DEPENDENT = "look for a value that makes the equations dependent: a zero resistance, mass or ratio, a dead centre"
CEASED = "the solution may have ceased to exist here: compare the last values with what the equations allow"
NO_NUMBER = "look for a division by zero, or a root or logarithm of a negative number"


def no_past(program: Program, t: float) -> SimulationError:
    """R009: a delayed variable that depends on its own past, which before the start is what it is then."""
    hint = "what is delayed was before the start what it is at the start: that must have a solution"
    where = Label(program.delays[0].origin.span, "delayed here")
    message = f"at t = {t:g} what is delayed depends on itself and comes to no value"
    return SimulationError(Diagnostic("R009", message, where, help=hint))


def block_failed(program: Program, number: int, t: float, y: "Array | None" = None) -> SimulationError:
    """R001 (first instant) or R003: block `number` could not be solved at time t with states y."""
    block = program.blocks[number - 1]
    names = listed([show_derivative(*target) for target in block.targets], SHOWN)
    labels = [Label(o.span, "of this system") for o in _distinct(block.origins)]
    what = "linear equations are singular" if block.kind == "linear" else "nonlinear equations have no solution found"
    first = block.routine != "run"
    return SimulationError(
        Diagnostic(
            "R001" if first else "R003",
            f"{when(t, first)}: {block.size} {what} for {names}",
            labels[0] if labels else None,
            tuple(labels[1:SHOWN]),
            notes=() if y is None or first else values_of_states(program, y),
            help=_advice(block, first),
        )
    )


def continued(program: Program, blocks: Mapping[int, float]) -> Iterator[Diagnostic]:
    """R013: notes on blocks that only the homotopy solved, each with the time of the last time it did."""
    for number, t in blocks.items():
        block = program.blocks[number - 1]
        names = listed([show_derivative(*target) for target in block.targets], SHOWN)
        yield Diagnostic(
            "R013",
            f"{when(t, block.routine != 'run')}: Newton's method failed, a homotopy found {names}",
            Label(block.origins[0].span),
            help="a start value near the solution makes sure that this is the one you mean",
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


def not_finite(program: Program, t: float, y: "Array", position: int) -> Diagnostic:
    """R004: the derivative of a state is no finite number."""
    state = program.state_slots[position]
    return Diagnostic(
        "R004",
        f"at t = {t:g} the derivative of {show_derivative(*state.symbol)} is no finite number",
        _declared(state.origin),
        notes=values_of_states(program, y),
        help=f"{NO_NUMBER}, in the equations for it",
    )


def solver_failed(program: Program, t: float, y: "Array", slope: "Array", why: str) -> Diagnostic:
    """R002: the solver cannot go on; names the state that changes fastest for its size."""
    import numpy as np

    worst = int(np.argmax(np.abs(slope) / (np.abs(y) + 1e-3)))
    state = program.state_slots[worst]
    name = show_derivative(*state.symbol)
    fastest = f"{name} = {y[worst]:.6g} changes fastest, by {slope[worst]:.6g} per second"
    return Diagnostic(
        "R002",
        f"at t = {t:.10g} the solver cannot go on: {why}",
        _declared(state.origin),
        notes=(fastest, *values_of_states(program, y)),
        help="does the solution grow without bound or jump here? else try a larger tolerance or --solver radau",
    )


def values_of_states(program: Program, y: "Array") -> tuple[str, ...]:
    """The last values, as one note."""
    pairs = [f"{show_derivative(*s.symbol)} = {v:.6g}" for s, v in zip(program.state_slots, y, strict=True)]
    return (f"last values: {listed(pairs, SHOWN)}",) if pairs else ()


def _declared(origin: Origin | None) -> Label | None:
    return None if origin is None else Label(origin.span)


def _distinct(origins: tuple[Origin, ...]) -> list[Origin]:
    return list({o.span: o for o in origins}.values())
