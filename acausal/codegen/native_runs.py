"""Many runs of a model in which nothing happens but the motion of states, as machine code: no Python runs in between.

    int acausal_runs(table)

Each run sets parameters (as `simulate/parameters.Setter`), takes the first instant (`System.start`), goes through the
output times (`DirectIntegrator.through`), stores its rows, looks at conditions (`first_stop`), and reads the columns
(`sweep/columns.Reader`): these are the reference, with the same numbers to the last bit. It returns 0, or ODD before a
run that is out of the ordinary, SPOILT where the solver should not be used again after it: Python does such a run anew.
`table` are the words of `run_words`; nothing depends on the model, so it is compiled once.
"""

from functools import cache
from math import inf, tau

from llvmlite import ir

from acausal.codegen.native_function import INTEGER, POINTER, REAL, STATUS, integer, real
from acausal.codegen.run_words import FINAL, LARGEST, NUMBERS, PLACE, SMALLEST, SPOILT
from acausal.codegen.table_function import TableFunction

STOPPED = 1
"""CVODE's status at the end."""
NULL = POINTER(None)


@cache
def runs_address() -> int:
    """The address of `acausal_runs`, compiled once for all programs."""
    from acausal.codegen.to_llvm import published

    name = "acausal_runs"
    return int(published(name, _text).get_function_address(name))


class RunFunction(TableFunction):
    """It returns 0, or 1 where the run is out of the ordinary."""

    places, numbers = PLACE, NUMBERS

    def must_be_finite(self, array: str, count: ir.Value) -> None:
        """Returns 1 where one of these numbers is not."""
        b, sum_of = self.b, self.variable(REAL, real(0.0))
        numbers = self.array(array)
        with self.loop(integer(0), count) as i:
            b.store(b.fadd(b.load(sum_of, typ=REAL), b.fmul(self.get(numbers, i), real(0.0))), sum_of)
        self.fail_unless(b.fcmp_ordered("==", b.load(sum_of, typ=REAL), real(0.0)))

    def must_succeed(self, routine: str, *arguments: ir.Value) -> None:
        """Calls a routine of the program; returns 1 where it fails."""
        self.fail_unless(self.b.icmp_signed("==", self.outside(routine, *arguments), STATUS(0)))


def _text() -> str:
    module = ir.Module("runs")
    _set_parameters(module)
    _first_instant(module)
    _set_tolerances(module)
    _set_longest(module)
    _solve(module)
    _store(module)
    _read(module)
    _one(module)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "internal"
    _runs(module)
    return str(module)


def _set_parameters(module: ir.Module) -> None:
    """(run): p, complete, within its limits, and such that the equations are those of its values."""
    f = RunFunction(module, "set_parameters", (INTEGER,))
    b = f.b
    (run,) = f.given
    p, given = f.array("p"), f.at(f.array("given"), b.mul(run, f.word("names")))
    f.copy(f.array("usual"), p, f.word("parameters"))
    with f.all("names") as i:
        f.put(p, f.whole("places", i), f.get(given, i))
    f.must_succeed("setup", real(0.0), NULL, f.array("is_given"), p, f.array("setup_room"), p)
    f.must_be_finite("p", f.word("parameters"))
    with f.all("limited_count") as i:
        value = f.get(p, f.whole("limited", i))
        f.fail_unless(b.fcmp_ordered(">=", value, f.real("low", i)))
        f.fail_unless(b.fcmp_ordered("<=", value, f.real("high", i)))
    with f.all("folded_count") as i:
        f.fail_unless(b.fcmp_ordered("==", f.get(p, f.whole("folded", i)), f.real("expected", i)))
    f.done()


def _first_instant(module: ir.Module) -> None:
    """(): the states in `found`, from which there is a slope."""
    f = RunFunction(module, "first_instant")
    start, p, m, found = f.number("start"), f.array("p"), f.array("m"), f.array("found")
    with f.all("memory_size") as i:
        f.put(m, i, real(0.0))
    f.must_succeed("initial", start, found, NULL, p, m, found)
    f.must_be_finite("found", f.word("found_count"))
    f.must_succeed("derivatives", start, found, NULL, p, m, f.array("slope"))
    f.must_be_finite("slope", f.word("states"))
    f.done()


def _set_tolerances(module: ir.Module) -> None:
    """(): absolute tolerances where they follow from parameters."""
    f = RunFunction(module, "set_tolerances_of_run")
    b = f.b
    p, wanted, differs = f.array("p"), f.array("wanted"), f.variable(INTEGER, integer(0))
    value = f.place(REAL)
    with f.all("states") as i:
        at = f.whole("nominal", f.whole("order", i))
        b.store(real(0.0), value)
        with b.if_then(b.icmp_signed(">=", at, integer(0))):
            b.store(f.size_of(f.get(p, at)), value)
        nominal = b.load(value, typ=REAL)
        scale = b.select(b.fcmp_ordered("==", nominal, real(0.0)), f.number("small"), nominal)
        tolerance = b.fmul(f.number("nominal_share"), scale)
        f.put(wanted, i, tolerance)
        with b.if_then(b.fcmp_unordered("!=", tolerance, f.real("absolute", i))):
            b.store(integer(1), differs)
    with b.if_then(b.icmp_signed("!=", b.load(differs, typ=INTEGER), integer(0))):
        f.fail_unless(b.icmp_signed("==", f.word("fixed_tolerances"), integer(0)))
        f.copy(wanted, f.array("absolute"), f.word("states"))
        f.outside("set_tolerances", f.array("cvode"), f.number("relative"), f.array("tolerances"))
    f.done()


