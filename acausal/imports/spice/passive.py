"""Resistors, capacitors, inductors and their coupling, lossless lines, and two-pin helpers of all elements."""

from acausal.imports.spice.netlist import Card, Element
from acausal.imports.spice.scope import Scope
from acausal.imports.spice.tokens import Token, Words, words
from acausal.imports.spice.values import factor, minus, operand, plain_value


def parts(element: Element, nodes: int) -> tuple[list[Token], Words]:
    """The nodes of an element and the words after them."""
    found = words(element.rest)
    if len(found.plain) < nodes:
        message = f"{element.name.text} has {len(found.plain)} nodes, not {nodes}"
        raise element.name.fault(message, "the nodes come first, as in R1 in out 1k")
    return list(found.plain[:nodes]), Words(found.plain[nodes:], found.given)


def list_unused(scope: Scope, element: Element, given: dict[str, Token], used: tuple[str, ...]) -> None:
    """Warn of arguments that are not translated."""
    for name, token in given.items():
        if name not in used:
            scope.remarks.warn(f"{name}= of {element.name.text} is not translated", token.span)


def two_pins(scope: Scope, class_: str, element: Element, arguments: dict[str, str], start: str = "") -> str:
    """An element along its path, from its first node to its second."""
    (a, b), _ = parts(element, 2)
    name = scope.add(class_, element, arguments, [(a, "Va"), (b, "Vb")], start)
    scope.currents[element.name.low] = f"{name}.i"
    return name


def _size(element: Element, found: Words, letter: str) -> Token:
    """The value of R, C or L: the word after the nodes, or that by name."""
    for name in (letter, {"r": "resistance", "c": "capacitance", "l": "inductance"}[letter]):
        if name in found.given:
            return found.given[name]
    if not found.plain:
        raise element.name.fault(f"{element.name.text} has no value")
    return found.plain[0]


def resistor(scope: Scope, element: Element) -> None:
    """`R1 a b 1k TC=1m,2u TEMP=50`, `R1 a b 1k card` and `R1 a b card R=1k` with a card of type R."""
    _, found = parts(element, 2)
    card = next((c for token in found.plain if (c := _resistor_card(scope, token)) is not None), None)
    plain = tuple([token for token in found.plain if card is None or token.low != card.name.low])
    second = plain[1] if "tc" in found.given and len(plain) > 1 else None  # TC=first,second
    size = _size(element, Words(plain, found.given), "r")
    list_unused(scope, element, found.given, ("r", "resistance", "tc", "tc1", "tc2", "temp"))
    for extra in plain:
        if extra is not size and extra is not second:
            scope.remarks.warn(f"{extra.text} of {element.name.text} is not translated", extra.span)
    given = {} if card is None else {name.lower(): token for name, token in card.parameters.items()}
    if card is not None:
        for name, token in card.parameters.items():
            if name not in ("TC1", "TC2", "TNOM"):
                scope.remarks.warn(f"the parameter {name} of {card.name.text} is not translated", token.span)
    given |= {name: token for name, token in found.given.items() if name in ("tc1", "tc2", "temp")}
    if "tc" in found.given:
        given["tc1"] = found.given["tc"]
    if second is not None:
        given["tc2"] = second
    share = _warmed(scope, given)
    value = scope.value(size) if share == "1" else f"{operand(size, scope)}*({share})"
    two_pins(scope, "resistor", element, {"R": value})


def _resistor_card(scope: Scope, token: Token) -> Card | None:
    card = scope.circuit.card(token.low)
    return card if card is not None and card.kind.low in ("r", "res") else None


def _warmed(scope: Scope, given: dict[str, Token]) -> str:
    """1 + TC1*dT + TC2*dT^2 with the temperature above that of the value."""
    here, nominal = [
        "27" if token is None else plain_value(token, scope)
        for token in (
            given.get("temp", scope.netlist.temperature),
            given.get("tnom", scope.netlist.nominal),
        )
    ]
    above = minus(here, nominal)
    if above == "0":
        return "1"
    terms = ["1"]
    for name, power in (("tc1", ""), ("tc2", "^2")):
        if name in given and given[name].number != 0.0:
            terms.append(f"{operand(given[name], scope)}*{factor(above)}{power}")
    return " + ".join(terms)


