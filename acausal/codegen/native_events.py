"""A run from event to event, as machine code: CVODE, rows on both sides of events, and what happens at them.

    int acausal_start_events(table)      int acausal_begin_events(table)      int acausal_run_events(table)

The first is the first instant, the second makes crossings and clocks ready there, where Python does not; they return 0,
or 1 where Python is to do it. The third
goes through the output times as `simulate/loop` does, and does events as `simulate/instant` and `settling` do: these
are the reference, with the same numbers to the last bit. It returns CVODE's status where that is not success. An event
that is out of the ordinary is left to Python, everything as it is before it: a block that cannot be solved, values that
are no finite numbers, variables that start again but are no states, `assert` and `terminate`, events that follow each
other without end. `table` are the words of `event_words`; nothing of it depends on the model, so it is compiled once.
"""

from functools import cache

from llvmlite import ir

from acausal.codegen.event_rules import CLOSEST
from acausal.codegen.event_words import MOST_ROWS
from acausal.codegen.native_event import ROOT, event_functions
from acausal.codegen.native_event_function import EventFunction
from acausal.codegen.native_function import INTEGER, REAL, STATUS, integer, real
from acausal.codegen.native_held import held_functions
from acausal.codegen.native_instant import instant_functions
from acausal.codegen.native_settling import settling_functions

NORMAL, STOPPED, CLOSE = 1, 1, -22
"""CVODE's way to be called, and its status at the end, and where a crossing stays at zero."""


@cache
def events_addresses() -> tuple[int, int, int]:
    """The addresses of the functions, compiled once for all programs."""
    from acausal.codegen.to_llvm import published

    names = ("acausal_start_events", "acausal_begin_events", "acausal_run_events")
    engine = published(names[2], _text, 0)
    start, begin, run = [int(engine.get_function_address(name)) for name in names]
    return start, begin, run


def _text() -> str:
    module = ir.Module("events")
    held_functions(module)
    settling_functions(module)
    instant_functions(module)
    _take(module)
    _add_row(module)
    event_functions(module)
    _advance(module)
    _to_next_row(module)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "internal"
    _start(module)
    _begin(module)
    _run(module)
    return str(module)


def _take(module: ir.Module) -> None:
    """The states as CVODE has them into `y`, and back."""
    f = EventFunction(module, "take_states")
    with f.all("states") as i:
        f.set_real("y", i, f.real("numbers_there", f.whole("place", i)))
    f.done()
    f = EventFunction(module, "put_states")
    with f.all("states") as i:
        f.set_real("numbers_there", i, f.real("y", f.whole("order", i)))
    f.done()


_ROW = (("row_states", "y", "states"), ("row_held", "u", "held_count"), ("row_memory", "m", "memory"))


def _add_row(module: ir.Module) -> None:
    """(t): one more row, of `y`."""
    f = EventFunction(module, "add_row", (REAL,))
    b = f.b
    (t,) = f.given
    row = f.word("rows")
    f.set_real("row_times", row, t)
    for target, source, size in _ROW:
        count = f.word(size)
        f.copy(f.array(source), f.at(f.array(target), b.mul(row, count)), count)
    f.set_word("rows", b.add(row, integer(1)))
    f.set_number("last_row", t)
    f.done()


def _advance(module: ir.Module) -> None:
    """(goal): CVODE goes on to there, or to a crossing before; what it says.

    Where a crossing stays at zero it has moved the states: they are put back from `y`, which has them before and after.
    """
    f = EventFunction(module, "advance", (REAL,))
    b = f.b
    (goal,) = f.given
    t, cvode, stop = f.number("t"), f.array("cvode"), f.lesser(f.number("stop"), f.number("limit"))
    close = b.fmul(real(CLOSEST), f.greater(f.size_of(t), f.size_of(goal)))
    with b.if_then(b.fcmp_ordered("<=", b.fsub(goal, t), close)):
        f.set_number("t", goal)
        f.done()
    with b.if_then(b.fcmp_unordered("!=", stop, f.number("solver_limit"))):
        f.outside("set_stop", cvode, stop)
        f.set_number("solver_limit", stop)
    status = f.outside("solve", cvode, goal, f.array("vector"), f.number_place("t"), STATUS(NORMAL))
    with b.if_then(b.icmp_signed("==", status, STATUS(CLOSE))):
        f.set_number("t", t)
        f.call("put_states")
    f.call("take_states")
    with b.if_then(b.icmp_signed("==", status, STATUS(STOPPED))):
        f.set_number("solver_limit", real(float("nan")))
    with b.if_then(b.icmp_signed("==", status, STATUS(ROOT))):
        f.outside("root_info", cvode, f.array("roots"))
    b.ret(status)


