"""Statements as other languages write them: declarations, components, cards, sections, calls that act.

Each rule knows the whole statement and shows it in the form of this language.
"""

import re

from acausal.base.diagnostics import Diagnostic, Label
from acausal.base.source import Span
from acausal.ir.ops import OPS
from acausal.syntax.errors.situation import Situation

TYPES = (
    dict.fromkeys(("Real", "float", "double", "Float64"), "real")
    | dict.fromkeys(("Integer", "int", "Int", "Int64"), "integer")
    | dict.fromkeys(("Boolean", "bool", "Bool", "logical"), "boolean")
    | dict.fromkeys(("String", "str", "char"), "string")
)
"""Types of other languages, and what they are called here."""
_KINDS = frozenset("parameter constant local terminal input output internal external discrete".split())
_PREFIX = {"T": 12, "G": 9, "M": 6, "Meg": 6, "meg": 6, "k": 3, "K": 3, "m": -3, "u": -6, "µ": -6, "n": -9, "p": -12}
_UNITS = frozenset(
    """Ohm ohm ohms V A W F H C Hz s min h ms m mm cm km g kg N Nm J K degC deg rad rpm Pa bar l L mol S T Wb lm lx
    percent""".split()
)
_SCALED = re.compile(r"(Meg|meg|[TGMkKmuµnp])(\w*)")
_CARD = {
    "R": ("resistor", "R"),
    "C": ("capacitor", "C"),
    "L": ("inductor", "L"),
    "V": ("source", "V"),
    "I": ("currentsource", "I"),
    "D": ("diode", ""),
}
"""First letters of SPICE's cards: the class, and the parameter that the card's value is for."""
_SHOWN = 'a run writes all variables; write a check as `assert(condition, "text")`'
_ACTIONS = dict.fromkeys(("print", "println", "disp", "printf"), _SHOWN) | {
    "reinit": "write `init({0}) = {1}` inside `when ... endwhen`",
    "error": 'write `assert(condition, "text")`',
    "warning": 'write `assert(condition, "text")`',
    "stop": 'write `terminate(condition, "text")`',
}
_MACROS = {
    "@variables": "write `local x, y`: variables depend on time implicitly",
    "@parameters": "write `parameter k=1`",
    "@constants": "write `constant c=1`",
    "@named": "write `submodel (Class) name`",
    "@components": "write `submodel (Class) name`",
    "@mtkmodel": "write `model class Name ... end`",
    "@connector": "connection points are cuts of a class: cut A (v / i)",
    "@equations": "omit the word: equations and declarations can be in any order",
    "@structural_parameters": "write `parameter integer N=3`",
}


def foreign_statement(here: Situation) -> Diagnostic | None:
    """The first of the rules below that knows the statement."""
    for rule in (
        _macro,
        _section,
        _action,
        _typed,
        _der,
        _unbracketed,
        _card,
        _comment,
        _component,
        _decimal_comma,
        _prefixed,
        _colon,
        *_INSIDE,
    ):
        found = rule(here)
        if found is not None:
            return found
    return None


def _habit(message: str, span: Span, hint: str, code: str = "P022") -> Diagnostic:
    return Diagnostic(code, message, Label(span), help=hint)


def _macro(here: Situation) -> Diagnostic | None:
    first = here.statement()
    hint = _MACROS.get(here.text(first))
    return None if hint is None else _habit(f"`{here.text(first)}` is not part of the language", here.span(first), hint)


def _section(here: Situation) -> Diagnostic | None:
    """`initial equation`, `initial algorithm`."""
    first = here.statement()
    if here.text(first) != "initial" or here.text(first + 1) not in ("equation", "algorithm", "equations"):
        return None
    span = here.span(first).to(here.span(first + 1))
    hint = "write `initial` before each of them: initial x = 2"
    return _habit("there is no section of initial equations", span, hint)


