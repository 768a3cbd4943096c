"""A program with the slopes of its states, discrete variables and outputs along some of its parameters.

setup         stores the slopes of bindings, hoisted values and factored matrices into further places of p
initial       the slopes of the first states follow these
derivatives   f, then f_y S + f_p
events        slopes of new values, of restarts, and of what crosses, behind the results
variables     slopes of the outputs behind the stored values

Parameters that are directions have to be given where the routine `setup` runs, be it with their own values.
"""

from collections.abc import Sequence
from dataclasses import replace

from acausal.base.frozen import dataclass
from acausal.codegen.lower.workspace import code_workspace
from acausal.codegen.optimize.loop_rerolling import frame_size
from acausal.codegen.tangent.forward_mode import tangent
from acausal.codegen.tangent.sensitivities.delay_slopes import augment_delays, further_inputs, places_of
from acausal.codegen.tangent.sensitivities.event_slopes import EventSlopes, augment_events
from acausal.codegen.tangent.sensitivities.passes import SlopePass, run_slopes, shifted, slopes_of, with_slopes
from acausal.codegen.tangent.sensitivities.places import SlopePlaces, parameter_names, slope_symbol
from acausal.codegen.tangent.sensitivities.setup_slopes import SetupSlopes, augment_setup
from acausal.codegen.tangent.sensitivities.unsupported import require_slopes
from acausal.ir.names import Symbol
from acausal.ir.program.instructions import Routine
from acausal.ir.program.program import ROUTINES, Program, routine_of
from acausal.ir.program.slots import ChoiceTable, ConditionSlot, StateSlot, VariableSlot
from acausal.runtime.branches.moved_routine import workspace_size

MOST = 5_000_000
"""Instructions of a routine with slopes."""
BLOCKS_FROM = 24
"""States and slopes, from which on a matrix of blocks is solved faster than the whole one."""
MOST_OF_JACOBIAN = 20_000
"""Instructions of the Jacobian of the states."""


@dataclass(frozen=True, slots=True)
class Augmented:
    """`program` has the slopes of `base` along the `parameters` (positions in p).

    `outputs` has for each variable asked for the slots of its slopes; `events` is where those of events stand.
    """

    base: Program
    program: Program
    parameters: tuple[int, ...]
    outputs: tuple[tuple[VariableSlot, ...], ...]
    places: SlopePlaces
    events: EventSlopes


def augment(base: Program, parameters: tuple[int, ...], variables: Sequence[Symbol]) -> Augmented:
    """The program with slopes; ModelError A020 where the equations have none, LimitError L019 where it is too long."""
    require_slopes(base, parameters)
    setup = augment_setup(base, parameters, places_of(base, len(parameters)), MOST)
    places, zero = setup.places, setup.zero
    moved = _shifted(base, places.shift)
    names = parameter_names(base, parameters)
    table, events, event_slopes = augment_events(moved, places, names, zero, MOST)
    slots, conditions, variable_code = _variables(moved, places, names, variables)
    choice_table, choices = _choices(moved, places, names)
    delays, delayed = augment_delays(moved, places, names, MOST)
    n = len(base.state_slots)
    extra = len({slot.position for row in slots for slot in row if slot.kind == "stored"})
    made = replace(
        moved,
        hoisted=base.hoisted + (zero + 1 - base.parameter_size),
        state_slots=(*base.state_slots, *_states(base, names, setup)),
        input_slots=(*base.input_slots, *further_inputs(base, names)),
        variable_slots=(*base.variable_slots, *[slot for row in slots for slot in row]),
        conditions=conditions,
        stored=base.stored + extra,
        shared=0,
        setup=setup.routine,
        initial=_initial(moved, places),
        derivatives=_derivatives(moved, places),
        variables=variable_code,
        table=table,
        events=events,
        choice_table=choice_table,
        choices=choices,
        delays=delays,
        delayed=delayed,
        slopes=len(parameters) if has_blocks(base, len(parameters)) else 0,
    )
    assert len(made.state_slots) == n * (1 + len(parameters))
    return Augmented(base, _with_room(made), parameters, slots, places, event_slopes)


def has_blocks(base: Program, count: int) -> bool:
    """True if the solver of slopes takes the exact Jacobian of the states: that of all is large, this one short."""
    is_large = len(base.state_slots) * (1 + count) >= BLOCKS_FROM
    return is_large and tangent(base, MOST_OF_JACOBIAN) is not None


