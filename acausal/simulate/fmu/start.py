"""The units of a program, started for one run."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from acausal.ir.names import Name
from acausal.ir.program.program import Program
from acausal.simulate.fmu.unit import RunningUnit
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def start_units(program: Program, settings: Settings) -> dict[Name, RunningUnit]:
    """For each unit the signal that gives its number; the process goes with the signal. SimulationError R040."""
    return {slot.name: RunningUnit(slot, settings) for slot in program.units}


class StepReports:
    """Reports of the solver's steps to the units of a run."""

    def __init__(self, units: Mapping[Name, RunningUnit]) -> None:
        self._units = tuple(units.values())

    def completed(self, system: System, t: float, y: "Array") -> bool:
        """Report that the solver has come to a time; true if a unit asks for an event there."""
        system.variables(t, y)  # units are evaluated there with all that they depend on
        asks = [unit.completed(t) for unit in self._units]
        return any(asks)
