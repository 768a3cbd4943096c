"""Facts about a translated model: its name, report, stages, program and code, and the values that it was given."""

from functools import cached_property
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Label, Report
from acausal.base.near_names import with_elements
from acausal.base.options import SimulateOptions, TranslateOptions
from acausal.compiled_model import CompiledModel
from acausal.ir.names import Name, show_derivative, show_name
from acausal.stages import Stages

if TYPE_CHECKING:
    from acausal.codegen.executable import Executable
    from acausal.ir.program.program import Program
    from acausal.sweep.origin import Origin


class ModelFacts:
    """A translated model as it is; `origin` is the file and options that it was made from."""

    def __init__(self, model: CompiledModel, origin: "Origin | None") -> None:
        self._model = model
        self.origin = origin

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._model.name

    @property
    def report(self) -> Report:
        """Warnings and notes of the translation."""
        return self._model.report

    @property
    def stages(self) -> Stages:
        """Results of the stages."""
        return self._model.stages

    @property
    def compiled(self) -> CompiledModel:
        """The program, and how it was made."""
        return self._model

    @property
    def program(self) -> "Program":
        """The straight-line program."""
        return self._model.program

    @property
    def executable(self) -> "Executable":
        """The program as native code."""
        return self._model.executable

    @property
    def folded(self) -> tuple[Name, ...]:
        """The parameters whose values are part of the equations."""
        return self._model.folded

    @property
    def translate_options(self) -> TranslateOptions:
        """The options of the translation."""
        return TranslateOptions() if self.origin is None else self.origin.options

    @property
    def set_values(self) -> dict[str, float]:
        """The values of parameters that were given for the translation."""
        return {} if self.origin is None else self.in_units(dict(self.origin.options.parameters))

    @property
    def plotted_or_states(self) -> tuple[str, ...]:
        """The variables that the experiment plots; without any, the states."""
        from acausal.results.result import Result

        found = Result.before(self.program).experiment_plots
        return found or tuple([show_derivative(*slot.symbol) for slot in self.program.state_slots])

    def each_element(self, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """Names of variables, inputs and parameters, arrays replaced by their elements."""
        return None if names is None else with_elements(names, self._names)

    @cached_property
    def _names(self) -> dict[str, None]:
        program = self.program
        symbols = [*[slot.symbol for slot in program.variable_slots], *program.input_slots]
        known = dict.fromkeys(show_derivative(*symbol) for symbol in symbols)
        return known | dict.fromkeys(show_name(slot.name) for slot in program.parameter_slots)

    def declared(self, name: str) -> Label | None:
        """Where a parameter is declared."""
        for parameter in self.stages.flat.parameters:
            array = show_name(parameter.symbol.name)
            if name == array or name.startswith(f"{array}["):
                return Label(parameter.origin.span, "declared here")
        return None

    def times(self, options: SimulateOptions) -> tuple[float, float]:
        """Start and stop of a run."""
        from acausal.simulate.system.settings import settings

        chosen = settings(options, self.program.experiment)
        return chosen.start, chosen.stop

    def in_units(self, given: dict[str, float]) -> dict[str, float]:
        """Values with units as numbers in the units of their parameters."""
        if not given or all(type(value) is float for value in given.values()):  # nearly all
            return given
        from acausal.units.declared import in_declared_units

        return in_declared_units(self.program, given)

    def in_units_of_variables(self, values: dict[str, float], *, differences: bool = False) -> dict[str, float]:
        """Values with units as numbers in the units of variables: `acausal.units.declared.in_units_of_variables`."""
        from acausal.units.declared import in_units_of_variables

        return in_units_of_variables(self.program, values, differences=differences)

    def bounds_in_units(self, bounds: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
        """Bounds with units in those of variables and parameters."""
        low, high = [self.in_units_of_variables({name: pair[k] for name, pair in bounds.items()}) for k in (0, 1)]
        return {name: (low[name], high[name]) for name in bounds}

    def drop_stages(self) -> None:
        """Makes the code and gives the memory of the stages back, where they can be made again when asked for."""
        self._model.drop_stages()
