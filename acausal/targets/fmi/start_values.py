"""Start values of states as parameters of the FMU, so that importers may set them.

A state for which a start value or an `initial` equation says `x = 1` begins with a parameter of its own in place of the
number. States whose start values are expressions, or follow from other conditions, are calculated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from acausal.base.frozen import record
from acausal.base.gc_pause import gc_paused
from acausal.causalize.initial.initial_system import initial_system
from acausal.causalize.plan.make_plan import make_plan
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Parameter
from acausal.ir.names import Name, Symbol, show_derivative
from acausal.ir.pool import Pool
from acausal.ir.program.slots import StateSlot
from acausal.simulate.system.parameters import Folded, parameter_values
from acausal.targets.fmi.elements import StateValues

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel


@record(frozen=True, slots=True)
class WithStarts:
    """A model with parameters for start values, which have no name in the FMU, and the values of its states."""

    model: "CompiledModel"
    states: StateValues


def with_start_parameters(model: "CompiledModel") -> WithStarts:
    """The model with a parameter for each start value that is a number."""
    from acausal.compiled_model import CompiledModel

    stages = model.stages
    selection, reduced = stages.selection, stages.selection.reduced
    states = set(selection.states)
    with gc_paused():
        system = initial_system(selection, model.start).system
        found = {e.left: e for e in system.equations if _is_start(e, states)}
        if not found:
            return _with_states(model, model, model.program.state_slots, {})
        parameters = {leaf: _parameter(system.pool, e) for leaf, e in found.items()}
        equations = tuple(
            [replace(e, right=parameters[e.left].symbol) if found.get(e.left) is e else e for e in system.equations]
        )
        dae = replace(reduced.dae, parameters=(*reduced.dae.parameters, *parameters.values()))
        selection = replace(selection, reduced=replace(reduced, dae=dae))
        plan = make_plan(selection, stages.run, replace(system, equations=equations), stages.plan.outputs)
    made = CompiledModel(replace(stages, selection=selection, plan=plan, seconds={}), model.start)
    starts = {(leaf.name, leaf.order): p.symbol.name for leaf, p in parameters.items()}
    return _with_states(made, model, model.program.state_slots, starts)


def with_calculated_states(model: "CompiledModel", slots: Sequence[StateSlot]) -> WithStarts:
    """The model as it is, without parameters for start values; `slots` are its states in the FMU."""
    return _with_states(model, model, slots, {})


def _with_states(
    made: "CompiledModel", model: "CompiledModel", slots: Sequence[StateSlot], starts: Mapping[Symbol, Name]
) -> WithStarts:
    """The model that was made, with nominal values of the one that it was made from."""
    values = parameter_values(model.executable, {})
    assert not isinstance(values, Folded)
    places = made.program.parameter_positions
    return WithStarts(
        made,
        StateValues(
            tuple([_nominal(None if slot.nominal is None else abs(float(values[slot.nominal]))) for slot in slots]),
            tuple([places[starts[slot.symbol]] if slot.symbol in starts else None for slot in slots]),
        ),
    )


def _nominal(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) and value > 0.0 else None


def _is_start(equation: Equation, states: set[Expr]) -> bool:
    """True if the equation says that a state starts from a number."""
    return equation.left in states and equation.right.op == "const" and isinstance(equation.right.value, float)


def _parameter(pool: Pool, equation: Equation) -> Parameter:
    leaf, value = equation.left, equation.right
    assert isinstance(value.value, float)
    name = (f"start of {show_derivative(leaf.name, leaf.order)}",)
    return Parameter(pool.parameter(name), value, value.value, "real", equation.origin)
