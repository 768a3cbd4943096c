"""The first instant and one event to its end, as machine code: what `simulate/instant` says, function by function."""

from math import inf

from llvmlite import ir

from acausal.codegen.event_rules import MOST_BEGINNINGS, MOST_PASSES, NEAR
from acausal.codegen.native_event_function import EventFunction
from acausal.codegen.native_function import INTEGER, POINTER, REAL, STATUS, integer, real
from acausal.codegen.native_held import rounded


def instant_functions(module: ir.Module) -> None:
    """`instant`, `first_instant` and `next_time`."""
    _near_sample(module)
    _next_time(module)
    _mark(module)
    _locate(module)
    _raise_flags(module)
    _announced(module)
    _restart(module)
    _keep_before(module)
    _act(module)
    _rest(module)
    _instant(module)
    _settle_start(module)
    _first_instant(module)


def _near_sample(module: ir.Module) -> None:
    """(slot, t): the time of a sample that is nearest to t, by `results`."""
    f = EventFunction(module, "near_sample", (INTEGER, REAL), REAL)
    b = f.b
    i, t = f.given
    at = f.whole("now", i)
    first, interval = f.real("results", at), f.real("results", b.add(at, integer(1)))
    number = f.greater(rounded(f, b.fdiv(b.fsub(t, first), interval)), real(0.0))
    found = b.select(b.fcmp_ordered(">", interval, real(0.0)), number, real(0.0))
    b.ret(b.fadd(first, b.fmul(interval, found)))


def _next_time(module: ir.Module) -> None:
    """(t, y): the time of the next event that is known, into `limit`, by the `results` that the event ended with."""
    f = EventFunction(module, "next_time", (REAL, POINTER))
    b = f.b
    t, y = f.given
    results = f.array("results")
    f.set_number("limit", real(inf))
    with b.if_then(b.icmp_signed("==", f.word("ticks"), integer(0))):
        f.done()
    with b.if_then(b.icmp_signed("!=", f.word("befores"), integer(0))):
        f.must("evaluate_events", t, y, results)
    with f.all("held_count") as i:
        clocked = b.icmp_signed(">=", f.whole("clock", i), integer(0))
        with b.if_then(b.or_(clocked, f.is_kind(i, "sample"))):
            time = f.call("clock_time", i, t, results)
            f.fail_unless(b.fcmp_ordered("==", time, time))
            f.set_number("limit", f.lesser(f.number("limit"), time))
    f.done()


def _mark(module: ir.Module) -> None:
    """(t): `direction` of what was located or whose time has come, `flag` of samples, by `results` and `roots`.

    `found` is 1 where there is a direction.
    """
    f = EventFunction(module, "mark", (REAL,))
    b = f.b
    (t,) = f.given
    results, margin = f.array("results"), b.fmul(real(NEAR), f.size_of(t))

    def is_now(time: ir.Value) -> ir.Value:
        return b.fcmp_ordered("<=", f.size_of(b.fsub(time, t)), margin)

    f.set_number("found", real(0.0))
    with f.all("held_count") as i:
        f.set_real("direction", i, real(0.0))
        f.set_real("flag", i, real(0.0))
        crossing, clock = f.whole("crossing", i), f.whole("clock", i)
        with b.if_then(b.icmp_signed(">=", crossing, integer(0))):
            root = b.load(b.gep(f.array("roots"), [crossing], source_etype=STATUS), typ=STATUS)
            with b.if_then(b.icmp_signed("!=", root, STATUS(0))):
                above = b.fsub(f.get(results, f.whole("now", i)), f.real("u", i))
                step = b.select(b.fcmp_ordered(">", above, real(0.5)), real(1.0), real(-1.0))
                f.set_real("direction", i, b.select(f.is_kind(i, "relation"), b.sitofp(root, REAL), step))
        with b.if_then(f.is_kind(i, "sample")), b.if_then(is_now(f.call("near_sample", i, t))):
            f.set_real("flag", i, real(1.0))
        clocked = b.icmp_signed(">=", clock, integer(0))
        with b.if_then(clocked), b.if_then(is_now(f.call("clock_time", i, t, results))):
            grows = b.fcmp_ordered(">", f.get(results, clock), real(0.0))
            f.set_real("direction", i, b.select(grows, real(1.0), real(-1.0)))
        with b.if_then(b.fcmp_ordered("!=", f.real("direction", i), real(0.0))):
            f.set_number("found", real(1.0))
    f.done()


