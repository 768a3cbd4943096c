"""Shapes of independent sources over time: SIN, PULSE, EXP, PWL, SFFM, AM."""

from itertools import pairwise

from acausal.base.frozen import dataclass
from acausal.imports.spice.netlist import Element
from acausal.imports.spice.scope import Scope
from acausal.imports.spice.tokens import Token
from acausal.imports.spice.values import difference, factor, minus, operand, plain_value, plus


@dataclass(frozen=True, slots=True)
class Shape:
    """A class of a shape with its arguments, or the equation of a signal; `kind` names the shape in the class."""

    kind: str
    arguments: dict[str, str]
    signal: str = ""


def shape_of_time(scope: Scope, name: Token, values: list[Token]) -> Shape:
    """The shape that is named, with its values."""
    least = {"am": 4, "sffm": 5}.get(name.low, 2)
    if len(values) < least:
        raise name.fault(f"{name.text} has {len(values)} values, at least {least} are needed")
    makers = {"sin": _sin, "sine": _sin, "pulse": _pulse, "exp": _exp, "am": _am, "sffm": _sffm}
    return makers[name.low](scope, name, values)


def _at(scope: Scope, values: list[Token], number: int, default: str) -> str:
    return scope.value(values[number]) if number < len(values) else default


def _step(scope: Scope, name: Token) -> str:
    if scope.netlist.transient is None:
        raise name.fault(f"{name.text} has a default that depends on .tran, which is absent")
    return scope.value(scope.netlist.transient.step)


def _stop(scope: Scope, name: Token) -> str:
    if scope.netlist.transient is None:
        raise name.fault(f"{name.text} has a default that depends on .tran, which is absent")
    return scope.value(scope.netlist.transient.stop)


def _zero(values: list[Token], number: int) -> bool:
    return number >= len(values) or values[number].number == 0.0


def _sin(scope: Scope, _name: Token, values: list[Token]) -> Shape:
    """SIN(offset amplitude frequency delay damping phase)."""
    arguments = {"amplitude": scope.value(values[1])}
    if _zero(values, 2):
        arguments["f"] = f"1/{operand(scope.netlist.transient.stop, scope)}" if scope.netlist.transient else "1"
    else:
        arguments["f"] = scope.value(values[2])
    if not _zero(values, 4):
        arguments["damping"] = scope.value(values[4])
    if not _zero(values, 0):
        arguments["offset"] = scope.value(values[0])
    if not _zero(values, 3):
        arguments["t0"] = scope.value(values[3])
    if not _zero(values, 5):
        arguments["phase"] = f"{operand(values[5], scope)}*pi/180"
        if not _zero(values, 3):
            return Shape("signal", {}, _delayed_sine(scope, values))
    return Shape("dampedsine" if "damping" in arguments else "sine", arguments)


def _delayed_sine(scope: Scope, values: list[Token]) -> str:
    """Before its delay a sine with a phase keeps the value at its beginning."""
    offset, amplitude, f, t0, damping, phase = [operand(v, scope) for v in values[:6]]
    since = f"max(time - {t0}, 0)"
    damped = "" if damping == "0" else f"exp(-{damping}*{since})*"
    return plus(offset, f"{amplitude}*{damped}sin(2*pi*{f}*{since} + {phase}*pi/180)")


def _am(scope: Scope, _name: Token, values: list[Token]) -> Shape:
    """AM(amplitude offset modulation carrier delay phase phase): 0 before its delay."""
    amplitude, offset, slow, fast, t0, phase, carrier = _filled(scope, values, 7)
    since = _since(t0)
    inner = plus(offset, f"sin(2*pi*{slow}*{since}{_phase(phase)})")
    return _delayed(t0, f"{amplitude}*({inner})*sin(2*pi*{fast}*{since}{_phase(carrier)})")


def _sffm(scope: Scope, _name: Token, values: list[Token]) -> Shape:
    """SFFM(offset amplitude carrier index signal phase phase): one tone frequency modulated by another."""
    offset, amplitude, fast, index, slow, carrier, phase = _filled(scope, values, 7)
    inner = f"{index}*sin(2*pi*{slow}*time{_phase(phase)})"
    return Shape("signal", {}, plus(offset, f"{amplitude}*sin(2*pi*{fast}*time{_phase(carrier)} + {inner})"))


def _filled(scope: Scope, values: list[Token], count: int) -> list[str]:
    """The values as operands, missing ones 0."""
    texts = [operand(v, scope) for v in values[:count]]
    return texts + ["0"] * (count - len(texts))


def _phase(degrees: str) -> str:
    return "" if degrees == "0" else f" + {degrees}*pi/180"


def _delayed(t0: str, text: str) -> Shape:
    return Shape("signal", {}, text if t0 == "0" else f"if time < {t0} then 0 else {text}")


