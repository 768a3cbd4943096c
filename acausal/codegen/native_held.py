"""Held values at an event, as machine code: what `simulate/held` says, function by function."""

from math import inf

from llvmlite import ir

from acausal.codegen.event_rules import NEAR
from acausal.codegen.native_event_function import EventFunction
from acausal.codegen.native_function import INTEGER, POINTER, REAL, real

_ONE_SLOT = (INTEGER, REAL)


def held_functions(module: ir.Module) -> None:
    """`value_after`, `value_now`, `side`, `clock_time`."""
    _value_after(module)
    _value_now(module)
    _side(module)
    _clock_time(module)


def rounded(f: EventFunction, value: ir.Value) -> ir.Value:
    """The nearest whole number, the even one of two as near."""
    return f.b.call(f.module.declare_intrinsic("llvm.rint", [REAL]), [value])


def floor(f: EventFunction, value: ir.Value) -> ir.Value:
    """The next whole number below."""
    return f.b.call(f.module.declare_intrinsic("llvm.floor", [REAL]), [value])


def _truth(f: EventFunction, name: str, i: ir.Value) -> ir.Value:
    return f.b.trunc(f.whole(name, i), ir.IntType(1))


def _as_number(f: EventFunction, truth: ir.Value) -> ir.Value:
    return f.b.uitofp(truth, REAL)


def _value_after(module: ir.Module) -> None:
    """(slot, now, direction): the held value behind a crossing."""
    f = EventFunction(module, "value_after", (INTEGER, REAL, REAL), REAL)
    b = f.b
    i, now, direction = f.given
    grows = b.fcmp_ordered(">", direction, real(0.0))
    with b.if_then(f.is_kind(i, "relation")):
        b.ret(_as_number(f, b.icmp_unsigned("==", _truth(f, "above", i), grows)))
    whole = rounded(f, now)
    b.ret(b.select(grows, whole, b.fsub(whole, real(1.0))))


def _value_now(module: ir.Module) -> None:
    """(slot, now): the held value as the model's variables have it."""
    f = EventFunction(module, "value_now", _ONE_SLOT, REAL)
    b = f.b
    i, now = f.given
    with b.if_then(f.is_kind(i, "relation")):
        with b.if_then(b.fcmp_ordered("==", now, real(0.0))):
            b.ret(_as_number(f, _truth(f, "at_zero", i)))
        b.ret(_as_number(f, b.icmp_unsigned("==", _truth(f, "above", i), b.fcmp_ordered(">", now, real(0.0)))))
    b.ret(floor(f, now))


def _side(module: ir.Module) -> None:
    """(slot, held): 1 or -1, the sign of what crosses as long as the value is held."""
    f = EventFunction(module, "side", _ONE_SLOT, REAL)
    b = f.b
    i, held = f.given
    agrees = b.icmp_unsigned("==", _truth(f, "above", i), b.fcmp_unordered("!=", held, real(0.0)))
    b.ret(b.select(b.or_(f.is_kind(i, "step"), agrees), real(1.0), real(-1.0)))


def _clock_time(module: ir.Module) -> None:
    """(slot, t, results): the time of the next event of a clock or sample, infinite if there is none."""
    f = EventFunction(module, "clock_time", (INTEGER, REAL, POINTER), REAL)
    b = f.b
    i, t, results = f.given
    one = INTEGER(1)
    with b.if_then(f.is_kind(i, "sample")):
        at = f.whole("now", i)
        first, interval = f.get(results, at), f.get(results, b.add(at, one))
        before = b.fsub(first, b.fmul(real(NEAR), f.size_of(first)))
        with b.if_then(b.fcmp_ordered("<", t, before)):
            b.ret(first)
        passed = b.fdiv(b.fsub(t, first), interval)
        number = floor(f, b.fadd(b.fmul(passed, real(1 + NEAR)), real(NEAR)))
        done = b.select(b.fcmp_ordered(">", interval, real(0.0)), number, real(inf))
        b.ret(b.fadd(first, b.fmul(interval, b.fadd(done, real(1.0)))))
    at = f.whole("clock", i)
    rate, rest = f.get(results, at), f.get(results, b.add(at, one))
    with b.if_then(b.fcmp_ordered("==", rate, real(0.0))):
        b.ret(real(inf))
    grows, held = b.fcmp_ordered(">", rate, real(0.0)), f.real("u", i)
    with b.if_then(f.is_kind(i, "step")):
        goal = b.fadd(held, _as_number(f, grows))
        b.ret(b.fdiv(b.fsub(goal, rest), rate))
    then = b.icmp_unsigned("==", _truth(f, "above", i), grows)
    pending = b.icmp_unsigned("!=", b.fcmp_unordered("!=", held, real(0.0)), then)
    b.ret(b.select(pending, b.fdiv(b.fneg(rest), rate), real(inf)))