def _to_next_row(module: ir.Module) -> None:
    """Output times that have been reached, and a row of `y` where this is one."""
    f = EventFunction(module, "to_next_row")
    b = f.b
    t, times = f.number("t"), f.array("times")
    with f.repeat():
        number = f.word("number")
        f.leave_if(b.icmp_signed("==", number, f.word("count")))
        f.leave_if(b.fcmp_ordered(">", f.get(times, number), t))
        f.set_word("number", b.add(number, integer(1)))
    number = f.word("number")
    with b.if_then(b.icmp_signed("==", number, integer(0))):
        f.done()
    reached = b.fcmp_ordered("==", f.get(times, b.sub(number, integer(1))), t)
    with b.if_then(b.and_(reached, b.fcmp_unordered("!=", f.number("last_row"), t))):
        f.call("add_row", t)
    f.done()


def _start(module: ir.Module) -> None:
    f = EventFunction(module, "acausal_start_events")
    b = f.b
    f.call("save")
    record = f.array("record")
    calls = f.get(record, integer(0))
    with b.if_then(b.icmp_signed("!=", f.call("first_instant", f.number("t")), STATUS(0))):
        f.call("put_back")
        f.put(record, integer(0), calls)
        b.ret(STATUS(1))
    f.done()


def _begin(module: ir.Module) -> None:
    f = EventFunction(module, "acausal_begin_events")
    t, y = f.number("t"), f.array("y")
    f.must("leave", t, y)
    f.must("next_time", t, y)
    f.done()


def _run(module: ir.Module) -> None:
    f = EventFunction(module, "acausal_run_events")
    b = f.b
    crossed = f.place(INTEGER)
    f.call("take_states")
    with f.repeat():
        number = f.word("number")
        f.leave_if(b.icmp_signed("==", number, f.word("count")))
        f.leave_if(b.icmp_signed(">", b.add(f.word("rows"), integer(MOST_ROWS)), f.word("row_room")))
        f.leave_if(b.icmp_signed("==", f.word("event_count"), f.word("event_room")))
        status = f.call("advance", f.lesser(f.real("times", number), f.number("limit")))
        with b.if_then(b.icmp_signed("<", status, STATUS(0))):
            b.ret(status)
        b.store(integer(0), crossed)
        t = f.number("t")
        late = b.fcmp_ordered(">=", t, f.number("limit"))
        located = b.icmp_signed("==", status, STATUS(ROOT))
        with b.if_then(located), f.all("watched") as i:
            root = b.load(b.gep(f.array("roots"), [i], source_etype=STATUS), typ=STATUS)
            with b.if_then(b.icmp_signed("!=", root, STATUS(0))):
                b.store(integer(1), crossed)
        with b.if_then(b.and_(late, b.not_(located))), f.all("crossing_count") as i:
            b.store(STATUS(0), b.gep(f.array("roots"), [i], source_etype=STATUS))
        with b.if_then(b.or_(late, b.icmp_signed("!=", b.load(crossed, typ=INTEGER), integer(0)))):
            done = f.call("event", t, status)
            with b.if_then(b.icmp_signed("!=", done, STATUS(0))):
                b.ret(b.select(b.icmp_signed("==", status, STATUS(ROOT)), STATUS(ROOT), STATUS(0)))
        f.call("to_next_row")
    f.done()