def _action(here: Situation) -> Diagnostic | None:
    """A call as a statement: `reinit(v, -e*v)`, `print(x)`."""
    first = here.statement()
    hint = _ACTIONS.get(here.text(first))
    if hint is None or here.text(first + 1) != "(" or here.kind() not in ("_END", "COMMA", "STRING", "RPAR"):
        return None
    written = here.source.text[here.span(first).start : here.span(0).start]
    inside = re.match(r"\w+\(\s*([\w.\[\]]+)\s*,\s*(.*)\)\s*$", written, re.DOTALL)
    hint = hint.format(*(inside.groups() if inside else ("x", "value")))
    return _habit(f"`{here.text(first)}` is not part of the language", here.span(first), hint)


def _typed(here: Situation) -> Diagnostic | None:
    """`parameter Real R`: types are written in small letters; `parameter SI.Voltage V` is a unit."""
    first = here.statement()
    if here.text(first) not in _KINDS or here.kind(first + 1) != "NAME":
        return None
    kind, word = here.text(first), here.text(first + 1)
    if here.kind() == "NAME" and first == -2 and word in TYPES:
        hint = f"write `{kind} {TYPES[word]} {here.text()}`" + (
            f", or `{kind} {here.text()}`" if TYPES[word] == "real" else ""
        )
        return _habit(f"the type `{word}` has a different name", here.span(-1), hint)
    if here.text() == "." and first == -2:
        step = 0
        while here.text(step) == "." and here.kind(step + 1) == "NAME":
            step += 2
        if here.kind(step) == "NAME":
            span = here.span(first + 1).to(here.span(step - 1))
            name = here.text(step)
            return _habit("a quantity is not a type", span, f'write `{kind} {name} (unit="...")`')
    return None


def _der(here: Situation) -> Diagnostic | None:
    if here.text(-1) != "der" or here.kind() != "NAME":
        return None
    span = here.span(-1).to(here.span())
    return _habit("function arguments are written in parentheses", span, f"write `der({here.text()})`")


def _unbracketed(here: Situation) -> Diagnostic | None:
    """`sin x`."""
    if here.kind() not in ("NAME", "NUMBER") or here.text(-1) not in OPS or here.kind(-1) != "NAME":
        return None
    span = here.span(-1).to(here.span())
    hint = f"write `{here.text(-1)}({here.text()})`"
    return _habit("function arguments are written in parentheses", span, hint)


def _method(here: Situation) -> Diagnostic | None:
    """`np.sin(x)`, `a.append(2)`."""
    if here.text() != "(" or here.kind(-1) != "NAME" or here.text(-2) != ".":
        return None
    start = -1
    while here.text(start - 1) == "." and here.kind(start - 2) == "NAME":
        start -= 2
    step = depth = 0
    while here.kind(step) not in ("_END", ""):
        depth += (here.text(step) == "(") - (here.text(step) == ")")
        step += 1
        if not depth:
            break
    written = here.source.text[here.span(-1).start : here.span(step - 1).end]
    shown = written if len(written) <= 40 else f"{here.text(-1)}(...)"
    span = here.span(start).to(here.span(-1))
    return _habit("values have no methods, and functions no prefix", span, f"write `{shown}`")


def _choice_behind(here: Situation) -> Diagnostic | None:
    """`y = a if c else b`."""
    if here.text() != "if" or here.first_of_line() or here.kind(-1) not in ("NAME", "NUMBER", "RPAR", "RSQB"):
        return None
    step = 1
    while here.kind(step) not in ("_END", "", "THEN"):
        if here.text(step) == "else":
            return _habit("the condition must come first", here.span(), "write `if c then a else b`")
        step += 1
    return None


_INSIDE = (_method, _choice_behind)
"""Rules for parts of expressions."""


def _card(here: Situation) -> Diagnostic | None:
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
    return _habit("a SPICE card is not a statement", here.span(first).to(here.span(last)), hint)


def _component(here: Situation) -> Diagnostic | None:
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
        return _habit("a submodel is declared with its class in parentheses", span, hint)
    return None


def _is_unit(word: str) -> bool:
    """True if a word looks like a unit."""
    return word in _UNITS or (word[:1] in _PREFIX and word[1:] in _UNITS)


