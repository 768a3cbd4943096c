"""Syntax errors that teach: the mistake at the place where the parser stopped, reported once.

Each rule below recognizes one usual mistake and returns None if it is another; the
first that answers is believed. `habits` holds what people bring from other languages.
"""

from collections.abc import Callable

from acausal.base.diagnostics import Diagnostic, Label
from acausal.syntax.automaton.symbols import END_OF_TEXT
from acausal.syntax.errors.blocks import surplus_bracket, two_words, unclosed_block, unclosed_bracket
from acausal.syntax.errors.characters import bad_string, stray_sign, unclosed_comment
from acausal.syntax.errors.foreign_units import unit_sign
from acausal.syntax.errors.habit_statements import foreign_statement
from acausal.syntax.errors.habits import foreign_sign, foreign_word, other_program
from acausal.syntax.errors.line_ends import continued_line, cut_line
from acausal.syntax.errors.missing_signs import equation_or_comparison, missing_sign
from acausal.syntax.errors.misspelled import misspelled
from acausal.syntax.errors.situation import CONTROL, Situation
from acausal.syntax.errors.words import expectation, shortened

_FORMS = {
    "submodel": "the form is: submodel (Class) name(parameter=value) (ic variable=value)",
    "path": "the form is: path p <A - B>",
    "main": "the form is: main cut A (v / i), or main path p <A - B>",
    "cut": "the form is: cut A (v / i), or cut c [A, B]",
    "for": "the form is: for i = 1 to N",
    "function": "the form is: function f(x, y) = expression",
    "connect": "the form is: connect a to b, or connect a at b, or connect a at (n1, n2)",
    "close": "the form is: close X at Y",
    "assert": 'the form is: assert(condition, "text")',
    "terminate": 'the form is: terminate(condition, "text")',
    "experiment": "the form is: experiment (stop=10, interval=0.01)",
    "model": "the form is: model class (Super) Name",
}


def explain(here: Situation) -> Diagnostic:
    """The one diagnostic for the place where the parser got stuck."""
    for rule in _RULES:
        found = rule(here)
        if found is not None:
            return found
    return _unexpected(here)


def _reserved_name(here: Situation) -> Diagnostic | None:
    """A reserved word where a name belongs, seen at the word itself or at the sign after it."""
    if here.is_word() and "NAME" in here.expected and not here.first_of_line():
        operand = "NUMBER" in here.expected
        return None if operand and here.kind() in CONTROL else _reserved(here, 0)
    starts = here.statement() == -1 and here.is_word(-1) and here.kind(-1) not in CONTROL
    if starts and here.text() in ("=", ".", "[", "+", "*", "/", "^", ")"):
        return _reserved(here, -1)
    return None


def _reserved(here: Situation, step: int) -> Diagnostic:
    word = here.text(step)
    return Diagnostic(
        "P011",
        f"`{word}` is a reserved word and cannot be a name",
        Label(here.span(step)),
        help=f"choose another name, for example `{word}_` or `{word}1`",
    )


def _unexpected(here: Situation) -> Diagnostic:
    """Anything else: what stands there, what would have fitted, and the form of such a statement."""
    shown = {"_END": "the end of the statement", END_OF_TEXT: "the end of the text"}
    what = shown.get(here.kind()) or f"`{shortened(here.text())}`"
    wanted = expectation(here.expected, here.tables.patterns)
    form = _FORMS.get(here.text(here.statement())) or _second_equation(here)
    if not here.opened("MODEL") and here.kind() in ("NAME", "NUMBER") and "MODEL" in here.expected:
        form = "equations and declarations must be inside a model: model Name ... end"
    return Diagnostic(
        "P001",
        f"unexpected {what.removeprefix('the ')}",
        Label(here.span(), f"expected {wanted}"),
        help=form,
    )


def _second_equation(here: Situation) -> str | None:
    """Hint for `initial x = 1, v = 0`."""
    first = here.statement()
    if here.text() != "," or here.text(2) != "=" or here.opened("LPAR", "LSQB"):
        return None
    word = "initial " if here.text(first) == "initial" else ""
    return f"write the second equation on a separate line: {word}{here.text(1)} = ..."


_RULES: tuple[Callable[[Situation], Diagnostic | None], ...] = (
    other_program,
    unclosed_comment,
    bad_string,
    unit_sign,
    foreign_sign,
    stray_sign,
    unclosed_bracket,
    surplus_bracket,
    two_words,
    unclosed_block,
    foreign_word,
    misspelled,
    foreign_statement,
    continued_line,
    _reserved_name,
    equation_or_comparison,
    missing_sign,
    cut_line,
)