def _locate(module: ir.Module) -> None:
    """(t, y): held values go behind the crossings that were located."""
    f = EventFunction(module, "locate", (REAL, POINTER))
    b = f.b
    t, y = f.given
    results = f.array("results")
    f.must("evaluate_events", t, y, results)
    f.must("mark", t)
    with b.if_then(b.fcmp_ordered("!=", f.number("found"), real(0.0))):
        f.must("evaluate_events", t, y, results)
    with f.all("held_count") as i:
        now, direction = f.get(results, f.whole("now", i)), f.real("direction", i)
        with b.if_then(b.fcmp_ordered("!=", direction, real(0.0))):
            f.set_real("was", i, now)
            f.set_real("u", i, f.call("value_after", i, now, direction))
    f.done()


def _raise_flags(module: ir.Module) -> None:
    """(value): samples that are due, and the first instant, are true or no longer; `found` is 1 where there are any."""
    f = EventFunction(module, "raise_flags", (REAL,))
    b = f.b
    (value,) = f.given
    f.set_number("found", real(0.0))
    with f.all("held_count") as i, b.if_then(b.fcmp_ordered("!=", f.real("flag", i), real(0.0))):
        f.set_real("u", i, value)
        f.set_number("found", real(1.0))
    f.done()


def _announced(module: ir.Module) -> None:
    """1 where an `assert` or `terminate` has to be told, by `results`."""
    f = EventFunction(module, "announced")
    b = f.b
    with f.all("announcements") as i:
        at = f.whole("announced_at", i)
        fired = b.fcmp_unordered("!=", f.real("results", at), real(0.0))
        fails = b.fcmp_ordered("==", f.real("results", b.add(at, integer(1))), real(0.0))
        asserts = b.icmp_signed("!=", f.whole("announced_assert", i), integer(0))
        f.fail_unless(b.not_(b.and_(fired, b.icmp_unsigned("==", fails, asserts))))
    f.done()


def _restart(module: ir.Module) -> None:
    """States that start again, by `results`; `found` is 1 where one changes. 1 where other variables are to."""
    f = EventFunction(module, "restart")
    b = f.b
    f.set_number("found", real(0.0))
    with f.all("states") as k:
        f.set_real("taken", k, real(0.0))
        f.set_real("moved", k, f.real("y", k))
    with f.all("restarts") as i:
        at = f.whole("restart_at", i)
        with b.if_then(b.fcmp_unordered("!=", f.real("results", at), real(0.0))):
            state = f.whole("restart_state", i)
            f.fail_unless(b.icmp_signed(">=", state, integer(0)))
            value = b.fmul(f.real("restart_sign", i), f.real("results", b.add(at, integer(1))))
            free = b.fcmp_ordered("==", f.real("taken", state), real(0.0))
            f.fail_unless(b.or_(free, b.fcmp_ordered("==", f.real("moved", state), value)))
            f.set_real("taken", state, real(1.0))
            f.set_real("moved", state, value)
    with f.all("states") as k:
        with b.if_then(b.fcmp_unordered("!=", f.real("moved", k), f.real("y", k))):
            f.set_number("found", real(1.0))
        f.set_real("y", k, f.real("moved", k))
    f.done()


def _act(module: ir.Module) -> None:
    """New values and restarts of one pass, by `results`; `found` is 1 where something changes."""
    f = EventFunction(module, "act")
    b = f.b
    f.must("announced")
    f.call("keep_before_now")
    f.must("restart")
    with f.all("held_count") as i, b.if_then(f.is_kind(i, "discrete")):
        new = f.real("results", f.whole("now", i))
        with b.if_then(b.fcmp_unordered("!=", new, f.real("u", i))):
            f.set_real("u", i, new)
            f.set_number("found", real(1.0))
    f.done()