def _set_longest(module: ir.Module) -> None:
    """(): the longest step where it follows from parameters."""
    f = RunFunction(module, "set_longest_of_run")
    b = f.b
    fastest, longest = f.variable(REAL, real(0.0)), f.variable(REAL, real(inf))
    with f.all("rate_count") as i:
        f.raise_to(fastest, f.size_of(f.get(f.array("p"), f.whole("rates", i))))
    rate = b.load(fastest, typ=REAL)
    with b.if_then(b.fcmp_ordered(">", rate, real(0.0))):
        b.store(b.fdiv(b.fdiv(real(tau), rate), f.number("steps_in_period")), longest)
    span = b.fsub(f.number("stop"), f.number("start"))
    wanted = f.greater(f.lesser(span, b.load(longest, typ=REAL)), f.number("shortest"))
    with b.if_then(b.fcmp_unordered("!=", wanted, f.number("longest"))):
        f.set_number("longest", wanted)
        f.outside("set_longest", f.array("cvode"), wanted)
    f.done()


def _solve(module: ir.Module) -> None:
    """(): states and memory of all rows; 1 where the solver did not come to the end."""
    f = RunFunction(module, "solve_run")
    b = f.b
    start, stop, cvode = f.number("start"), f.number("stop"), f.array("cvode")
    found, there, m = f.array("found"), f.array("numbers_there"), f.array("m")
    states, memory, times = f.word("states"), f.word("memory"), f.array("times")
    row_states, row_memory = f.array("row_states"), f.array("row_memory")
    ready = f.variable(INTEGER, integer(0))
    f.copy(found, row_states, states)
    f.copy(m, row_memory, memory)
    with f.all("states") as i:
        f.put(there, i, f.get(found, f.whole("order", i)))
    f.outside("reinit", cvode, start, f.array("vector"))
    f.outside("set_stop", cvode, stop)
    count = b.sub(f.word("output_times"), integer(1))
    status = f.outside(
        *("cvode_rows", f.array("solve"), cvode, f.array("vector"), f.array("user")),
        *(f.at(times, integer(1)), count, f.number_place("t")),
        *(f.at(row_states, states), f.at(row_memory, memory), ready),
    )
    _count_steps(f)
    made = b.load(ready, typ=INTEGER)
    with b.if_then(b.icmp_signed("==", status, STATUS(0))):
        f.fail_unless(b.icmp_signed("==", made, count))
        f.done()
    f.fail_unless(b.icmp_signed("==", status, STATUS(STOPPED)))
    f.fail_unless(b.icmp_signed("==", b.add(made, integer(1)), count))
    f.fail_unless(b.fcmp_ordered("==", f.number("t"), f.get(times, count)))
    last = f.at(row_states, b.mul(count, states))
    with f.all("states") as i:
        f.put(last, i, f.get(there, f.whole("place", i)))
    f.copy(m, f.at(row_memory, b.mul(count, memory)), memory)
    f.done()


def _count_steps(f: RunFunction) -> None:
    steps = f.variable(INTEGER, integer(0))
    f.outside("count_steps", f.array("cvode"), steps)
    f.set_word("steps", f.b.add(f.word("steps"), f.b.load(steps, typ=INTEGER)))


def _store(module: ir.Module) -> None:
    """(): the stored variables of all rows, finite, and nothing there that ends the run."""
    f = RunFunction(module, "store_rows")
    b = f.b
    ready, count, size = f.variable(INTEGER, integer(0)), f.word("output_times"), f.word("stored_size")
    stored = f.array("stored")
    f.must_succeed(
        *("variables_many", count, f.array("times"), f.array("row_states"), NULL, f.array("p"), f.array("m")),
        *(stored, ready, f.array("row_memory"), f.array("variables")),
        *(f.word("states"), integer(0), f.word("memory"), size),
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
    count, best = f.word("output_times"), f.place(REAL)
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
    f.must("set_tolerances_of_run")
    f.must("set_longest_of_run")
    with b.if_then(b.icmp_signed("!=", f.call("solve_run"), STATUS(0))):
        b.ret(STATUS(SPOILT))
    f.must("store_rows")
    f.must("read_columns", run)
    f.done()


def _runs(module: ir.Module) -> None:
    f = RunFunction(module, "acausal_runs")
    b = f.b
    with f.repeat():
        run = f.word("done")
        f.leave_if(b.icmp_signed("==", run, f.word("count")))
        f.leave_if(b.icmp_signed(">=", f.word("steps"), f.word("most_steps")))
        status = f.call("one_run", run)
        with b.if_then(b.icmp_signed("!=", status, STATUS(0))):
            b.ret(status)
        f.set_word("done", b.add(run, integer(1)))
    f.done()
