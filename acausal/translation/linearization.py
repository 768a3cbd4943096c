"""Linearization of a translation, and operating points with given values."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from acausal.base.arguments import as_flag, as_mapping, as_names
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.options import SimulateOptions
from acausal.given_number import given_values
from acausal.ir.experiment import AS_MODELED
from acausal.ir.names import show_name
from acausal.simulate.inputs.sampled_inputs import as_inputs
from acausal.simulate.run.known_zeros import with_retry
from acausal.translation.translated_model import GivenValues, TranslatedModel

if TYPE_CHECKING:
    from acausal.analyses.linearization.linear import Linear
    from acausal.analyses.trim.trim_result import Trim
    from acausal.codegen.executable import Array
    from acausal.elaborate.connections.open_loops import OpenedLoop
    from acausal.simulate.inputs.inputs import InputValue
    from acausal.simulate.inputs.sampled_inputs import Inputs
    from acausal.simulate.state.state import State


class TranslationLinearization(TranslatedModel):
    """Linearization and operating points."""

    def linearize(
        self,
        inputs: Iterable[str] | None = None,
        outputs: Iterable[str] | None = None,
        at: "float | str | State | Trim | Mapping[str, float] | None" = None,
        *,
        open_at: Iterable[str] = (),
        side: str = "after",
        input_values: "Inputs | None" = None,
        parameters: GivenValues | None = None,
        tolerance: float | None = None,
        solver: str = "auto",
        values: "Inputs | None" = None,
    ) -> "Linear":
        """The linear system at an operating point, with exact matrices: see `Linear`.

        `inputs` are inputs of the model, known variables or parameters (default: the inputs of the model), `outputs`
        any variables (default: those of the experiment); an array stands for its elements. `at` is a time, "steady",
        the state of a result or an operating point found by `trim`, values of states by name beside the start, or None:
        the first instant; `side` of an event there is "after" or "before". `input_values` are those of the model's
        inputs, as `inputs` of `simulate`; `values` is an older name of it, which elsewhere gives values of parameters.
        Loops are opened at the connections to the variables `open_at`: these become inputs, and what they are connected
        to outputs, or the other way where a state or a known value determines them; an array has a loop for each
        element. The operating point is that of the closed loops. Raises UsageError F005 for unknown names, ModelError
        A001 for what cannot be an input and for models with delays, A004 where no steady point is found,
        SimulationError A002 at a singular point, A003 where the motion slides.
        """
        from acausal.analyses.linearization.linearize import linearize
        from acausal.analyses.linearization.request import request_of, require_steady
        from acausal.analyses.trim.trim_result import Trim
        from acausal.simulate.state.state import State

        at = at.state if isinstance(at, Trim) else at
        given = self.in_units(given_values(as_mapping("parameters", parameters)))
        known = _known_inputs(input_values, values)
        if isinstance(at, State):
            from acausal.simulate.state.restore import with_values

            given, known = {**at.parameters, **given}, {**at.inputs, **known}
            at = with_values(at, {}, {**self.set_values, **given})
        model, loops = self._opened_at(as_names("open_at", open_at))
        asked = request_of(inputs, outputs, at, side, known, tolerance, solver, loops)
        asked = replace(asked, given=tuple(given))
        if asked.inputs or asked.outputs:
            asked = replace(asked, inputs=self.each_element(asked.inputs), outputs=self.each_element(asked.outputs))
        if at == "steady":
            model = model.steady_state
            require_steady(model.report)

        def attempt(known: Self) -> "Linear":
            suited, p = known.with_free(asked.inputs or (), given)
            context = suited.run_context(given)
            return linearize(suited.executable, suited.folded, p, asked, *context, lambda: model.stages.flat.terminals)

        return with_retry(model, given, attempt, lambda _: False)

    def with_free(self, names: tuple[str, ...], given: dict[str, float]) -> "tuple[Self, Array]":
        """The model in which parameters of these names are not part of the equations, and all its parameters."""
        suited, p = self.suited(given)
        part_of_equations = {show_name(name) for name in suited.folded}
        free = tuple([name for name in names if name in part_of_equations])
        if not free or suited.origin is None or set(free) <= set(suited.origin.options.tunable):
            return suited, p
        return suited.with_tunable(free).suited(given)

    def _opened_at(self, names: tuple[str, ...]) -> "tuple[Self, tuple[OpenedLoop, ...]]":
        """The model with the connections to these variables opened."""
        from acausal.elaborate.connections.open_loops import open_loops

        if not names or self.origin is None:
            return self, ()
        loops = open_loops(self.stages.flat, names)[1]
        return self.translated(replace(self.origin.options, opened=names)), loops

    def trim(
        self,
        fixed: Mapping[str, float],
        free: "Iterable[str] | Mapping[str, tuple[float, float]]" = (),
        *,
        moving: Iterable[str] = (),
        steady: bool = True,
        input_values: "Inputs | None" = None,
        parameters: GivenValues | None = None,
        initial: GivenValues | None = None,
        values: "Inputs | None" = None,
    ) -> "Trim":
        """An operating point: states rest and outputs have the `fixed` values, for values of what is `free`.

        `free` are inputs and parameters, with bounds where it is a mapping, as many as there are fixed values; the
        states that are `moving` need not rest. Without `steady` none has to, and states may be free. The search begins
        at the start of the model with its `initial` values, `input_values` (also `values`) and `parameters`. UsageError
        F005 for unknown names, ModelError A014 for other numbers of equations than unknowns, SimulationError A015 where
        they do not determine a point, A016 where none is found.
        """
        from acausal.analyses.trim.trim import trim
        from acausal.analyses.trim.trim_request import trim_request

        asked = trim_request(fixed, free, moving, as_flag("steady", steady), _known_inputs(input_values, values))
        given, first = given_values(as_mapping("parameters", parameters)), given_values(as_mapping("initial", initial))
        served, begun = self.begun_served(SimulateOptions(), given, None, AS_MODELED, first)
        model, _ = served.with_free(tuple(asked.free), begun.given)
        context = model.run_context(begun.given)
        return trim(model.executable, model.folded, begun.given, begun.kept_values, asked, *context)


def _known_inputs(input_values: "Inputs | None", values: "Inputs | None") -> dict[str, "InputValue"]:
    """The values of inputs under either name; UsageError F006 for both."""
    if input_values is not None and values is not None:
        message = "input_values and values are the same: values of inputs"
        raise UsageError(
            Diagnostic("F006", message, help="give input_values; values of parameters are parameters={...}")
        )
    return as_inputs(values if input_values is None else input_values)
