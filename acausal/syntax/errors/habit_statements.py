"""Statements as other languages write them: macros, sections, calls that act; and the order of all such rules.

Each rule knows the whole statement and shows it in the form of this language.
"""

import re

from acausal.base.diagnostics import Diagnostic
from acausal.syntax.errors.foreign_ranges import foreign_range
from acausal.syntax.errors.foreign_units import prefix_as_point
from acausal.syntax.errors.habit_declarations import colon, component, foreign_type, spice_card
from acausal.syntax.errors.habit_values import INSIDE, bare_argument, bare_derivative, decimal_comma, habit, mega
from acausal.syntax.errors.situation import Situation

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
    """The diagnostic of the first rule that knows the statement."""
    for rule in (
        _macro,
        _section,
        _action,
        foreign_type,
        bare_derivative,
        bare_argument,
        spice_card,
        _comment,
        component,
        decimal_comma,
        mega,
        prefix_as_point,
        foreign_range,
        colon,
        *INSIDE,
    ):
        found = rule(here)
        if found is not None:
            return found
    return None


def _macro(here: Situation) -> Diagnostic | None:
    first = here.statement()
    hint = _MACROS.get(here.text(first))
    return None if hint is None else habit(f"`{here.text(first)}` is not part of the language", here.span(first), hint)


def _section(here: Situation) -> Diagnostic | None:
    """`initial equation`, `initial algorithm`."""
    first = here.statement()
    if here.text(first) != "initial" or here.text(first + 1) not in ("equation", "algorithm", "equations"):
        return None
    span = here.span(first).to(here.span(first + 1))
    hint = "write `initial` before each of them: initial x = 2"
    return habit("there is no section of initial equations", span, hint)


def _action(here: Situation) -> Diagnostic | None:
    """A call as a statement: `reinit(v, -e*v)`, `print(x)`."""
    first = here.statement()
    hint = _ACTIONS.get(here.text(first))
    if hint is None or here.text(first + 1) != "(" or here.kind() not in ("_END", "COMMA", "STRING", "RPAR"):
        return None
    written = here.source.text[here.span(first).start : here.span(0).start]
    inside = re.match(r"\w+\(\s*([\w.\[\]]+)\s*,\s*(.*)\)\s*$", written, re.DOTALL)
    hint = hint.format(*(inside.groups() if inside else ("x", "value")))
    return habit(f"`{here.text(first)}` is not part of the language", here.span(first), hint)


def _comment(here: Situation) -> Diagnostic | None:
    """`connect a to b // as drawn`: there `//` connects in parallel."""
    step = 0
    while here.kind(step) in ("NAME", "AS", "TO", "AT"):
        step -= 1
    if here.kind() != "NAME" or here.text(step) != "//" or here.text(here.statement()) != "connect" or step > -2:
        return None
    hint = "write a comment in braces: { ... }"
    return habit("`//` connects in parallel; it does not begin a comment", here.span(step), hint, "P021")
