"""Controlled sources E, F, G, H, B and switches S, W."""

from collections.abc import Sequence

from acausal.imports.spice.expressions import expression
from acausal.imports.spice.netlist import Card, Element
from acausal.imports.spice.passive import list_unused, parts
from acausal.imports.spice.scope import Scope
from acausal.imports.spice.tokens import Token
from acausal.imports.spice.values import minus, operand, plain_value
from acausal.imports.text.numbers import number

_FORMS = ("value", "vol", "cur", "poly", "table", "laplace", "freq")


def signal_source(scope: Scope, element: Element, *, voltage: bool) -> str:
    """A source whose value an equation gives; the variable that it is for."""
    (first, second), _ = parts(element, 2)
    pins = [(second, "Va"), (first, "Vb")] if voltage else [(first, "Va"), (second, "Vb")]
    name = scope.add("signalvoltage" if voltage else "signalcurrent", element, {}, pins)
    scope.currents[element.name.low] = f"-{name}.i" if voltage else f"{name}.i"
    return f"{name}.{'e' if voltage else 'j'}"


def controlled_by_voltage(scope: Scope, element: Element) -> None:
    """`E1 plus minus cplus cminus gain`, `G1 ...`, and their forms VALUE, POLY, TABLE."""
    voltage = element.name.low[0] == "e"
    (first, second), found = parts(element, 2)
    written = [token for token in element.rest if token.low in _FORMS]
    if written:
        _form(scope, element, written[0], voltage)
        return
    if len(found.plain) != 3:
        hint = "as in E1 out 0 a b 100, or E1 out 0 VALUE={100*v(a,b)}"
        raise element.name.fault(f"{element.name.text} has no controlling nodes and gain", hint)
    list_unused(scope, element, found.given, ())
    plus, minus, gain = found.plain
    pins = [(plus, "Va"), (minus, "Vb"), (first, "Vc"), (second, "Vd")]
    name = scope.add("VCVS" if voltage else "VCCS", element, {"k" if voltage else "g": scope.value(gain)}, pins)
    scope.currents[element.name.low] = f"{name}.i2"


def _form(scope: Scope, element: Element, form: Token, voltage: bool) -> None:
    rest = [token for token in element.rest if token.text != ","]
    values = [token for token in rest[rest.index(form) + 1 :] if token.text not in "=()"]
    if form.low in ("laplace", "freq") or not values:
        scope.skip(element, f"{form.text.upper()} of {element.name.text} is not translated")
        return
    variable = signal_source(scope, element, voltage=form.low == "vol" or (voltage and form.low != "cur"))

    def equation() -> None:
        if form.low == "poly":
            text = polynomial(scope, element, values, currents=False)
        elif form.low == "table":
            text = _table(scope, form, values)
        else:
            text = expression(values[0], scope)
        scope.equations.append(f"{variable} = {text}")

    scope.later.append(equation)


def _table(scope: Scope, form: Token, values: list[Token]) -> str:
    """TABLE {expression} = (x, y) (x, y) ..."""
    points = values[1:]
    if len(points) < 4 or len(points) % 2:
        raise form.fault("TABLE has pairs of numbers")
    xs, ys = [", ".join([plain_value(p, scope) for p in points[k::2]]) for k in (0, 1)]
    return f"interp({expression(values[0], scope)}, [{xs}], [{ys}])"


def polynomial(scope: Scope, element: Element, values: Sequence[Token], *, currents: bool) -> str:
    """POLY(n): the controlling quantities, then coefficients of 1, x1, x2, ..., x1^2, x1*x2, ..., as in SPICE2."""
    count = int(values[0].number or 0)
    width = 1 if currents else 2
    if not 1 <= count <= 20 or len(values) <= 1 + width * count:
        raise element.name.fault(f"POLY of {element.name.text} needs a number of quantities, these, and coefficients")
    quantities = []
    for k in range(count):
        names = values[1 + width * k : 1 + width * (k + 1)]
        if currents:
            quantities.append(scope.current(names[0].low, names[0]))
        else:
            a, b = [scope.potential(name.low, name) for name in names]
            quantities.append(a if b == "0" else f"-{b}" if a == "0" else f"({a} - {b})")
    coefficients = values[1 + width * count :]
    if count == 1 and len(coefficients) == 1:
        return f"{operand(coefficients[0], scope)}*{_factor(quantities[0])}"
    terms = []
    for coefficient, powers in zip(coefficients, _powers(count, len(coefficients)), strict=True):
        if coefficient.number != 0.0:
            factors = [operand(coefficient, scope), *[_factor(quantities[k]) for k in powers]]
            terms.append("*".join(factors))
    return " + ".join(terms) or "0"


