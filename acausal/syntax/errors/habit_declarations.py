"""Declarations as other languages write them: types, components, cards, colons."""

from acausal.base.diagnostics import Diagnostic
from acausal.syntax.errors.habit_values import habit
from acausal.syntax.errors.situation import Situation

TYPES = (
    dict.fromkeys(("Real", "float", "double", "Float64"), "real")
    | dict.fromkeys(("Integer", "int", "Int", "Int64"), "integer")
    | dict.fromkeys(("Boolean", "bool", "Bool", "logical"), "boolean")
    | dict.fromkeys(("String", "str", "char"), "string")
)
"""Types of other languages, and what they are called here."""
_KINDS = frozenset("parameter constant local terminal input output internal external discrete".split())
_CARD = {
    "R": ("resistor", "R"),
    "C": ("capacitor", "C"),
    "L": ("inductor", "L"),
    "V": ("source", "V"),
    "I": ("currentsource", "I"),
    "D": ("diode", ""),
}
"""First letters of SPICE's cards: the class, and the parameter that the card's value is for."""


def foreign_type(here: Situation) -> Diagnostic | None:
    """`parameter Real R`: types are written in small letters; `parameter SI.Voltage V` is a unit."""
    first = here.statement()
    if here.text(first) not in _KINDS or here.kind(first + 1) != "NAME":
        return None
    kind, word = here.text(first), here.text(first + 1)
    if here.kind() == "NAME" and first == -2 and word in TYPES:
        hint = f"write `{kind} {TYPES[word]} {here.text()}`" + (
            f", or `{kind} {here.text()}`" if TYPES[word] == "real" else ""
        )
        return habit(f"the type `{word}` has a different name", here.span(-1), hint)
    if here.text() == "." and first == -2:
        step = 0
        while here.text(step) == "." and here.kind(step + 1) == "NAME":
            step += 2
        if here.kind(step) == "NAME":
            span = here.span(first + 1).to(here.span(step - 1))
            name = here.text(step)
            return habit("a quantity is not a type", span, f'write `{kind} {name} (unit="...")`')
    return None


def spice_card(here: Situation) -> Diagnostic | None:
    """`R1 n1 n2 1k`: a card of SPICE, recognized by its letter and three words or numbers behind it."""
    first = here.statement()
    name, last = here.text(first), first
    while here.kind(last + 1) in ("NAME", "NUMBER"):
        last += 1
    if here.kind(first) != "NAME" or last < first + 3 or name[0].upper() not in _CARD:
        return None
    class_, parameter = _CARD[name[0].upper()]
    ends = f"{here.text(first + 1)}, {here.text(first + 2)}"
    value = here.text(first + 3) if here.kind(first + 3) == "NUMBER" else "..."
    arguments = f"({parameter}={value})" if parameter else ""
    hint = f"write `submodel ({class_}) {name}{arguments}` and `connect {name} at ({ends})`; names begin with a letter"
    return habit("a SPICE card is not a statement", here.span(first).to(here.span(last)), hint)


def component(here: Situation) -> Diagnostic | None:
    """`resistor R1(R=1)` and `submodel resistor R1`."""
    first = here.statement()
    words = [here.text(step) for step in range(first, 0)]
    if here.kind() != "NAME" or here.first_of_line():
        return None
    if (
        len(words) % 2 == 1
        and all(w == "." for w in words[1::2])
        and all(here.kind(step) == "NAME" for step in range(first, 0, 2))
    ):
        class_, name = "".join(words), here.text()
        if class_ in TYPES:
            return None
        span, hint = here.span(first).to(here.span()), f"write `submodel ({class_}) {name}`"
        return habit("a submodel is declared with its class in parentheses", span, hint)
    return None


def colon(here: Situation) -> Diagnostic | None:
    """`a:b` where a value belongs: a cut has no value, and a range is allowed in an index only."""
    if here.text() != ":":
        return None
    first = here.statement()
    word, before, behind = here.text(first), here.text(-1), here.text(1)
    if word in ("connect", "close", "cut", "path", "main", "for"):
        return None
    if word in ("if", "elseif", "when", "elsewhen", "else", "for") and here.kind(1) in ("_END", ""):
        hint = f"write `{word} ... then`" if word != "else" else "write `else` alone"
        return habit(f"no `:` after `{word}`", here.span(), hint)
    if here.text(first) in _KINDS:
        type_ = TYPES.get(behind, "real" if behind == "" else behind)
        hint = f"the type precedes the name: {word} {TYPES.get(behind, type_)} {before}"
        return habit("the type precedes the name", here.span(), hint)
    if here.kind(-1) == "NAME" and behind in TYPES and first == -1:
        hint = f"write `local {TYPES[behind]} {before}`: the type precedes the name"
        return habit("the type precedes the name", here.span(), hint)
    if here.kind(-1) == "NAME" and here.kind(1) == "NAME":
        start = -1
        while here.text(start - 1) == "." and here.kind(start - 2) == "NAME":
            start -= 2
        path = "".join(here.text(step) for step in range(start, 0))
        span = here.span(start).to(here.span(1))
        hint = f"`{path}:{behind}` names a cut, in connect statements; a variable of {path} is {path}.{behind}"
        return habit("a cut has no value", span, hint)
    if here.kind(-1) in ("NUMBER", "NAME", "RPAR") and here.kind(1) in ("NUMBER", "NAME", "LPAR"):
        hint = "a range is allowed in an index only: x[1:3]; an array is [1, 2, 3], a loop `for i = 1 to 3 ... endfor`"
        return habit("a range is not a value", here.span(), hint)
    return None
