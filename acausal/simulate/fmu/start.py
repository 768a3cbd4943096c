"""The units of a program, started for one run."""

from acausal.ir.names import Name
from acausal.ir.program import Program
from acausal.simulate.fmu.unit import RunningUnit
from acausal.simulate.inputs.inputs import Signal
from acausal.simulate.system.settings import Settings


def start_units(program: Program, settings: Settings) -> dict[Name, Signal]:
    """For each unit the signal that gives its number; the process goes with the signal. SimulationError R040."""
    return {slot.name: RunningUnit(slot, settings).check for slot in program.units}