def _pulse(scope: Scope, name: Token, values: list[Token]) -> Shape:
    """PULSE(low high delay rise fall width period); a slope of 0 is the step of .tran, as in SPICE."""
    arguments = {"height": difference(values[1], values[0], scope)}
    if not _zero(values, 0):
        arguments["offset"] = scope.value(values[0])
    if not _zero(values, 2):
        arguments["t0"] = scope.value(values[2])
    for key, number in (("rise", 3), ("fall", 4)):
        arguments[key] = _step(scope, name) if _zero(values, number) else scope.value(values[number])
    for key, number in (("width", 5), ("period", 6)):
        arguments[key] = _stop(scope, name) if _zero(values, number) else scope.value(values[number])
    if len(values) > 7:
        scope.remarks.warn("the number of pulses is not translated: the pulses continue", values[7].span)
    return Shape("trapezoid", arguments)


def _exp(scope: Scope, name: Token, values: list[Token]) -> Shape:
    """EXP(low high delay1 tau1 delay2 tau2): the rise goes on below the fall."""
    low, high = values[0], values[1]
    rest = [plain_value(v, scope) if not _zero([v], 0) else "" for v in values[2:6]]
    rest += [""] * (4 - len(rest))
    t1 = rest[0] or "0"
    tau1 = rest[1] or plain_value(scope.netlist.transient.step, scope) if scope.netlist.transient else rest[1]
    t2 = rest[2] or (plus(t1, plain_value(scope.netlist.transient.step, scope)) if scope.netlist.transient else "")
    tau2 = rest[3] or tau1
    if not (tau1 and t2):
        _step(scope, name)
    base, top = plain_value(low, scope), plain_value(high, scope)
    up, down = minus(top, base), minus(base, top)
    rising = f"(if time < {factor(t1)} then 0 else {factor(up)}*(1 - exp(-{_since(t1)}/{factor(tau1)})))"
    falling = f"(if time < {factor(t2)} then 0 else {factor(down)}*(1 - exp(-{_since(t2)}/{factor(tau2)})))"
    return Shape("signal", {}, f"{plus(base, rising)} +\n    {falling}")


def _since(instant: str, clock: str = "time") -> str:
    return clock if instant == "0" else f"({clock} - {factor(instant)})"


def piecewise_linear(
    scope: Scope, element: Element, name: Token, values: list[Token], given: dict[str, Token]
) -> Shape:
    """PWL(t1 v1 t2 v2 ...) r=t td=t: lines between the points, each an event; constant outside.

    `td` delays all, and from its last point on it repeats what follows the point `r`.
    """
    if len(values) < 2 or len(values) % 2:
        raise name.fault(f"{name.text} has {len(values)} values: pairs of time and value are needed")
    times, heights = values[::2], values[1::2]
    known = [token.number for token in times]
    if any(b is not None and a is not None and b < a for a, b in pairwise(known)):
        raise name.fault(f"the times of {name.text} do not increase")
    clock = _clock(scope, element, times, given)
    first, last = [plain_value(token, scope) for token in (heights[0], heights[-1])]
    pieces = [] if known[0] == 0.0 and clock == "time" else [f"{clock} < {operand(times[0], scope)} then {first}"]
    for k in range(len(times) - 1):
        (t0, t1), (v0, v1) = [[plain_value(x, scope) for x in pair[k : k + 2]] for pair in (times, heights)]
        if known[k] is None or known[k] != known[k + 1]:
            rise = f"{factor(minus(v1, v0))}*{_since(t0, clock)}/{factor(minus(t1, t0))}"
            pieces.append(f"{clock} < {factor(t1)} then {v0 if v0 == v1 else plus(v0, rise)}")
    if not pieces:
        return Shape("constant", {"value": last})
    return Shape(
        "signal", {}, "\n".join([f"(if {pieces[0]}", *[f"    elseif {p}" for p in pieces[1:]], f"    else {last})"])
    )


def _clock(scope: Scope, element: Element, times: list[Token], given: dict[str, Token]) -> str:
    """The time that a PWL counts, in a variable where it is delayed or repeated."""
    delay, begin = [given.get(key) for key in ("td", "r")]
    if begin is not None and begin.number is not None and begin.number < 0:
        begin = None
    if begin is not None and begin.number is not None and begin.number not in [token.number for token in times]:
        raise begin.fault(f"r={begin.text} is not one of the times of {element.name.text}")
    shifted = "time" if delay is None or delay.number == 0.0 else f"time - {operand(delay, scope)}"
    if shifted == "time" and begin is None:
        return "time"
    text = shifted
    if begin is not None:
        start, end = operand(begin, scope), plain_value(times[-1], scope)
        period, since = minus(end, start), minus(shifted, start)
        if period == "0":
            raise begin.fault(f"r={begin.text} is the last time of {element.name.text}")
        text = f"if {shifted} < {factor(end)} then {shifted} else {plus(start, f'mod({since}, {period})')}"
    clock = scope.values.unique(f"{scope.elements[element.name.low]}_clock")
    scope.declarations.append(f'local {clock} (unit="s") "time within the piecewise linear signal"')
    scope.equations.append(f"{clock} = {text}")
    return clock
