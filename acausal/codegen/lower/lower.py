"""From the solved plan to the program.

    der(x) = (u - R*x)/L   ->   setup        %2 = div 1 %L   store 2 %2 { 1/L, hoisted }
                                derivatives  ...  %4 = mul %3 %2   store 0 %4

Expressions in parameters alone are computed by `setup`, once a run; each routine computes
only what its results need, and equal values once.
"""

from acausal.base.diagnostics import InternalError
from acausal.codegen.lower.layout import Layout
from acausal.codegen.lower.lower_delays import lower_delays
from acausal.codegen.lower.lower_events import lower_events
from acausal.codegen.lower.lower_parameters import is_bound, lower_setup
from acausal.codegen.lower.lower_state_choice import lower_choices
from acausal.codegen.lower.routine_builder import RoutineBuilder
from acausal.codegen.lower.unit_calls import unit_calls
from acausal.codegen.lower.variable_slots import SlotTable
from acausal.codegen.optimize.forward_substitution import substitute_forward
from acausal.codegen.optimize.liveness import Bodies, Liveness, targets_of
from acausal.codegen.optimize.loop_rerolling import frame_size
from acausal.codegen.optimize.several_solutions import driven_states, is_moved_by
from acausal.codegen.optimize.value_numbering import number_values
from acausal.ir.expr import Expr
from acausal.ir.flat import Parameter
from acausal.ir.plan import Assign, SolveNonlinear, SolvePlan, Step, Wave
from acausal.ir.program.instructions import Routine
from acausal.ir.program.program import Program
from acausal.ir.program.slots import ConditionSlot, ParameterSlot, StateSlot, UnitSlot, WaveSlot
from acausal.runtime.blocks.pivots import PIVOTS
from acausal.runtime.branches.branch_record import record_size
from acausal.runtime.branches.moved_routine import workspace_size


def lower(plan: SolvePlan) -> Program:
    """The program of a plan: four routines and the tables of their slots."""
    layout = Layout(plan)
    table = SlotTable(plan, layout)
    results = [*table.stored, *(c.condition for c in plan.conditions)]
    rates = [plan.pool.derivative(leaf) for leaf in plan.states]
    derivatives, variables, shared, run_workspace = _run_routines(plan, layout, rates, results)
    choice_table, choices, choice_workspace, extra = lower_choices(plan, layout)
    initial, initial_workspace = _initial_routine(plan, layout, extra)
    states = _state_slots(plan, layout)
    table_of_events, events, crossings, event_workspace = lower_events(plan, layout)
    delays, delayed, delay_workspace = lower_delays(plan, layout)
    waves = tuple([_wave_slot(layout, wave) for wave in plan.waves])
    bound = tuple([is_bound(p) for p in layout.parameters])
    setup = lower_setup(plan.pool, layout, bound)
    routines = (initial, derivatives, variables, events, crossings, choices, delayed)
    of_events = max(table_of_events.results, table_of_events.crossings)
    most = max(len(table.stored) + len(plan.conditions), of_events, choice_table.results)
    return Program(
        name=plan.name,
        parameter_slots=tuple([_parameter_slot(p, b) for p, b in zip(layout.parameters, bound, strict=True)]),
        hoisted=layout.parameter_size - len(layout.parameters),
        state_slots=states,
        input_slots=tuple([(leaf.name, leaf.order) for leaf in layout.input_of]),
        variable_slots=table.slots,
        conditions=tuple(
            [ConditionSlot(c.kind, c.text, i, c.origin) for i, c in enumerate(plan.conditions, len(table.stored))]
        ),
        stored=len(table.stored),
        memory=_start_values(layout),
        workspace=max(initial_workspace, run_workspace, event_workspace, choice_workspace, delay_workspace),
        shared=shared,
        blocks=tuple(layout.blocks),
        setup=setup,
        initial=initial,
        derivatives=derivatives,
        variables=variables,
        experiment=plan.experiment,
        table=table_of_events,
        events=events,
        crossings=crossings,
        choice_table=choice_table,
        choices=choices,
        memory_slots=tuple([(leaf.name, leaf.order) for leaf in layout.memory_of]),
        delays=delays,
        unit_calls=unit_calls((setup, *routines)) if plan.pool.has_operations("external") else (),
        units=tuple([UnitSlot(u.symbol.name, u.file, u.origin) for u in plan.units]),
        delayed=delayed,
        waves=waves,
        tracking=_tracking(layout),
        followed=layout.followed,
        beside=layout.beside,
        is_timed=layout.is_timed,
        driven=layout.driven,
        interpolation=_interpolation(layout, len(rates), most),
        frame=max(frame_size(setup.code, in_place=True), *(frame_size(r.code) for r in routines)),
    )


def _tracking(layout: Layout) -> int:
    """Numbers in m for the branches of nonlinear blocks; without start values only for `PivotRecord`."""
    if layout.memory_of:
        return record_size(_start_values(layout), layout.followed)
    return PIVOTS if any(block.kind == "nonlinear" for block in layout.blocks) else 0


def _start_values(layout: Layout) -> int:
    """Numbers in m for solutions of nonlinear blocks, for rates of those that the derivatives solve and of states."""
    return len(layout.memory_of) + (len(layout.driven) + layout.followed + 1 if layout.followed else 0)


