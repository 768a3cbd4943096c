"""One event with its rows and the solver behind it, as machine code; function by function as `simulate/loop` has it."""

from llvmlite import ir

from acausal.codegen.event_rules import SHORTEST, WITHOUT_END
from acausal.codegen.native_event_function import EventFunction
from acausal.codegen.native_function import INTEGER, REAL, STATUS, integer, real

ROOT = 2
"""CVODE's status at a crossing."""


def event_functions(module: ir.Module) -> None:
    """`event`, `save` and `put_back`."""
    _save(module)
    _begin_again(module)
    _record(module)
    _goes_on(module)
    _try_event(module)
    _event(module)


_KEPT = (
    ("u", "held_before", "held_count"),
    ("m", "memory_before", "memory"),
    ("offset", "offset_before", "crossing_count"),
)


def _save(module: ir.Module) -> None:
    """What an event changes: kept as it is before it, or put back."""
    for name, back in (("save", False), ("put_back", True)):
        f = EventFunction(module, name)
        for now, before, size in _KEPT:
            source, target = (before, now) if back else (now, before)
            f.copy(f.array(source), f.array(target), f.word(size))
        f.done()


def _begin_again(module: ir.Module) -> None:
    """(t): the solver begins again with the states `y`."""
    f = EventFunction(module, "begin_again", (REAL,))
    b = f.b
    (t,) = f.given
    cvode, count = f.array("cvode"), f.place(INTEGER)
    b.store(integer(0), count)
    f.outside("count_steps", cvode, count)
    steps = b.load(count, typ=INTEGER)
    f.set_word("steps", b.add(f.word("steps"), steps))
    with b.if_then(b.icmp_signed("!=", steps, integer(0))):  # CVODE sets the others to zero at the first step
        f.outside("count_jacobians", cvode, count)
        f.set_word("jacobians", b.add(f.word("jacobians"), b.load(count, typ=INTEGER)))
    shortest, first = b.fmul(real(SHORTEST), f.size_of(t)), f.number("first_step")
    f.outside("set_least", cvode, shortest)
    least = f.greater(first, b.fmul(real(10.0), shortest))
    f.outside("set_first", cvode, b.select(b.fcmp_ordered("==", first, real(0.0)), real(0.0), least))
    f.call("put_states")
    f.outside("reinit", cvode, t, f.array("vector"))
    f.set_number("solver_limit", real(float("nan")))
    f.done()


def _record(module: ir.Module) -> None:
    """(t): the event, its held values on both sides, and what was located."""
    f = EventFunction(module, "record_event", (REAL,))
    b = f.b
    (t,) = f.given
    number, held, crossings = f.word("event_count"), f.word("held_count"), f.word("crossing_count")
    f.set_real("event_times", b.add(number, integer(WITHOUT_END - 1)), t)
    both = f.at(f.array("event_held"), b.mul(b.mul(number, integer(2)), held))
    f.copy(f.array("held_before"), both, held)
    f.copy(f.array("u"), f.at(both, held), held)
    roots, there = f.array("roots"), b.mul(number, crossings)
    with f.all("crossing_count") as i:
        root = b.load(b.gep(roots, [i], source_etype=STATUS), typ=STATUS)
        b.store(root, b.gep(f.array("event_roots"), [b.add(there, i)], source_etype=STATUS))
    f.set_word("event_count", b.add(number, integer(1)))
    f.done()


def _goes_on(module: ir.Module) -> None:
    """(status): 1 where the solver, which said so, may go on from `y`: `simulate/loop` says when."""
    f = EventFunction(module, "goes_on", (STATUS,))
    b = f.b
    (status,) = f.given
    located = b.icmp_signed("==", status, STATUS(ROOT))
    no = STATUS(0)

    def leave_unless(good: ir.Value) -> None:
        with b.if_then(b.not_(good)):
            b.ret(no)

    leave_unless(b.icmp_signed("!=", f.word("goes_on"), integer(0)))
    leave_unless(b.or_(located, b.icmp_signed("==", f.word("crossing_count"), integer(0))))
    stop = f.lesser(f.number("stop"), f.number("limit"))
    leave_unless(b.fcmp_unordered(">=", stop, f.number("solver_limit")))
    with f.all("states") as i:
        leave_unless(b.fcmp_ordered("==", f.real("y", i), f.real("numbers_there", f.whole("place", i))))
    with f.all("held_count") as i, b.if_then(b.icmp_signed("!=", f.whole("moves", i), integer(0))):
        leave_unless(b.fcmp_ordered("==", f.real("u", i), f.real("held_before", i)))
    b.ret(STATUS(1))


def _try_event(module: ir.Module) -> None:
    """(t, status): the event at t with its rows, where the solver says this; 1 where it is not an ordinary one.

    `first_step` is then negative where the solver goes on.
    """
    f = EventFunction(module, "try_event", (REAL, STATUS))
    b = f.b
    t, status = f.given
    earlier = f.real("event_times", f.word("event_count"))
    f.fail_unless(b.fcmp_ordered(">", b.fsub(t, earlier), f.number("unending")))
    with b.if_then(b.fcmp_unordered("!=", f.number("last_row"), t)):
        f.call("add_row", t)
    f.must("instant", t)
    f.call("add_row", t)
    y = f.array("y")
    f.must("leave", t, y)
    f.must("next_time", t, y)
    f.set_number("first_step", real(-1.0))
    with b.if_then(b.icmp_signed("==", f.call("goes_on", status), STATUS(0))):
        f.must("first_step", t, y)
    f.done()


def _event(module: ir.Module) -> None:
    """(t, status): the event at t, and the solver begins again if need be; 1 where nothing was done."""
    f = EventFunction(module, "event", (REAL, STATUS))
    b = f.b
    t, said = f.given
    f.call("save")
    record = f.array("record")
    calls = f.get(record, integer(0))
    rows, last, limit = f.word("rows"), f.number("last_row"), f.number("limit")
    status = f.call("try_event", t, said)
    with b.if_then(b.icmp_signed("!=", status, STATUS(0))):
        f.call("put_back")
        f.put(record, integer(0), calls)
        f.set_word("rows", rows)
        f.set_number("last_row", last)
        f.set_number("limit", limit)
        b.ret(STATUS(1))
    f.call("record_event", t)
    with b.if_then(b.fcmp_ordered(">=", f.number("first_step"), real(0.0))):
        f.call("begin_again", t)
    f.done()
