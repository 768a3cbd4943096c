"""Places of slopes in y and u, and slopes of delayed values, which come through delays of the same lengths."""

from collections.abc import Sequence

from acausal.codegen.tangent.sensitivities.passes import SlopePass, run_slopes, with_slopes
from acausal.codegen.tangent.sensitivities.places import SlopePlaces, slope_symbol
from acausal.ir.names import Name, Symbol
from acausal.ir.program.instructions import Routine
from acausal.ir.program.program import Program
from acausal.ir.program.slots import DelaySlot


def places_of(base: Program, count: int) -> SlopePlaces:
    """Places in y and u."""
    first = len(base.table.frozen)
    if not (base.table.frozen or base.delays):
        return SlopePlaces(count, len(base.state_slots))
    changing = [i for i, slot in enumerate(base.table.frozen) if slot.kind == "discrete" and slot.type == "real"]
    shift = count * (1 + len(changing))
    frozen = {i: first + count * (1 + number) for number, i in enumerate(changing)}
    inputs: dict[int, int] = {}
    lengths: dict[int, int] = {}
    rates: dict[int, int] = {}
    late = {slot.name: i for i, slot in enumerate(base.delays)}
    further = first + shift + len(base.input_slots)
    known = {symbol: first + shift + i for i, symbol in enumerate(base.input_slots)}
    for symbol in [s for s in base.input_slots if s[0] in late]:
        at = known[symbol]
        inputs[at] = further
        further += count
        length = _length(base, late[symbol[0]])
        if length is not None:
            lengths[at] = length
    for symbol in _with_rates(base):
        rate = symbol[0], symbol[1] + 1
        rates[known[symbol]] = known.get(rate, further)
        further += rate not in known
        known.setdefault(rate, further - 1)
    return SlopePlaces(count, len(base.state_slots), shift, first, frozen, inputs, lengths, rates)


def _length(base: Program, number: int) -> int | None:
    """The position in p of the length of a delay, None where it is a number."""
    code = base.delayed.code
    register = next(args[0] for op, args, value in code if op == "store" and value == 2 * number + 1)
    instruction = code[register]
    return instruction.value if instruction.op == "parameter" and isinstance(instruction.value, int) else None


def further_inputs(base: Program, names: tuple[str, ...]) -> list[Symbol]:
    """Further inputs: slopes of delayed values, then derivatives, in the order of `places_of`."""
    late = [slot.name for slot in base.delays]
    found: list[Symbol] = [(_slope_name(s[0], name), s[1]) for s in base.input_slots if s[0] in late for name in names]
    for name, order in _with_rates(base):
        rate = name, order + 1
        if rate not in base.input_slots and rate not in found:
            found.append(rate)
    return found


def _with_rates(base: Program) -> Sequence[Symbol]:
    """Inputs whose derivatives are needed: delayed values whose delays have slopes, and what `events` reads.

    Where a program has no events and no delays, none.
    """
    late = {slot.name: i for i, slot in enumerate(base.delays)}
    first = len(base.table.frozen)
    read = {value for op, _, value in base.events.code if op == "input"} if first else set()
    return [
        symbol
        for i, symbol in enumerate(base.input_slots)
        if (_length(base, late[symbol[0]]) is not None if symbol[0] in late else first + i in read)
    ]


def _slope_name(name: Name, parameter: str) -> Name:
    return slope_symbol((name, 0), parameter)[0]


def augment_delays(
    program: Program, places: SlopePlaces, names: tuple[str, ...], most: int
) -> tuple[tuple[DelaySlot, ...], Routine]:
    """Slopes of delayed values come through delays of the same lengths."""
    if not program.delays:
        return (), program.delayed
    found = SlopePass(places, most)
    results = run_slopes(found, program, program.delayed)
    slots, more = list(program.delays), list(results)
    for i, slot in enumerate(program.delays):
        for k, name in enumerate(names):
            slots.append(DelaySlot(_slope_name(slot.name, name), slot.origin))
            more += [found.slopes_of(results[2 * i]).get(k, found.code.zero), results[2 * i + 1]]
    return tuple(slots), with_slopes(found, program.delayed, more)
