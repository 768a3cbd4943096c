"""Delays that are short beside the run: no step is longer than the shortest delay, and the history keeps each step.

delay(x, 1e-9) for a second: 1e9 steps, and 60 GB
"""

from acausal.base.diagnostics import Diagnostic, Label, Severity, SimulationError
from acausal.ir.names import show_name
from acausal.ir.program.program import Program
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.system.settings import Settings

MANY = 200_000
"""Steps of which a note tells what limits them."""
MOST = 10_000_000
"""Steps that a run with delays may need."""
HINT = "remove a delay that is short compared with all changes in the model, increase it, or end the run earlier"


def notes_of_delays(program: Program, delays: Delays, settings: Settings) -> list[Diagnostic]:
    """R017 where the shortest delay asks for many steps; SimulationError R017 where they are too many."""
    span, shortest = settings.stop - settings.start, delays.shortest
    if span <= MANY * shortest:  # infinite without delays
        return []
    slot = program.delays[delays.times.index(shortest)]
    steps = f"{span / shortest:.3g} steps up to t = {settings.stop:g}"
    text = f"{show_name(slot.name)} limits each step of the run to {shortest:g} s: {steps}"
    label = Label(slot.origin.span, "delayed here")
    if span > MOST * shortest:
        raise SimulationError(Diagnostic("R017", f"{text}, at most {MOST:,}", label, help=HINT))
    return [Diagnostic("R017", text, label, help=HINT, severity=Severity.NOTE)]
