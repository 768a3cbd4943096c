"""Relations at an event to a fixed point, as machine code: what `simulate/settling` says, function by function.

A routine that fails, or a value that is no finite number, ends it with 1.
"""

from math import inf

from llvmlite import ir

from acausal.codegen.event_rules import (
    AHEAD,
    ALL_AT_ONCE,
    ASIDE,
    LEAST,
    MOST_SETTLING,
    SEEN,
    SHARE_OF_FLIGHT,
    SHORT,
    UNCHANGED,
)
from acausal.codegen.native_event_function import EventFunction
from acausal.codegen.native_function import INTEGER, POINTER, REAL, STATUS, integer, real
from acausal.codegen.native_held import floor
from acausal.codegen.table_function import ROUTINE

_POINT = (REAL, POINTER)


def settling_functions(module: ir.Module) -> None:
    """`evaluate_events`, `evaluate_start`, `evaluate_rates`, `evaluate_crossings`, `settle`, `leave`, `first_step`."""
    _evaluate_events(module)
    _evaluate_start(module)
    _evaluate_rates(module)
    _evaluate_crossings(module)
    _slope(module)
    _value(module)
    _settle(module)
    _leave(module)
    _first_step(module)


def _routine(f: EventFunction, name: str, t: ir.Value, y: ir.Value, out: ir.Value) -> None:
    arrays = [f.array(a) for a in ("u", "p", "m")]
    signature = ir.FunctionType(STATUS, ROUTINE).as_pointer()
    status = f.b.call(f.b.inttoptr(f.word(name), signature), [t, y, *arrays, out])
    f.fail_unless(f.b.icmp_signed("==", status, STATUS(0)))


def _fail_unless_finite(f: EventFunction, array: ir.Value, count: str) -> None:
    b, total = f.b, f.variable(REAL, real(0.0))
    with f.all(count) as i:
        b.store(b.fadd(b.load(total, typ=REAL), b.fmul(f.get(array, i), real(0.0))), total)
    f.fail_unless(b.fcmp_ordered("==", b.load(total, typ=REAL), real(0.0)))


def _evaluate_events(module: ir.Module) -> None:
    """(t, y, out)."""
    f = EventFunction(module, "evaluate_events", (*_POINT, POINTER))
    t, y, out = f.given
    _routine(f, "events", t, y, out)
    _fail_unless_finite(f, out, "results_count")
    f.done()


def _evaluate_start(module: ir.Module) -> None:
    """(t): the states of the first instant into `y`."""
    f = EventFunction(module, "evaluate_start", (REAL,))
    (t,) = f.given
    y = f.array("y")
    _routine(f, "initial", t, y, y)
    _fail_unless_finite(f, y, "states")
    f.done()


def _evaluate_rates(module: ir.Module) -> None:
    """(t, y) into `rate`."""
    f = EventFunction(module, "evaluate_rates", _POINT)
    record = f.array("record")
    f.put(record, integer(0), f.b.fadd(f.get(record, integer(0)), real(1.0)))
    t, y = f.given
    _routine(f, "derivatives", t, y, f.array("rate"))
    f.done()


def _evaluate_crossings(module: ir.Module) -> None:
    """(t, y, out), each with its offset."""
    f = EventFunction(module, "evaluate_crossings", (*_POINT, POINTER))
    t, y, out = f.given
    _routine(f, "crossings", t, y, out)
    with f.all("crossing_count") as i:
        f.put(out, i, f.b.fadd(f.get(out, i), f.real("offset", i)))
    f.done()


def _slope(module: ir.Module) -> None:
    """(slot, t, y, now): how what crosses goes on, into `found`; 0 where that cannot be seen."""
    f = EventFunction(module, "slope", (INTEGER, *_POINT, REAL))
    b = f.b
    i, t, y, now = f.given
    clock = f.whole("clock", i)
    with b.if_then(b.icmp_signed(">=", clock, integer(0))):
        f.set_number("found", f.real("results", clock))
        f.done()
    f.must("evaluate_rates", t, y)
    ahead, moved, later = f.number("ahead"), f.array("moved"), f.array("later")
    with f.all("states") as k:
        f.put(moved, k, b.fadd(f.get(y, k), b.fmul(ahead, f.real("rate", k))))
    f.must("evaluate_events", b.fadd(t, ahead), moved, later)
    then = f.get(later, f.whole("now", i))
    change = b.fsub(then, now)
    noise = b.fmul(real(SEEN), f.greater(f.size_of(now), f.size_of(then)))
    f.set_number("found", b.select(b.fcmp_ordered(">", f.size_of(change), noise), change, real(0.0)))
    f.done()


def _value(module: ir.Module) -> None:
    """(slot, t, y): what a relation or step is to be, by `results`, into `found`."""
    f = EventFunction(module, "value", (INTEGER, *_POINT))
    b = f.b
    i, t, y = f.given
    now, was, direction = f.real("results", f.whole("now", i)), f.real("was", i), f.real("direction", i)
    noise = b.fadd(b.fmul(real(UNCHANGED), f.size_of(was)), real(1e-300))
    stays = b.fcmp_ordered("<=", f.size_of(b.fsub(now, was)), noise)
    located = b.and_(b.fcmp_ordered("!=", direction, real(0.0)), stays)
    clocked = b.icmp_signed(">=", f.whole("clock", i), integer(0))
    with b.if_then(b.and_(located, clocked)):
        f.set_number("found", f.call("value_after", i, now, direction))
        f.done()
    away = b.select(f.is_kind(i, "relation"), now, b.fsub(now, floor(f, now)))
    with b.if_then(b.and_(b.not_(located), b.fcmp_ordered("!=", away, real(0.0)))):
        f.set_number("found", f.call("value_now", i, now))
        f.done()
    f.must("slope", i, t, y, now)
    slope = f.number("found")
    flat = b.fcmp_ordered("==", slope, real(0.0))
    way = b.select(flat, b.select(located, direction, real(0.0)), slope)
    still = b.fcmp_ordered("==", way, real(0.0))
    f.set_number("found", b.select(still, f.call("value_now", i, now), f.call("value_after", i, now, way)))
    f.done()