def capacitor(scope: Scope, element: Element) -> None:
    """`C1 a b 10u IC=5`; initial values hold with UIC alone."""
    nodes, found = parts(element, 2)
    list_unused(scope, element, found.given, ("c", "capacitance", "ic"))
    start = ""
    if scope.netlist.transient is not None and scope.netlist.transient.uic:
        ends = [scope.netlist.initial.get(node.low) for node in nodes]
        texts = [scope.value(end[1]) for end in ends if end is not None]
        given = found.given.get("ic")
        known = " - ".join(texts) if len(texts) == 2 else texts[0] if ends[0] else f"-({texts[0]})" if texts else "0"
        start = f" (ic u={scope.value(given) if given is not None else known})"
    elif "ic" in found.given:
        scope.remarks.note("IC= has no effect without UIC in .tran", found.given["ic"].span)
    two_pins(scope, "capacitor", element, {"C": scope.value(_size(element, found, "c"))}, start)


def inductor(scope: Scope, element: Element) -> None:
    """`L1 a b 1m IC=0`; a coupled one is written by its equation, so that any number can be coupled."""
    _, found = parts(element, 2)
    list_unused(scope, element, found.given, ("l", "inductance", "ic"))
    uic = scope.netlist.transient is not None and scope.netlist.transient.uic
    given = found.given.get("ic")
    if given is not None and not uic:
        scope.remarks.note("IC= has no effect without UIC in .tran", given.span)
    start = f" (ic i={scope.value(given) if given is not None else '0'})" if uic else ""
    size = scope.value(_size(element, found, "l"))
    others = couplings(scope).get(element.name.low)
    if others is None:
        two_pins(scope, "inductor", element, {"L": size}, start)
        return
    name = two_pins(scope, "signalvoltage", element, {}, start)
    own = scope.values.unique(f"{name}_L")
    scope.declarations.append(f'parameter {own} (unit="H") = {size} "inductance of {name}"')

    def equation() -> None:
        terms = [f"{own}*der({name}.i)"]
        for other, mutual in others:
            terms.append(f"{mutual}*der({scope.elements[other]}.i)")
        scope.equations.append(f"{name}.Va - {name}.Vb = {' + '.join(terms)}")

    scope.later.append(equation)


def couplings(scope: Scope) -> dict[str, list[tuple[str, str]]]:
    """The inductors that each inductor is coupled with, and the names of the mutual inductances."""
    found: dict[str, list[tuple[str, str]]] = {}
    for element in scope.circuit.elements:
        if element.name.low[0] == "k":
            plain = words(element.rest).plain
            coils = [token.low for token in plain[:-1]]
            for k, first in enumerate(coils):
                for second in coils[k + 1 :]:
                    mutual = _mutual(scope, element, first, second, len(coils) > 2)
                    found.setdefault(first, []).append((second, mutual))
                    found.setdefault(second, []).append((first, mutual))
    return found


def _mutual(scope: Scope, element: Element, first: str, second: str, several: bool) -> str:
    name = scope.elements[element.name.low]
    return f"{name}_{scope.elements.get(first, first)}_{scope.elements.get(second, second)}" if several else f"{name}_M"


def coupling(scope: Scope, element: Element) -> None:
    """`K1 L1 L2 0.99`: mutual inductances k*sqrt(L1*L2)."""
    plain = words(element.rest).plain
    if len(plain) < 3:
        raise element.name.fault(f"{element.name.text} has two inductors and a factor", "as in K1 L1 L2 0.99")
    coils = plain[:-1]
    for coil in coils:
        if coil.low[0] != "l" or coil.low not in scope.elements:
            raise coil.fault(f"{coil.text} is not an inductor of this circuit")
    share = operand(plain[-1], scope)
    for k, first in enumerate(coils):
        for second in coils[k + 1 :]:
            mutual = _mutual(scope, element, first.low, second.low, len(coils) > 2)
            names = [scope.elements[coil.low] for coil in (first, second)]
            root = f"sqrt({names[0]}_L*{names[1]}_L)"
            said = f'"{" and ".join(names)} (line {element.name.span.line})"'
            scope.declarations.append(f'parameter {mutual} (unit="H") = {share}*{root} {said}')


def line(scope: Scope, element: Element) -> None:
    """`T1 a b c d Z0=50 TD=10n`."""
    nodes, found = parts(element, 4)
    list_unused(scope, element, found.given, ("z0", "td", "f", "nl"))
    if "z0" not in found.given or not {"td", "f"} & set(found.given):
        raise element.name.fault(f"{element.name.text} has no Z0= and TD=")
    if "td" in found.given:
        delay = scope.value(found.given["td"])
    else:
        share = plain_value(found.given["nl"], scope) if "nl" in found.given else "0.25"
        delay = f"{factor(share)}/{operand(found.given['f'], scope)}"
    pins = list(zip(nodes, ("Va", "Vb", "Vc", "Vd"), strict=True))
    scope.add("transmissionline", element, {"Z": scope.value(found.given["z0"]), "T": delay}, pins)
