"""Many runs of a model as machine code: no Python runs in between.

    int acausal_runs(table)

Each run sets parameters (as `simulate/system/parameters.Setter`), takes the first instant (`System.start`), goes
through the output times (`DirectIntegrator.through`) or, by `native_events`, over events as well, stores its rows,
looks at conditions (`first_stop`), and reads the columns (`sweep/columns.Reader`): these are the reference, with the
same numbers to the last bit. It returns 0, or ODD before a run that is out of the ordinary, SPOILT where the solver
should not be used again after it: Python does such a run anew. `table` are the words of `run_words`; nothing depends
on the model, so it is compiled once.
"""

from math import inf, nan

from llvmlite import ir

from acausal.base.caches import once
from acausal.codegen.native.native_function import INTEGER, POINTER, REAL, STATUS, integer, real
from acausal.codegen.native.run_context import FINAL, LARGEST, SMALLEST, SPOILT
from acausal.codegen.native.run_function import NULL, RunFunction, settings_functions
from acausal.runtime.limits import WITHOUT_END

STOPPED = 1
"""CVODE's status at the end."""


@once
def runs_address() -> int:
    """The address of `acausal_runs`, compiled once for all programs."""
    from acausal.codegen.llvm.to_llvm import published

    name = "acausal_runs"
    return int(published(name, _text).get_function_address(name))


def _text() -> str:
    module = ir.Module("runs")
    settings_functions(module)
    _first_instant(module)
    _begin_solver(module)
    _through_times(module)
    _through_events(module)
    _store(module)
    _read(module)
    _one(module)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "internal"
    _runs(module)
    return str(module)


def _first_instant(module: ir.Module) -> None:
    """(): the states in `found` and as the first row, from which there is a slope."""
    f = RunFunction(module, "first_instant")
    b = f.b
    start, u, p, m, found = f.number("start_time"), f.array("u"), f.array("p"), f.array("m"), f.array("first_states")
    with f.all("system_size") as i:
        f.set_real("system_numbers", i, real(0.0))
    with b.if_then(f.is_set("memory")):
        f.put(m, f.word("memory"), real(1.0))  # ACTIVE (`runtime/blocks/branch`)
    with b.if_else(f.is_set("start_events")) as (events, none):
        with events:
            f.set_real("reached", integer(0), start)
            f.must_succeed("start_events", f.table)
            f.copy(f.array("y"), found, f.word("states"))
        with none:
            f.must_succeed("initial", start, found, u, p, m, found)
            f.must_be_finite("first_states", f.word("found_count"))
    f.copy(found, f.array("row_states"), f.word("states"))
    f.copy(f.array("held"), f.array("row_held"), f.word("held_count"))
    f.copy(m, f.array("row_memory"), f.word("memory"))
    f.must_succeed("derivatives", start, found, u, p, m, f.array("slope"))
    f.must_be_finite("slope", f.word("states"))
    f.done()


def _begin_solver(module: ir.Module) -> None:
    """(): the solver at the first row, as `DirectIntegrator.begin`."""
    f = RunFunction(module, "begin_solver")
    b = f.b
    cvode, start = f.array("cvode"), f.number("start_time")
    with b.if_then(f.is_set("crossing_count")):
        f.outside("set_roots", cvode, STATUS(0), NULL)
        f.outside("set_roots", cvode, b.trunc(f.word("crossing_count"), STATUS), f.array("cvode_crossings"))
    f.must("limit_error")
    f.must("limit_steps")
    with b.if_then(f.is_set("start_events")):
        f.outside("set_least", cvode, f.number("shortest"))
        f.outside("set_first", cvode, real(0.0))
    with f.all("states") as i:
        f.set_real("numbers_there", i, f.real("first_states", f.whole("order", i)))
    f.outside("reinit", cvode, start, f.array("vector"))
    f.done()


def _count_steps(f: RunFunction) -> None:
    """Count the steps that the solver knows, and those that it forgot at events."""
    steps = f.variable(INTEGER, integer(0))
    f.outside("count_steps", f.array("cvode"), steps)
    made = f.b.add(f.word("steps"), f.b.load(steps, typ=INTEGER))
    f.set_word("steps_made", f.b.add(f.word("steps_made"), made))


def _through_times(module: ir.Module) -> None:
    """(): states and memory of all rows; 1 where the solver did not come to the end."""
    f = RunFunction(module, "through_times")
    b = f.b
    cvode, m, grid = f.array("cvode"), f.array("m"), f.array("grid")
    states, memory = f.word("states"), f.word("memory")
    row_states, row_memory = f.array("row_states"), f.array("row_memory")
    ready = f.variable(INTEGER, integer(0))
    f.outside("set_stop", cvode, f.number("stop"))
    f.set_word("rows", f.word("output_times"))
    count = b.sub(f.word("output_times"), integer(1))
    status = f.outside(
        *("cvode_rows", f.array("user")),
        *(f.at(grid, integer(1)), count, f.array("reached")),
        *(f.at(row_states, states), f.at(row_memory, memory), ready),
    )
    _count_steps(f)
    made = b.load(ready, typ=INTEGER)
    with b.if_then(b.icmp_signed("==", status, STATUS(0))):
        f.fail_unless(b.icmp_signed("==", made, count))
        f.done()
    f.fail_unless(b.icmp_signed("==", status, STATUS(STOPPED)))
    f.fail_unless(b.icmp_signed("==", b.add(made, integer(1)), count))
    f.fail_unless(b.fcmp_ordered("==", f.real("reached", integer(0)), f.get(grid, count)))
    last = f.at(row_states, b.mul(count, states))
    with f.all("states") as i:
        f.put(last, i, f.real("numbers_there", f.whole("place", i)))
    f.copy(m, f.at(row_memory, b.mul(count, memory)), memory)
    f.done()