def _decimal_comma(here: Situation) -> Diagnostic | None:
    """`R=0,5`: two numbers with a comma between, where an argument belongs."""
    if here.kind() != "NUMBER" or here.text(-1) != "," or here.kind(-2) != "NUMBER" or here.text(-3) != "=":
        return None
    if here.span(-2).end != here.span(-1).start or not here.glued():
        return None
    number = f"{here.text(-2)}.{here.text()}"
    span = here.span(-2).to(here.span())
    return _habit("the decimal separator is a point, not a comma", span, f"write `{number}`", "P015")


def _comment(here: Situation) -> Diagnostic | None:
    """`connect a to b // as drawn`: there `//` connects in parallel."""
    step = 0
    while here.kind(step) in ("NAME", "AS", "TO", "AT"):
        step -= 1
    if here.kind() != "NAME" or here.text(step) != "//" or here.text(here.statement()) != "connect" or step > -2:
        return None
    hint = "write a comment in braces: { ... }"
    return _habit("`//` connects in parallel; it does not begin a comment", here.span(step), hint, "P021")


def _prefixed(here: Situation) -> Diagnostic | None:
    """`1k`, `4.7uF`, `5 Ohm`: a number with a prefix or a unit."""
    if here.kind(-1) != "NUMBER" or here.kind() != "NAME" or "TIMES" not in here.expected:
        return None
    number, word = here.text(-1), here.text()
    span = here.span(-1).to(here.span())
    bare = "the unit is given in the declaration"
    if (
        here.opened("LPAR")
        and here.text(-2) == "="
        and _is_unit(word)
        and (not here.glued() or not _SCALED.match(word))
    ):
        hint = f"write `{here.text(-3)}={number}`: {bare}"
        return _habit("an argument is a number without a unit", span, hint, "P015")
    if not here.glued():
        return None
    scaled = _SCALED.fullmatch(word)
    if scaled is None or (scaled[2] and not scaled[2][0].isupper() and scaled[2] not in ("m", "s", "g", "rad", "ol")):
        return None
    power = _PREFIX[scaled[1]]
    plain = f"{number}e{power}" if re.fullmatch(r"[0-9.]+", number) else f"({number})*1e{power}"
    unit = f', and the unit where it is declared: (unit="{scaled[2]}")' if scaled[2] else f"; {bare}"
    return _habit(f"`{number}{word}` is not a number", span, f"write `{plain}`{unit}", "P015")


def _colon(here: Situation) -> Diagnostic | None:
    """`a:b` where a value belongs: a cut has no value, and a range is allowed in an index only."""
    if here.text() != ":":
        return None
    first = here.statement()
    word, before, behind = here.text(first), here.text(-1), here.text(1)
    if word in ("connect", "close", "cut", "path", "main", "for"):
        return None
    if word in ("if", "elseif", "when", "elsewhen", "else", "for") and here.kind(1) in ("_END", ""):
        hint = f"write `{word} ... then`" if word != "else" else "write `else` alone"
        return _habit(f"no `:` after `{word}`", here.span(), hint)
    if here.text(first) in _KINDS:
        type_ = TYPES.get(behind, "real" if behind == "" else behind)
        hint = f"the type precedes the name: {word} {TYPES.get(behind, type_)} {before}"
        return _habit("the type precedes the name", here.span(), hint)
    if here.kind(-1) == "NAME" and behind in TYPES and first == -1:
        hint = f"write `local {TYPES[behind]} {before}`: the type precedes the name"
        return _habit("the type precedes the name", here.span(), hint)
    if here.kind(-1) == "NAME" and here.kind(1) == "NAME":
        start = -1
        while here.text(start - 1) == "." and here.kind(start - 2) == "NAME":
            start -= 2
        path = "".join(here.text(step) for step in range(start, 0))
        span = here.span(start).to(here.span(1))
        hint = f"`{path}:{behind}` names a cut, in connect statements; a variable of {path} is {path}.{behind}"
        return _habit("a cut has no value", span, hint)
    if here.kind(-1) in ("NUMBER", "NAME", "RPAR") and here.kind(1) in ("NUMBER", "NAME", "LPAR"):
        hint = "a range is allowed in an index only: x[1:3]; an array is [1, 2, 3], a loop `for i = 1 to 3 ... endfor`"
        return _habit("a range is not a value", here.span(), hint)
    return None
