"""A function of the module `native_runs`, and those that set what follows from the parameters of a run."""

from math import inf, tau

from llvmlite import ir

from acausal.codegen.native.native_function import INTEGER, POINTER, REAL, STATUS, integer, real
from acausal.codegen.native.run_context import EVENTS, PLACE
from acausal.codegen.native.table_function import TableFunction

NULL = POINTER(None)
BIT = ir.IntType(1)
EXPONENT = 0x7FF0_0000_0000_0000
"""The bits of the exponent of a float64."""


class RunFunction(TableFunction):
    """Signature of a run function: it returns 0, or 1 if the run needs the fallback."""

    places = PLACE

    def must_be_finite(self, array: str, count: ir.Value) -> None:
        """Returns 1 where one of these numbers is not: its exponent has all bits then."""
        b, wrong = self.b, self.variable(BIT, BIT(0))
        numbers = self.array(array)
        with self.loop(integer(0), count) as i:
            bits = b.and_(b.load(self.at(numbers, i), typ=INTEGER), integer(EXPONENT))
            is_wrong = b.icmp_unsigned("==", bits, integer(EXPONENT))
            b.store(b.or_(b.load(wrong, typ=BIT), is_wrong), wrong)
        self.fail_unless(b.not_(b.load(wrong, typ=BIT)))

    def must_succeed(self, routine: str, *arguments: ir.Value) -> None:
        """Calls what stands at a word; returns 1 where it fails."""
        result = INTEGER if routine in EVENTS else STATUS
        self.fail_unless(self.b.icmp_signed("==", self.outside(routine, *arguments, result=result), result(0)))

    def is_set(self, word: str) -> ir.Value:
        """True if a word is not zero."""
        return self.b.icmp_signed("!=", self.word(word), integer(0))


def settings_functions(module: ir.Module) -> None:
    """`set_parameters`, `limit_error` and `limit_steps`."""
    _set_parameters(module)
    _limit_error(module)
    _limit_steps(module)


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


def _limit_error(module: ir.Module) -> None:
    """(): absolute tolerances where they follow from parameters."""
    f = RunFunction(module, "limit_error")
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
        f.fail_unless(b.not_(f.is_set("fixed_tolerances")))
        f.copy(wanted, f.array("absolute"), f.word("states"))
        f.outside("set_tolerances", f.array("cvode"), f.number("relative"), f.array("tolerances"))
    f.done()


def _limit_steps(module: ir.Module) -> None:
    """(): the longest step where it follows from parameters."""
    f = RunFunction(module, "limit_steps")
    b = f.b
    fastest, longest = f.variable(REAL, real(0.0)), f.variable(REAL, real(inf))
    with f.all("rate_count") as i:
        f.raise_to(fastest, f.size_of(f.get(f.array("p"), f.whole("rates", i))))
    rate = b.load(fastest, typ=REAL)
    with b.if_then(b.fcmp_ordered(">", rate, real(0.0))):
        b.store(b.fdiv(b.fdiv(real(tau), rate), f.number("steps_in_period")), longest)
    span = b.fsub(f.number("stop"), f.number("start_time"))
    wanted = f.greater(f.lesser(span, b.load(longest, typ=REAL)), f.number("shortest"))
    with b.if_then(b.fcmp_unordered("!=", wanted, f.number("longest"))):
        f.set_number("longest", wanted)
        f.outside("set_longest", f.array("cvode"), wanted)
    f.done()