def _factor(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def _powers(count: int, wanted: int) -> list[tuple[int, ...]]:
    """The factors of each term, by degree, then in the order of the quantities."""
    found: list[tuple[int, ...]] = [()]
    degree: list[tuple[int, ...]] = [()]
    while len(found) < wanted:
        degree = [(*term, k) for term in degree for k in range(term[-1] if term else 0, count)]
        found += degree
    return found[:wanted]


def controlled_by_current(scope: Scope, element: Element) -> None:
    """`F1 from to V1 gain`, `H1 plus minus V1 resistance`, and POLY."""
    _, found = parts(element, 2)
    plain = [token for token in found.plain if token.text not in "()"]
    variable = signal_source(scope, element, voltage=element.name.low[0] == "h")
    if len(plain) < 2:
        raise element.name.fault(f"{element.name.text} has no source of the current and gain", "as in F1 a b V1 100")

    def equation() -> None:
        if plain[0].low == "poly":
            text = polynomial(scope, element, plain[1:], currents=True)
        else:
            current, gain = scope.current(plain[0].low, plain[0]), operand(plain[1], scope)
            text = f"-{gain}*{current[1:]}" if current.startswith("-") else f"{gain}*{current}"
        scope.equations.append(f"{variable} = {text}")

    scope.later.append(equation)


def by_expression(scope: Scope, element: Element) -> None:
    """`B1 plus minus V={...}` or `I={...}`; without braces the expression is the rest of the line."""
    _, found = parts(element, 2)
    voltage = "v" in found.given
    if not voltage and "i" not in found.given:
        raise element.name.fault(f"{element.name.text} has no V= or I=", "as in B1 out 0 V={2*v(in)}")
    token = found.given["v" if voltage else "i"]
    if token.text[0] not in "{'":
        token = Token(token.statement.text[token.start :].rstrip(), token.statement, token.start)
    variable = signal_source(scope, element, voltage=voltage)
    scope.later.append(lambda: scope.equations.append(f"{variable} = {expression(token, scope)}"))


def switch(scope: Scope, element: Element) -> None:
    """`S1 a b cplus cminus model`, `W1 a b V1 model`: closed above a threshold, with hysteresis."""
    by_voltage = element.name.low[0] == "s"
    nodes, found = parts(element, 4 if by_voltage else 2)
    rest = list(found.plain) if by_voltage else list(found.plain[1:])
    card = scope.circuit.card(rest[0].low) if rest else None
    if card is None or card.kind.low not in (("sw", "vswitch") if by_voltage else ("csw", "iswitch")):
        raise element.name.fault(f"{element.name.text} has no .model of type {'SW' if by_voltage else 'CSW'}")
    letter = "V" if by_voltage else "I"
    first = next((card.parameters[n] for n in (f"{letter}T", f"{letter}ON") if n in card.parameters), None)
    if f"{letter}ON" in card.parameters or f"{letter}OFF" in card.parameters:
        scope.skip(element, f"switches with {letter}ON and {letter}OFF are not translated")
        return
    _list_unknown(scope, card, {f"{letter}T", f"{letter}H", "RON", "ROFF"})
    off = card.parameters.get("ROFF")
    goff = "1e-12" if off is None else number(1 / off.number) if off.number else f"1/{operand(off, scope)}"
    ron = scope.value(card.parameters["RON"]) if "RON" in card.parameters else "1"
    pins = [(nodes[0], "Va"), (nodes[1], "Vb")]
    name = scope.add("idealswitch", element, {"Ron": ron, "Goff": goff}, pins)
    scope.currents[element.name.low] = f"{name}.i"
    on = len(rest) > 1 and rest[1].low == "on"

    def equation() -> None:
        if by_voltage:
            a, b = [scope.potential(node.low, node) for node in nodes[2:4]]
            signal = a if b == "0" else f"{a} - {b}"
        else:
            signal = scope.current(found.plain[0].low, found.plain[0])
        threshold = plain_value(first, scope) if first is not None else "0"
        width = card.parameters.get(f"{letter}H")
        if width is None or width.number == 0.0:
            scope.equations.append(f"{name}.on = {minus(signal, threshold)}")
            return
        state, half = scope.values.unique(f"{name}_closed"), plain_value(width, scope)
        scope.declarations.append(f'discrete integer {state} (start={int(on)}) "1 if {name} is closed"')
        scope.equations.append(
            f"new({state}) = (if {signal} > {threshold} + {half} then 1\n"
            f"elseif {signal} < {threshold} - {half} then 0 else {state})"
        )
        scope.equations.append(f"{name}.on = {state}")

    scope.later.append(equation)


def _list_unknown(scope: Scope, card: Card, known: set[str]) -> None:
    for name, token in card.parameters.items():
        if name not in known:
            scope.remarks.warn(f"the parameter {name} of {card.name.text} is not translated", token.span)