def _keep_before(module: ir.Module) -> None:
    """Conditions as they are, by `results`: what they were before, from now on."""
    f = EventFunction(module, "keep_before_now")
    with f.all("held_count") as i, f.b.if_then(f.is_kind(i, "before")):
        f.set_real("u", i, f.real("results", f.whole("now", i)))
    f.done()


def _rest(module: ir.Module) -> None:
    """(t): passes over the settled relations until nothing changes any more."""
    f = EventFunction(module, "rest", (REAL,))
    b = f.b
    (t,) = f.given
    y, passes = f.array("y"), f.variable(INTEGER, integer(0))
    with f.repeat():
        f.must("act")
        f.leave_if(b.fcmp_ordered("==", f.number("found"), real(0.0)))
        b.store(b.add(b.load(passes, typ=INTEGER), integer(1)), passes)
        f.fail_unless(b.icmp_signed("<=", b.load(passes, typ=INTEGER), integer(MOST_PASSES)))
        f.must("settle", t, y)
    f.call("raise_flags", real(0.0))
    with b.if_then(b.fcmp_ordered("!=", f.number("found"), real(0.0))):
        f.must("settle", t, y)
        f.call("keep_before_now")
    f.done()


def _instant(module: ir.Module) -> None:
    """(t): states `y` and held values after the event."""
    f = EventFunction(module, "instant", (REAL,))
    (t,) = f.given
    y = f.array("y")
    f.must("locate", t, y)
    f.call("raise_flags", real(1.0))
    f.must("settle", t, y)
    f.must("rest", t)
    f.done()


def _settle_start(module: ir.Module) -> None:
    """(t): states and relations of the first instant together."""
    f = EventFunction(module, "settle_start", (REAL,))
    b = f.b
    (t,) = f.given
    y, before, differs = f.array("y"), f.array("held_at_first"), f.place(INTEGER)
    with f.loop(integer(0), integer(MOST_BEGINNINGS)):
        f.copy(f.array("u"), before, f.word("held_count"))
        f.must("settle", t, y)
        b.store(integer(0), differs)
        with f.all("held_count") as i, b.if_then(b.fcmp_unordered("!=", f.get(before, i), f.real("u", i))):
            b.store(integer(1), differs)
        with b.if_then(b.icmp_signed("==", b.load(differs, typ=INTEGER), integer(0))):
            f.done()
        f.must("evaluate_start", t)
    b.ret(STATUS(1))


def _first_instant(module: ir.Module) -> None:
    """(t): states `y` and held values of the first instant, and `results` there."""
    f = EventFunction(module, "first_instant", (REAL,))
    b = f.b
    (t,) = f.given
    y, results, again = f.array("y"), f.array("results"), f.place(INTEGER)
    with f.all("held_count") as i, b.if_then(f.is_kind(i, "discrete")):
        f.set_real("u", i, f.real("p", f.whole("start", i)))
    with f.all("crossing_count") as i:
        b.store(STATUS(0), b.gep(f.array("roots"), [i], source_etype=STATUS))
    f.must("evaluate_start", t)
    f.must("locate", t, y)
    with f.all("held_count") as i, b.if_then(f.is_kind(i, "initial")):
        f.set_real("flag", i, real(1.0))
    f.must("settle_start", t)
    b.store(f.word("befores"), again)
    with f.all("held_count") as i, b.if_then(f.is_kind(i, "before")):
        f.must("evaluate_events", t, y, results)
        f.set_real("u", i, f.get(results, f.whole("now", i)))
    f.call("raise_flags", real(1.0))
    with b.if_then(b.fcmp_ordered("!=", f.number("found"), real(0.0))):
        b.store(integer(1), again)
    with b.if_then(b.icmp_signed("!=", b.load(again, typ=INTEGER), integer(0))):
        f.must("settle", t, y)
    f.must("rest", t)
    f.done()
