"""Slopes of what events do: new values of discrete variables, restarts of states, and functions that cross zero.

While an event is treated, states have the slopes of what they are at its time, and time has those of its own: slopes
of new values and of restarts follow as everywhere else. (`simulate/sensitivities` moves them there and back.)
"""

from collections.abc import Mapping
from dataclasses import field, replace

from acausal.base.frozen import dataclass
from acausal.codegen.tangent.forward_mode import ForwardPass
from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.sensitivities.passes import SlopePass, run_slopes, with_slopes
from acausal.codegen.tangent.sensitivities.places import SlopePlaces, slope_symbol
from acausal.codegen.tangent.sensitivities.unsupported import too_long
from acausal.ir.program.instructions import Instruction, Routine
from acausal.ir.program.program import Program
from acausal.ir.program.slots import EventTable, FrozenSlot, RestartSlot


@dataclass(frozen=True, slots=True)
class EventSlopes:
    """Results of `events` that are slopes: `now` the first of those of `now` of a frozen value, by its number.

    `intervals` are those of the interval of a sample. Of a restart of a variable that is no state, `restarts` has, by
    its number, the first of those of its new value, behind them those of its value now; `rows` the first of the
    derivatives of this value along all states, behind each its slopes.
    """

    now: Mapping[int, int] = field(default_factory=dict)
    intervals: Mapping[int, int] = field(default_factory=dict)
    restarts: Mapping[int, int] = field(default_factory=dict)
    rows: Mapping[int, int] = field(default_factory=dict)


def augment_events(
    program: Program, places: SlopePlaces, names: tuple[str, ...], zero: int, most: int
) -> tuple[EventTable, Routine, EventSlopes]:
    """The table, the routine `events`, and its slopes; `zero` is the place of a zero in p."""
    table = program.table
    if places.time is None:
        return table, program.events, EventSlopes()
    found = SlopePass(places, most, at_event=True)
    results = run_slopes(found, program, with_restart_rows(program, most))
    now, intervals = _put_crossing(table, found, results, places)
    others, rows = _put_others(program, found, results, places)
    frozen = [*table.frozen, *_times(program, places, names, found, results, zero)]
    for i in places.frozen:
        frozen += _discrete(table.frozen[i], places, names, now[i], zero)
    restarts = [*table.restarts]
    for slot in table.restarts:
        if slot.state is not None:
            restarts += _restarts(slot, slot.state, places, found, results)
    made = replace(table, frozen=tuple(frozen), restarts=tuple(restarts))
    slopes = EventSlopes(now, intervals, others, rows)
    return replace(made, results=len(results)), with_slopes(found, program.events, results), slopes


def _put_crossing(
    table: EventTable, found: SlopePass, results: list[int], places: SlopePlaces
) -> tuple[dict[int, int], dict[int, int]]:
    """The slopes of what decides about frozen values, behind the results."""
    zero, own = found.code.zero, list(results)
    now, intervals = {}, {}

    def put(position: int) -> int:
        slopes = found.slopes_of(own[position])
        results.extend([slopes.get(k, zero) for k in range(places.count)])
        return len(results) - places.count

    for i, slot in enumerate(table.frozen):
        if slot.kind in ("relation", "step", "sample") or i in places.frozen:
            now[i] = put(slot.now)
        if slot.kind == "sample":
            intervals[i] = put(slot.now + 1)
    return now, intervals


def _put_others(
    program: Program, found: SlopePass, results: list[int], places: SlopePlaces
) -> tuple[dict[int, int], dict[int, int]]:
    """Slopes of restarts of variables that are no states, behind the results; their rows stand there already."""
    zero, own = found.code.zero, list(results)
    others, rows = {}, {}
    row = program.table.results
    for number, slot in enumerate(program.table.restarts):
        if slot.state is None:
            others[number] = len(results)
            for position in (slot.position + 1, slot.position + 2):
                slopes = found.slopes_of(own[position])
                results.extend([slopes.get(k, zero) for k in range(places.count)])
            rows[number] = len(results)
            for position in range(row, row + places.states):
                slopes = found.slopes_of(own[position])
                results.extend([own[position], *[slopes.get(k, zero) for k in range(places.count)]])
            row += places.states
    return others, rows


def with_restart_rows(program: Program, most: int) -> Routine:
    """The routine `events` with the derivatives, along all states, of variables that restart and are none.

    They stand behind its results, variable by variable.
    """
    restarts = [slot for slot in program.table.restarts if slot.state is None]
    if not restarts:
        return program.events
    found = ForwardPass(Code(), most)
    stores = found.run(program.events.code, {}, [])
    if stores is None:
        raise too_long(program)
    results = [stores[i] for i in range(len(stores))]
    for slot in restarts:
        slopes = found.slopes_of(stores[slot.position + 2])
        results += [slopes.get(k, found.code.zero) for k in range(len(program.state_slots))]
    return with_slopes(found, program.events, results)


def _times(
    program: Program,
    places: SlopePlaces,
    names: tuple[str, ...],
    found: SlopePass,
    results: list[int],
    zero: int,
) -> list[FrozenSlot]:
    """Slopes of the time of an event: they stay as they are set."""
    slots, first = [], places.time
    assert first is not None
    origin = (*[slot.origin for slot in program.table.frozen], *[slot.origin for slot in program.delays])[0]
    for k, name in enumerate(names):
        results.append(found.code.emit(Instruction("input", (), first + k)))
        symbol = slope_symbol((("time",), 0), name)
        at = len(results) - 1
        slots.append(FrozenSlot(symbol[0], "discrete", "real", origin, at, start=zero, internal=True))
    return slots


def _discrete(
    slot: FrozenSlot,
    places: SlopePlaces,
    names: tuple[str, ...],
    now: int,
    zero: int,
) -> list[FrozenSlot]:
    """Slopes of a discrete variable: those of its value now, and at first those of its start value."""
    start = -1 if slot.start is None else slot.start
    starts = [places.parameters.get((start, k), zero) for k in range(len(names))]
    return [
        FrozenSlot(
            slope_symbol((slot.name, 0), name)[0],
            "discrete",
            "real",
            slot.origin,
            now + k,
            start=starts[k],
            internal=True,
        )
        for k, name in enumerate(names)
    ]


def _restarts(
    slot: RestartSlot, state: int, places: SlopePlaces, found: SlopePass, results: list[int]
) -> list[RestartSlot]:
    """Slopes start again with the state: where it fires, with those of its new value."""
    made = []
    for k in range(places.count):
        slopes = [found.slopes_of(results[slot.position + i]).get(k, found.code.zero) for i in (1, 2)]
        results.extend([results[slot.position], *slopes])
        at = len(results) - 3
        made.append(replace(slot, position=at, state=places.state(state, k)))
    return made