def _shifted(program: Program, shift: int) -> Program:
    """The program with its inputs behind further frozen values."""
    first = len(program.table.frozen)

    def moved(routine: Routine) -> Routine:
        return shifted(routine, first, shift)

    return replace(
        program,
        initial=moved(program.initial),
        derivatives=moved(program.derivatives),
        variables=moved(program.variables),
        events=moved(program.events),
        crossings=moved(program.crossings),
        choices=moved(program.choices),
        delayed=moved(program.delayed),
    )


def _states(base: Program, names: tuple[str, ...], setup: SetupSlopes) -> list[StateSlot]:
    """The slopes of the states, parameter by parameter."""
    return [
        StateSlot(slope_symbol(slot.symbol, name), setup.scales[slot.nominal, k], slot.origin)
        for k, name in enumerate(names)
        for slot in base.state_slots
    ]


def _run(program: Program, routine: Routine, places: SlopePlaces) -> tuple[SlopePass, list[int]]:
    found = SlopePass(places, MOST)
    return found, run_slopes(found, program, routine)


def _initial(program: Program, places: SlopePlaces) -> Routine:
    found, results = _run(program, program.initial, places)
    n, values = len(program.state_slots), len(program.choice_table.values)
    states, chosen, matrices = results[:n], results[n : n + values], results[n + values :]
    slopes = slopes_of(found, states, places.count)
    return with_slopes(
        found, program.initial, [*states, *slopes, *chosen, *slopes_of(found, chosen, places.count), *matrices]
    )


def _derivatives(program: Program, places: SlopePlaces) -> Routine:
    found, rates = _run(program, program.derivatives, places)
    return with_slopes(found, program.derivatives, [*rates, *slopes_of(found, rates, places.count)])


def _choices(program: Program, places: SlopePlaces, names: tuple[str, ...]) -> tuple[ChoiceTable, Routine]:
    """Values of variables that may be states, their slopes, then the matrices."""
    table = program.choice_table
    if not table.slots:
        return table, program.choices
    found, results = _run(program, program.choices, places)
    values = results[: len(table.values)]
    slopes = slopes_of(found, values, places.count)
    slots = tuple([replace(slot, position=slot.position + len(slopes)) for slot in table.slots])
    symbols = [slope_symbol(symbol, name) for name in names for symbol in table.values]
    made = ChoiceTable(slots, (*table.values, *symbols), table.results + len(slopes))
    return made, with_slopes(found, program.choices, [*values, *slopes, *results[len(values) :]])


def _variables(
    program: Program, places: SlopePlaces, names: tuple[str, ...], variables: Sequence[Symbol]
) -> tuple[tuple[tuple[VariableSlot, ...], ...], tuple[ConditionSlot, ...], Routine]:
    """The slots of slopes of the variables; conditions come behind them.

    Variables with equal slopes, as the aliases of one, share the number that is stored.
    """
    found, results = _run(program, program.variables, places)
    stored, conditions = results[: program.stored], results[program.stored :]
    slot_of = {slot.symbol: slot for slot in program.variable_slots}
    place_of: dict[int, int] = {}
    slots = []
    for slot in [slot_of[symbol] for symbol in variables]:
        row = []
        for k, name in enumerate(names):
            symbol = slope_symbol(slot.symbol, name)
            slope = found.slopes_of(results[slot.position]).get(k) if slot.kind == "stored" else None
            at = places.parameters.get((slot.position, k)) if slot.kind == "parameter" else None
            if slope is not None:
                position = place_of.setdefault(slope, len(stored))
                if position == len(stored):
                    stored.append(slope)
                row.append(VariableSlot(symbol, "stored", position, slot.sign))
            elif at is not None:
                row.append(VariableSlot(symbol, "parameter", at, slot.sign))
            else:
                row.append(VariableSlot(symbol, "constant"))
        slots.append(tuple(row))
    shift = len(stored) - program.stored
    moved = tuple([replace(slot, position=slot.position + shift) for slot in program.conditions])
    return tuple(slots), moved, with_slopes(found, program.variables, [*stored, *conditions])


def _with_room(program: Program) -> Program:
    """The program with the work areas that its routines need."""
    routines = [routine_of(program, name) for name in ROUTINES if name != "setup"]
    most = max(program.stored_size, program.table.results, program.table.crossings, program.choice_table.results)
    states, followed = len(program.state_slots), program.followed
    room = workspace_size(followed, states, max(states, most), program.input_size) if followed else 0
    return replace(
        program,
        workspace=max([program.workspace, *[code_workspace(r.code) for r in routines]]),
        interpolation=room,
        frame=max([frame_size(program.setup.code, in_place=True), *[frame_size(r.code) for r in routines]]),
    )
