"""Semiconductors, and the classes of their `.model` cards."""

from acausal.imports.spice.netlist import Card, Element
from acausal.imports.spice.passive import list_unused, parts
from acausal.imports.spice.scope import Scope
from acausal.imports.spice.tokens import Token
from acausal.imports.spice.values import literal
from acausal.imports.text.lines import comment, wrapped
from acausal.spice_cards import CLASS_OF, OTHER_NAMES, PARAMETERS

_DIODE = {"PB": "VJ", "MJ": "M"}
_PINS = {
    "d": ("Va", "Vb"),
    "q": ("Vc", "Vb", "Ve"),
    "j": ("Vd", "Vg", "Vs"),
    "m": ("Vd", "Vg", "Vs", "Vb"),
}
_KINDS = {"d": ("D",), "q": ("NPN", "PNP"), "j": ("NJF", "PJF"), "m": ("NMOS", "PMOS")}
_THERMAL = 0.02585
"""Thermal voltage in V at 27 degC."""
_SIZES = ("L", "W", "AD", "AS", "PD", "PS")


def device(scope: Scope, element: Element) -> None:
    """`D1 a k MODEL [area]`, `Q1 c b e [substrate] MODEL [area]`, `J1 d g s MODEL`, `M1 d g s b MODEL L= W=`."""
    letter = element.name.low[0]
    pins = _PINS[letter]
    nodes, found = parts(element, len(pins))
    rest = list(found.plain)
    card = _card(scope, element, rest)
    area = found.given.get("area")
    if area is None and rest and rest[0].number is not None:
        area = rest.pop(0)
    used = ["area", "ic", "off", "temp"]
    if letter == "m":
        arguments = {name: scope.value(found.given[name.lower()]) for name in _SIZES if name.lower() in found.given}
        used += [name.lower() for name in arguments]
    else:
        used.append("m")
        area = found.given.get("m") if area is None else area
        arguments = {} if area is None else {"AREA": scope.value(area)}
    for token in rest:
        if token.low != "off":
            scope.remarks.warn(f"{token.text} of {element.name.text} is not translated", token.span)
    for name in ("ic", "off"):
        if name in found.given:
            scope.remarks.note(f"{name.upper()}= of {element.name.text} is not translated", found.given[name].span)
    if "temp" in found.given:
        arguments["TEMP"] = scope.value(found.given["temp"])
    list_unused(scope, element, found.given, tuple(used))
    name = scope.add(scope.classes.of_card(scope, card), element, arguments, list(zip(nodes, pins, strict=True)))
    if letter == "d":
        scope.currents[element.name.low] = f"{name}.i"


def _card(scope: Scope, element: Element, rest: list[Token]) -> Card:
    """The card of a device, taken from the words after its nodes; a fourth node of a Q is its substrate."""
    if element.name.low[0] == "q" and len(rest) > 1 and scope.circuit.card(rest[0].low) is None:
        token = rest.pop(0)
        scope.remarks.warn(f"the substrate of {element.name.text} is not translated", token.span)
    if not rest:
        raise element.name.fault(f"{element.name.text} has no model")
    token = rest.pop(0)
    card = scope.circuit.card(token.low)
    if card is None:
        raise token.fault(f"there is no .model {token.text}", "add the card, or .include its file")
    kinds = _KINDS[element.name.low[0]]
    if card.kind.text.upper() not in kinds:
        message = f"{element.name.text} needs a model of type {' or '.join(kinds)}, not {card.kind.text}"
        raise token.fault(message, None, card.kind.span)
    return card


def _raise_current(scope: Scope, card: Card, arguments: dict[str, str]) -> None:
    """IBV must exceed the leakage IS*BV/VT at BV; SPICE raises it too."""
    values = {"IS": 1e-14, "IBV": 1e-3} | {
        n: t.number or 0.0 for n, t in card.parameters.items() if t.number is not None
    }
    leakage = values["IS"] * values["BV"] / _THERMAL
    if values["IBV"] <= leakage:
        arguments["IBV"] = f"{1.01 * leakage:.3g}"
        token = card.parameters.get("IBV", card.name)
        scope.remarks.note(f"IBV of {card.name.text} is raised to {arguments['IBV']} A, above IS*BV/VT", token.span)


def card_class(scope: Scope, card: Card, name: str) -> list[str]:
    """`model class (diode(IS=1n, ...)) NAME`; what the class of semiconductors.lib does not have is listed."""
    level = card.parameters.get("LEVEL")
    if level is not None and level.number != 1.0:
        hint = "semiconductors.lib has the models of level 1"
        raise level.fault(f"the level {level.text} of {card.name.text} is not supported", hint)
    kind = CLASS_OF[card.kind.text.upper()]
    kind = "zener" if kind == "diode" and "BV" in card.parameters else kind
    known = PARAMETERS[kind]
    arguments: dict[str, str] = {}
    for given, token in card.parameters.items():
        usual = given if given in known else OTHER_NAMES.get(given, given)
        if usual not in known and kind in ("diode", "zener"):
            usual = _DIODE.get(given, given)
        if given == "LEVEL":
            continue
        if usual not in known:
            message = f"the parameter {given} of {card.name.text} is not translated: the class {kind} has none"
            scope.remarks.warn(message, token.span)
            continue
        text = literal(token)
        if text is None:
            raise token.fault(f"{given} of {card.name.text} is not a number", "write the value of the expression")
        arguments[usual] = text
    if kind == "zener":
        _raise_current(scope, card, arguments)
    for usual, given_for_all in (("TNOM", scope.netlist.nominal), ("TEMP", scope.netlist.temperature)):
        if given_for_all is not None and usual not in arguments:
            arguments[usual] = literal(given_for_all) or given_for_all.text
    inner = ", ".join([f"{key}={text}" for key, text in arguments.items()])
    first = f"model class ({kind}{f'({inner})' if inner else ''}) {name}"
    return ["", comment(f"{card.name.place}: .model {card.name.text}"), *wrapped(first), "end"]