def _settle(module: ir.Module) -> None:
    """(t, y): relations to a fixed point, with `results` there. New values wait in `fresh` until all are known."""
    f = EventFunction(module, "settle", _POINT)
    b = f.b
    t, y = f.given
    fresh, wrong = f.array("fresh"), f.place(INTEGER)
    with f.loop(integer(0), integer(MOST_SETTLING)) as number:
        f.must("evaluate_events", t, y, f.array("results"))
        b.store(integer(0), wrong)
        with f.all("held_count") as i:
            f.put(fresh, i, f.real("u", i))
            with b.if_then(b.or_(f.is_kind(i, "relation"), f.is_kind(i, "step"))):
                f.must("value", i, t, y)
                differs = b.fcmp_unordered("!=", f.number("found"), f.real("u", i))
                first = b.icmp_signed("==", b.load(wrong, typ=INTEGER), integer(0))
                many = b.icmp_signed("<", number, integer(ALL_AT_ONCE))
                with b.if_then(b.and_(differs, b.or_(first, many))):
                    f.put(fresh, i, f.number("found"))
                    b.store(integer(1), wrong)
        with b.if_then(b.icmp_signed("==", b.load(wrong, typ=INTEGER), integer(0))):
            f.done()
        f.copy(fresh, f.array("u"), f.word("held_count"))
    b.ret(STATUS(1))


def _leave(module: ir.Module) -> None:
    """(t, y): crossings on the wrong side, or at zero, begin just on theirs."""
    f = EventFunction(module, "leave", _POINT)
    b = f.b
    t, y = f.given
    values, offset = f.array("values"), f.array("offset")
    with b.if_then(b.icmp_signed("==", f.word("crossing_count"), integer(0))):
        f.done()
    with f.all("crossing_count") as i:
        f.put(offset, i, real(0.0))
    f.must("evaluate_crossings", t, y, values)
    with f.all("crossing_count") as i, b.if_then(b.fcmp_ordered("==", f.get(values, i), real(0.0))):
        f.put(offset, i, real(LEAST))
    with f.all("held_count") as i:
        crossing = f.whole("crossing", i)
        with b.if_then(b.icmp_signed(">=", crossing, integer(0))):
            value, side = f.get(values, crossing), f.call("side", i, f.real("u", i))
            with b.if_then(b.fcmp_ordered("<=", b.fmul(value, side), real(0.0))):
                near = f.greater(b.fmul(real(ASIDE), f.size_of(value)), real(LEAST))
                f.put(offset, crossing, b.fsub(b.fmul(side, near), value))
    f.done()


def _first_step(module: ir.Module) -> None:
    """(t, y): a tenth of the shortest time in which something comes back, into `first_step`; 0 if nothing does."""
    f = EventFunction(module, "first_step", _POINT)
    b = f.b
    t, y = f.given
    f.set_number("first_step", real(0.0))
    offset, count, moved, any_offset = f.array("offset"), f.word("crossing_count"), f.array("moved"), f.place(INTEGER)
    b.store(integer(0), any_offset)
    with f.all("crossing_count") as i, b.if_then(b.fcmp_unordered("!=", f.get(offset, i), real(0.0))):
        b.store(integer(1), any_offset)
    with b.if_then(b.icmp_signed("==", b.load(any_offset, typ=INTEGER), integer(0))):
        f.done()
    ahead = f.number("ahead")
    f.copy(y, moved, f.word("states"))
    rows = [f.at(f.array("values"), b.mul(integer(number), count)) for number in range(3)]
    for number, row in enumerate(rows):
        at = b.fadd(t, b.fmul(real(float(number)), ahead))
        f.must("evaluate_crossings", at, moved, row)
        f.must("evaluate_rates", at, moved)
        with f.all("states") as k:
            f.put(moved, k, b.fadd(f.get(moved, k), b.fmul(ahead, f.real("rate", k))))
    shortest = f.variable(REAL, real(inf))
    with f.all("crossing_count") as i:
        first, second, third = (f.get(row, i) for row in rows)
        away = b.fsub(second, first)
        bend = b.fsub(b.fsub(b.fmul(real(2.0), second), first), third)
        returns = b.fcmp_ordered(">", b.fmul(away, bend), real(0.0))
        with b.if_then(b.and_(b.fcmp_unordered("!=", f.get(offset, i), real(0.0)), returns)):
            flight = b.fdiv(b.fmul(b.fmul(real(2.0), ahead), away), bend)
            b.store(f.lesser(b.load(shortest, typ=REAL), flight), shortest)
    tenth = b.fmul(real(SHARE_OF_FLIGHT), b.load(shortest, typ=REAL))
    short = b.fdiv(b.fmul(real(SHORT), ahead), real(AHEAD))
    with b.if_then(b.fcmp_ordered("<", tenth, short)):
        f.set_number("first_step", tenth)
    f.done()
