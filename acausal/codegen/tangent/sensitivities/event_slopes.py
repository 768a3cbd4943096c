"""Slopes of what events do: new values of discrete variables, restarts of states, and functions that cross zero.

While an event is treated, states have the slopes of what they are at its time, and time has those of its own: slopes
of new values and of restarts follow as everywhere else. (`simulate/sensitivities` moves them there and back.)
"""

from collections.abc import Mapping
from dataclasses import field, replace

from acausal.base.frozen import dataclass
from acausal.codegen.tangent.sensitivities.passes import SlopePass, run_slopes, with_slopes
from acausal.codegen.tangent.sensitivities.places import SlopePlaces, slope_symbol
from acausal.ir.program.instructions import Instruction, Routine
from acausal.ir.program.program import Program
from acausal.ir.program.slots import EventTable, FrozenSlot, RestartSlot


@dataclass(frozen=True, slots=True)
class EventSlopes:
    """Results of `events` that are slopes: `now` the first of those of `now` of a frozen value, by its number.

    `intervals` are those of the interval of a sample.
    """

    now: Mapping[int, int] = field(default_factory=dict)
    intervals: Mapping[int, int] = field(default_factory=dict)


def augment_events(
    program: Program, places: SlopePlaces, names: tuple[str, ...], zero: int, most: int
) -> tuple[EventTable, Routine, EventSlopes]:
    """The table, the routine `events`, and its slopes; `zero` is the place of a zero in p."""
    table = program.table
    if places.time is None:
        return table, program.events, EventSlopes()
    found = SlopePass(places, most, at_event=True)
    results = run_slopes(found, program, program.events)
    now, intervals = _put_crossing(table, found, results, places)
    frozen = [*table.frozen, *_times(program, places, names, found, results, zero)]
    for i in places.frozen:
        frozen += _discrete(table.frozen[i], places, names, now[i], zero)
    restarts = [*table.restarts]
    for slot in table.restarts:
        if slot.state is not None:
            restarts += _restarts(slot, slot.state, places, found, results)
    made = replace(table, frozen=tuple(frozen), restarts=tuple(restarts))
    return replace(made, results=len(results)), with_slopes(found, program.events, results), EventSlopes(now, intervals)


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