def _interpolation(layout: Layout, states: int, results: int) -> int:
    """Numbers in m for the interpolation of routines where branches cross."""
    inputs = len(layout.frozen_of) + len(layout.input_of)
    return workspace_size(layout.followed, states, max(states, results), inputs) if layout.followed else 0


def _run_routines(
    plan: SolvePlan, layout: Layout, rates: list[Expr], results: list[Expr]
) -> tuple[Routine, Routine, int, int]:
    """`derivatives` and `variables`, the number of instructions both begin with, and their work area.

    `derivatives` follows all nonlinear blocks through time, behind those that the rates need the others.
    Where only some outputs are wanted, `variables` has code of its own, unless these need all that the rates need.
    """
    steps = plan.steps
    if plan.outputs:
        steps = substitute_forward(plan.pool, number_values(plan.pool, steps), [*rates, *results])
    builder = first = RoutineBuilder(plan.pool, layout, steps, initial=False)
    followed = _follow(plan, layout, steps, builder.bodies, rates, results) if layout.memory_of else []
    of_rates = [*builder.compute(rates), *builder.compute(followed)]
    for position in layout.driven:
        builder.keep_value(rates[position])
    derivatives = builder.routine(rates)
    shared = len(builder.emitter.code)
    if plan.outputs:
        alone = RoutineBuilder(plan.pool, layout, steps, initial=False)
        needed = alone.liveness.request(results)
        if not {id(s) for s in of_rates} <= {id(s) for s in needed}:
            alone.take(needed, results)
            return derivatives, alone.routine(results), 0, max(first.workspace, alone.workspace)
    builder.compute(results)
    return derivatives, builder.routine(results), shared, first.workspace


def _follow(
    plan: SolvePlan,
    layout: Layout,
    steps: tuple[Step, ...],
    bodies: Bodies,
    rates: list[Expr],
    results: list[Expr],
) -> list[Expr]:
    """The unknowns of nonlinear blocks: first of those that the rates need; the others only if a result needs them."""
    liveness = Liveness(steps, layout.positions(steps), bodies, initial=False)
    targets = [t for step in steps if isinstance(step, SolveNonlinear) for t in step.targets]
    others = targets if plan.events.frozen or not rates else results
    needed = [liveness.request(rates), liveness.request(others)]
    of_rates, beside = [[t for s in part if isinstance(s, SolveNonlinear) for t in s.targets] for part in needed]
    timed = [leaf for leaf in (plan.pool.time, *layout.input_of) if leaf in liveness.uses]
    layout.follow([*of_rates, *beside], len(beside), bool(timed) and is_moved_by(steps, timed))
    if layout.followed:
        layout.follow_rates(driven_states(steps, plan.states, rates), rates)
    return [*of_rates, *beside]


def _initial_routine(plan: SolvePlan, layout: Layout, extra: list[Expr]) -> tuple[Routine, int]:
    builder = RoutineBuilder(plan.pool, layout, plan.initial_steps, initial=True)
    solved = {t for step in plan.initial_steps for t in targets_of(step)}
    builder.compute([*plan.states, *extra, *(t for t in layout.memory_of if t in solved)])
    nonlinear = [s for s in plan.steps if isinstance(s, SolveNonlinear)]
    builder.keep({t: g for s in nonlinear for t, g in zip(s.targets, s.guesses, strict=True)})
    return builder.routine([*plan.states, *extra]), builder.workspace


def _state_slots(plan: SolvePlan, layout: Layout) -> tuple[StateSlot, ...]:
    """States with their nominal values, which `setup` computes; a derivative has none."""
    nominal_of = {v.symbol: v.attributes.nominal for v in plan.variables}
    origin_of = {s.target: s.origin for s in plan.steps if isinstance(s, Assign)}
    origin_of |= {t: s.origins[0] for s in plan.steps if not isinstance(s, Assign) for t in s.targets}
    slots = []
    for leaf in plan.states:
        nominal = nominal_of.get(leaf)
        position = None if nominal is None else layout.hoisted(nominal)
        slots.append(StateSlot((leaf.name, leaf.order), position, origin_of.get(plan.pool.derivative(leaf))))
    return tuple(slots)


def _wave_slot(layout: Layout, wave: Wave) -> WaveSlot:
    def places(line: tuple[Expr, Expr]) -> tuple[int, int]:
        return layout.hoisted(line[0]), layout.hoisted(line[1])

    decay = None if wave.decay is None else places(wave.decay)
    return WaveSlot(layout.hoisted(wave.rate), tuple([places(line) for line in wave.conditions]), decay)


def _parameter_slot(parameter: Parameter, bound: bool) -> ParameterSlot:
    value = parameter.value
    if isinstance(value, str | tuple):
        raise InternalError("lower", f"the parameter {parameter.symbol} is no number")
    a = parameter.attributes
    return ParameterSlot(
        parameter.symbol.name,
        float(value),
        parameter.type,
        bound,
        parameter.constant,
        a.unit,
        parameter.description,
        _number(a.minimum),
        _number(a.maximum),
    )


def _number(limit: Expr | None) -> float | None:
    return limit.number if limit is not None and limit.op == "const" else None
