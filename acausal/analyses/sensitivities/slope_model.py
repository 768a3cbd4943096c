"""A model compiled with slopes along some of its parameters, made once for all runs."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.native_runs import NativeRuns, PlainSlots, plain_slots
from acausal.analyses.sensitivities.request import SensitivityRequest, parameter_places, variable_symbols
from acausal.base.bounded_cache import BoundedCache
from acausal.base.diagnostics import Diagnostic, ModelError, UsageError
from acausal.base.gc_pause import gc_paused
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.tangent.sensitivities.augment import MOST, Augmented, augment
from acausal.codegen.tangent.sensitivities.integrals import integral_symbol, with_integrals
from acausal.ir.names import Symbol, show_derivative, show_name
from acausal.ir.program.slots import VariableSlot
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.run.solver_pool import MOST_STATES, SolverPool
from acausal.simulate.run.variants import Variants
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.state_transfer import StateTransfers

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.codegen.native.state_sets import Best

MOST_RUNS = 8
"""Kinds of runs that a model keeps solvers for."""


class SlopeModel:
    """Programs with slopes: that of the model itself, and those with other states as runs ask for them."""

    def __init__(self, executable: "Executable", asked: SensitivityRequest) -> None:
        self._asked = asked
        self._integrated = variable_symbols(executable.program, asked.integrals)
        own = variable_symbols(executable.program, asked.variables)
        self._symbols = (*own, *[integral_symbol(symbol) for symbol in self._integrated])
        self._made: dict[int, tuple[Executable, Augmented, Executable]] = {}
        self._base_of: dict[int, Executable] = {}
        self.transfers = StateTransfers()
        self.executable = self.with_slopes(executable)
        self.first = self.augmented(self.executable)
        self.pool = SolverPool(self.executable, ())
        self._native: BoundedCache[NativeRuns] = BoundedCache(MOST_RUNS)
        self._settings: BoundedCache[Settings] = BoundedCache(MOST_RUNS)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The variables."""
        return self._symbols

    @cached_property
    def value_slots(self) -> tuple[VariableSlot, ...]:
        """Where the program with slopes has the values of the variables."""
        slots = {slot.symbol: slot for slot in self.first.program.variable_slots}
        return tuple([slots[symbol] for symbol in self._symbols])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the variables."""
        return tuple([show_derivative(*symbol) for symbol in self._symbols])

    @cached_property
    def slope_slots(self) -> tuple[VariableSlot, ...]:
        """Where it has their slopes, parameter by parameter."""
        return tuple([slot for slots in self.first.outputs for slot in slots])

    @cached_property
    def plain_slots(self) -> "PlainSlots | None":
        """Values and slopes in one row; None where some are of parameters or of time, or all are constant."""
        return plain_slots((*self.value_slots, *self.slope_slots))

    def with_slopes(self, executable: "Executable") -> "Executable":
        """The program of an executable with slopes."""
        found = self._made.get(id(executable))
        if found is None:
            with gc_paused():
                program = with_integrals(executable.program, self._integrated, MOST)
                made = augment(program, parameter_places(program, self._asked.parameters), self._symbols)
                found = self._made[id(executable)] = compile_llvm(made.program), made, executable
            self._base_of[id(found[0])] = executable
        return found[0]

    def native_runs(self, settings: Settings, names: tuple[str, ...], inputs: Mapping[str, InputValue]) -> NativeRuns:
        """Runs with other values of these parameters; those of small models are kept for the next fit."""

        def made() -> NativeRuns:
            return NativeRuns(self.executable, self.first, settings, names, inputs)

        is_small = len(self.executable.program.state_slots) < MOST_STATES
        return self._native.get((settings, names), made) if is_small and not inputs else made()

    def settings_at(self, chosen: Settings, times: tuple[float, ...] | None) -> Settings:
        """The settings with these output times, those of the last runs are kept; UsageError F006 as of `with_times`."""
        return chosen if times is None else self._settings.get((chosen, times), lambda: with_times(chosen, times))

    def augmented(self, executable: "Executable") -> Augmented:
        """Where the slopes of a program are."""
        return self._made[id(self._base_of[id(executable)])][1]

    def base(self, executable: "Executable") -> "Executable":
        """The executable without slopes."""
        return self._base_of[id(executable)]


def with_times(chosen: Settings, times: tuple[float, ...]) -> Settings:
    """The settings with these output times; UsageError F006 for one before the start."""
    if times[0] < chosen.start:
        message = f"t = {times[0]:g} lies before the start of the run at t = {chosen.start:g}"
        raise UsageError(Diagnostic("F006", message))
    later = tuple([t for t in times if t > chosen.start])
    stop = later[-1] if later else chosen.start
    return replace(chosen, stop=stop, times=later or None)


def folded_among(augmented: Augmented, folded: "tuple[tuple[str | int, ...], ...]") -> tuple[str, ...]:
    """Parameters that are part of the equations and depend on those that are directions."""
    positions = augmented.base.parameter_positions
    moved = {position for position, _ in augmented.places.parameters}
    return tuple([show_name(name) for name in folded if positions.get(name) in moved])


def structural(names: tuple[str, ...]) -> ModelError:
    """A020 for parameters that determine the structure of the model."""
    message = f"{names[0]} determines the structure of the model: no derivative with respect to it exists"
    hint = "dimensions, bounds of loops and conditions of structural `if` are whole numbers or truth values"
    return ModelError(Diagnostic("A020", message, help=hint))


class SlopeVariants:
    """The same model with other states, with slopes."""

    def __init__(self, model: SlopeModel, variants: Variants, given: Mapping[str, float]) -> None:
        from acausal.simulate.system.parameters import parameter_values

        self._model, self._variants, self._given = model, variants, given
        self._values = parameter_values

    @property
    def transfers(self) -> StateTransfers:
        """State transfers between its programs."""
        return self._model.transfers

    def good_at(
        self, executable: "Executable", best: "Best", values: Callable[[], Mapping[Symbol, float]]
    ) -> "Executable":
        """The code with the best dummies instead of those of this one."""
        return self._model.with_slopes(self._variants.good_at(self._model.base(executable), best, values))

    def good_for(self, executable: "Executable", values: Mapping[Symbol, float]) -> "Executable":
        """The code for states that are good where variables have these values; maybe this one."""
        return self._model.with_slopes(self._variants.good_for(self._model.base(executable), values))

    def parameters(self, executable: "Executable") -> "Array":
        """p for this code."""
        return self._values(executable, self._given)  # type: ignore[return-value]  # nothing is folded again

    def dummies(self, executable: "Executable") -> tuple[str, ...]:
        """The dummy derivatives of this code by name."""
        return self._variants.dummies(self._model.base(executable))

    def with_dummies(self, dummies: tuple[str, ...]) -> "Executable":
        """The code with these dummy derivatives."""
        return self._model.with_slopes(self._variants.with_dummies(dummies))