def _through_events(module: ir.Module) -> None:
    """(): the same over events, with rows on both sides of each; the first row is there."""
    f = RunFunction(module, "through_events")
    b = f.b
    start, earlier = f.number("start_time"), WITHOUT_END - 1
    f.set_real("reached", integer(0), start)
    for name, value in (("last_row", start), ("solver_limit", real(nan))):
        f.set_number(name, value)
    f.must_succeed("begin_events", f.table)
    f.put(f.array("row_times"), integer(0), start)
    for name, number in (("number", 0), ("rows", 1), ("event_count", 0), ("steps", 0), ("jacobians", 0)):
        f.set_word(name, integer(number))
    with f.loop(integer(0), integer(earlier)) as i:
        f.set_real("event_times", i, real(-inf))
    with f.repeat():
        status = f.outside("run_events", f.table, result=INTEGER)
        f.fail_unless(b.icmp_signed(">=", status, integer(0)))
        f.leave_if(b.icmp_signed("==", f.word("number"), f.word("count")))
        count = f.word("event_count")
        f.fail_unless(b.icmp_signed("==", count, f.word("event_room")))
        with f.loop(integer(0), integer(earlier)) as i:
            f.set_real("event_times", i, f.real("event_times", b.add(count, i)))
        f.set_word("event_count", integer(0))
    _count_steps(f)
    f.done()


def _store(module: ir.Module) -> None:
    """(): the stored variables of all rows, finite, and nothing there that ends the run."""
    f = RunFunction(module, "store_rows")
    b = f.b
    ready, count, size = f.variable(INTEGER, integer(0)), f.word("rows"), f.word("stored_size")
    stored = f.array("stored")
    f.must_succeed(
        *("variables_many", count, f.array("row_times"), f.array("row_states"), f.array("row_held")),
        *(f.array("p"), f.array("m"), stored, ready, f.array("row_memory"), f.array("variables")),
        *(f.word("states"), f.word("held_count"), f.word("memory"), size),
    )
    f.must_be_finite("stored", b.mul(count, size))
    with f.all("condition_count") as i:
        asserts = b.icmp_signed("!=", f.whole("condition_asserts", i), integer(0))
        values = f.at(stored, f.whole("condition_at", i))
        with f.loop(integer(0), count) as row:
            is_zero = b.fcmp_ordered("==", f.get(values, b.mul(row, size)), real(0.0))
            f.fail_unless(b.icmp_unsigned("!=", is_zero, asserts))
    f.done()


def _read(module: ir.Module) -> None:
    """(run): its columns."""
    f = RunFunction(module, "read_columns", (INTEGER,))
    b = f.b
    (run,) = f.given
    out = f.at(f.array("table"), b.mul(run, f.word("column_count")))
    count, best = f.word("rows"), f.place(REAL)
    with f.all("column_count") as i:
        values = b.load(b.gep(f.array("column_at"), [i], source_etype=POINTER), typ=POINTER)
        apart, kind, sign = f.whole("column_apart", i), f.whole("column_kind", i), f.real("column_sign", i)
        is_final = b.icmp_signed("==", kind, integer(FINAL))
        first = b.select(is_final, b.sub(count, integer(1)), integer(0))
        b.store(b.fmul(f.get(values, b.mul(first, apart)), sign), best)
        with f.loop(b.add(first, integer(1)), count) as row:
            value, least = b.fmul(f.get(values, b.mul(row, apart)), sign), b.load(best, typ=REAL)
            less = b.and_(b.icmp_signed("==", kind, integer(SMALLEST)), b.fcmp_ordered("<", value, least))
            more = b.and_(b.icmp_signed("==", kind, integer(LARGEST)), b.fcmp_ordered(">", value, least))
            b.store(b.select(b.or_(less, more), value, least), best)
        f.put(out, i, b.load(best, typ=REAL))
    f.done()


def _one(module: ir.Module) -> None:
    """(run): all of it; 1 and 2 as `acausal_runs`."""
    f = RunFunction(module, "one_run", (INTEGER,))
    b = f.b
    (run,) = f.given
    f.must("set_parameters", run)
    f.must("first_instant")
    f.must("begin_solver")
    status = f.place(STATUS)
    with b.if_else(f.is_set("start_events")) as (events, none):
        with events:
            b.store(f.call("through_events"), status)
        with none:
            b.store(f.call("through_times"), status)
    with b.if_then(b.icmp_signed("!=", b.load(status, typ=STATUS), STATUS(0))):
        b.ret(STATUS(SPOILT))
    f.must("store_rows")
    f.must("read_columns", run)
    f.done()


def _runs(module: ir.Module) -> None:
    f = RunFunction(module, "acausal_runs")
    b = f.b
    with f.repeat():
        run = f.word("done")
        f.leave_if(b.icmp_signed("==", run, f.word("run_count")))
        f.leave_if(b.icmp_signed(">=", f.word("steps_made"), f.word("most_steps")))
        status = f.call("one_run", run)
        with b.if_then(b.icmp_signed("!=", status, STATUS(0))):
            b.ret(status)
        f.set_word("done", b.add(run, integer(1)))
    f.done()
