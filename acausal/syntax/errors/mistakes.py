"""Syntax errors that teach: the mistake at the place where the parser stopped, reported once.

Each rule below recognizes one usual mistake and returns None if it is another; the
first that answers is believed. `habits` holds what people bring from other languages.
"""

import re
from collections.abc import Callable

from acausal.base.diagnostics import Diagnostic, Label
from acausal.base.source import Span
from acausal.syntax.automaton.symbols import END_OF_TEXT
from acausal.syntax.errors.blocks import surplus_bracket, two_words, unclosed_block, unclosed_bracket
from acausal.syntax.errors.habit_statements import foreign_statement
from acausal.syntax.errors.habits import foreign_sign, foreign_word, other_program
from acausal.syntax.errors.misspelled import misspelled
from acausal.syntax.errors.situation import BRACKETS, Situation
from acausal.syntax.errors.words import expectation

_CONTROL = frozenset("THEN ELSE ELSEIF ENDIF ELSEWHEN ENDWHEN ENDFOR END AND OR NOT TO AT PAR TRUE FALSE IF".split())
_MEANT = {
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2260": "write `<>`",
    "\u2212": "write `-`: this is a different character that looks similar",
    "\u2013": "write `-`: this is a different character that looks similar",
    "\u00b7": "write `*`",
    "\u00d7": "write `*`, or cross(a, b)",
    "\u00f7": "write `/`",
    "\u00b2": "write `^2`",
    "\u00b3": "write `^3`",
    "\u221a": "write sqrt(x)",
    "\u2202": "write der(x)",
    "\u201c": 'write `"`',
    "\u201d": 'write `"`',
    "?": "write `if c then a else b`",
    "$": "names consist of letters, digits and `_`",
    "&": "write `and`",
    "|": "write `or`",
}
"""Signs that people write or paste, and what stands for them."""
_FORMS = {
    "submodel": "the form is: submodel (Class) name(parameter=value)",
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


def _unclosed_comment(here: Situation) -> Diagnostic | None:
    if here.kind() != "STRAY" or not here.text().startswith("{"):
        return None
    start = here.span().start
    return Diagnostic(
        "P004",
        "unclosed comment",
        Label(Span(here.source, start, start + 1), "begins here"),
        help="close it with `}`",
    )


def _bad_string(here: Situation) -> Diagnostic | None:
    if here.kind() != "STRAY" or not here.text().startswith('"'):
        return None
    escape = re.search(r'\\[^"\\]', here.text())
    if escape and here.text().count('"') > 1:
        start = here.span().start + escape.start()
        return Diagnostic(
            "P006",
            f"unknown escape sequence `{escape[0]}`",
            Label(Span(here.source, start, start + 2)),
            help='only \\" and \\\\ begin with a backslash; for one backslash write \\\\',
        )
    return Diagnostic("P005", "unterminated string", Label(here.span()), help='close it with `"`')


def _stray_sign(here: Situation) -> Diagnostic | None:
    if here.kind() != "STRAY":
        return None
    sign = here.text()
    known = {"\u00a0": "a no-break space", "\ufeff": "a byte order mark", "\r": "a carriage return without newline"}
    shown = known.get(sign) or (f"`{sign}`" if sign.isprintable() else f"the character U+{ord(sign):04X}")
    if sign.isalpha():
        hint = "names consist of the letters a to z, A to Z, digits and `_`"
    elif sign in _MEANT:
        hint = _MEANT[sign]
    elif sign in known or sign.isspace():
        hint = "replace it by a normal blank"
    else:
        hint = "remove it"
    return Diagnostic("P003", f"unexpected character: {shown}", Label(here.span()), help=hint)


def _reserved_name(here: Situation) -> Diagnostic | None:
    """A reserved word where a name belongs, seen at the word itself or at the sign after it."""
    if here.is_word() and "NAME" in here.expected and not here.first_of_line():
        operand = "NUMBER" in here.expected
        return None if operand and here.kind() in _CONTROL else _reserved(here, 0)
    starts = here.statement() == -1 and here.is_word(-1) and here.kind(-1) not in _CONTROL
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


def _equation_or_comparison(here: Situation) -> Diagnostic | None:
    """`==` where an equation is meant, `=` where a comparison is, and more than one of either."""
    if here.kind() == "_END" and "EQUAL" in here.expected:
        for step in range(here.statement(), 0):
            if here.text(step) == "==":
                return Diagnostic(
                    "P012",
                    "an equation has exactly one `=`",
                    Label(here.span(step), "this is a comparison"),
                    help="write `=`",
                )
    if here.text() == "if" and here.text(-1) == "==" and not here.opened("LPAR", "IF", "WHEN", "ELSEIF"):
        return Diagnostic(
            "P012", "an equation has exactly one `=`", Label(here.span(-1), "this is a comparison"), help="write `=`"
        )
    if here.kind() == "EQUAL" and "RELATION" in here.expected and here.opened("LPAR", "IF", "WHEN", "ELSEIF"):
        return Diagnostic(
            "P012", "`=` writes an equation; it does not compare", Label(here.span()), help="to compare write `==`"
        )
    if here.kind() == "EQUAL" and any(here.text(step) == "=" for step in range(here.statement(), 0)):
        hint = "write two equations, or `==` to compare"
        return Diagnostic("P012", "second `=` in one equation", Label(here.span()), help=hint)
    if here.kind() in ("RELATION", "LESS", "GREATER") and here.opened("RELATION", "LESS", "GREATER"):
        return Diagnostic(
            "P014", "comparisons cannot be chained", Label(here.span(), "second one"), help="write `a < b and b < c`"
        )
    return None


def _missing_sign(here: Situation) -> Diagnostic | None:
    """Two things side by side: an operator, a comma or the end of a statement is missing."""
    if here.first_of_line() or here.kind(-1) not in ("NAME", "NUMBER", "RPAR", "RSQB", "STRING"):
        return None
    listed, inside = "COMMA" in here.expected, here.opened(*BRACKETS) is not None
    if here.kind() in ("NAME", "NUMBER", "DER", "STRING") and listed and (here.text(1) == "=" or inside):
        return _comma(here)
    if here.kind() in ("NAME", "LOOP", "JOIN", "BRANCH", "AND") and _joins_missing(here):
        other = here.text(1) if here.kind() == "AND" else here.text()
        hint = f"write `{_shortened(here.text(-1))} to {_shortened(other)}`"
        return Diagnostic("P015", "missing `to` between two operands of `connect`", Label(here.span()), help=hint)
    if "_END" in here.expected and (here.text(1) == "=" or here.is_word()):
        return Diagnostic(
            "P015",
            "two statements on one line without a separator",
            Label(here.span(), "the second statement"),
            help="insert `;` or a newline between them",
        )
    if here.kind() == "LPAR" and here.text(2) == "=":
        return Diagnostic(
            "P015",
            "attributes must precede the `=`",
            Label(here.span()),
            help="for example: local u (start=1) = 2*x",
        )
    if here.kind() == "LSQB" and here.kind(-1) in ("RPAR", "RSQB") and here.glued() and not listed:
        hint = "name the value: local y[3] = cross(a, b), then y[1]"
        return Diagnostic("P015", "only a named array can be indexed", Label(here.span()), help=hint)
    if here.kind() in ("NAME", "NUMBER", "LPAR", "LSQB", "DER") and "TIMES" in here.expected:
        unit = ', a unit as in `R (unit="Ohm") = 5`' if here.kind(-1) == "NUMBER" and not here.glued() else ""
        return Diagnostic("P015", "an operator is missing", Label(here.span()), help=f"write a product as `2*x`{unit}")
    return _comma(here) if here.kind() in ("NAME", "NUMBER") and listed else None


def _joins_missing(here: Situation) -> bool:
    """True if nothing has been joined since `connect` or the last comma."""
    step = -1
    while here.text(step) not in ("connect", ",", ""):
        if here.text(step) in ("to", "-", "at", "//", "par", "from"):
            return False
        step -= 1
    return here.text(here.statement()) == "connect"


def _comma(here: Situation) -> Diagnostic:
    return Diagnostic("P015", "a comma is missing", Label(here.span()), help=f"write `, {_shortened(here.text())}`")


def _cut_line(here: Situation) -> Diagnostic | None:
    """A line that ends too early, or goes on without leave."""
    if here.kind() == "_END" and "NUMBER" in here.expected and "NAME" in here.expected and here.statement():
        last = here.text(-1)
        braces = _braces_behind(here)
        if braces is not None:
            return braces
        broken = here.text() != ";" and here.kind(1) not in ("", END_OF_TEXT)
        return Diagnostic(
            "P019",
            "the statement ends where an expression is expected",
            Label(here.span()),
            help=f"a line does not continue after `{last}`: put the expression in parentheses to break it"
            if broken
            else f"write an expression after `{last}`",
        )
    if here.first_of_line() and here.text() in ("else", "elseif", "then"):
        return Diagnostic(
            "P019",
            f"no `if` is open for this `{here.text()}`",
            Label(here.span()),
            help="to write an if expression over several lines put it in parentheses",
        )
    return None


def _braces_behind(here: Situation, step: int = 0) -> Diagnostic | None:
    """`x = {1, 2}`: text in braces is a comment."""
    if here.text(step - 1) != "=":
        return None
    start, end = here.tokens.ends[here.at + step - 1], here.tokens.starts[here.at + step]
    found = re.match(r"[ \t]*\{([^{}\n]*)\}", here.source.text[start:end])
    if found is None:
        return None
    with_unit = re.fullmatch(r"\s*([0-9.eE+-]+)\s*,\s*['\"]([^'\"]*)['\"]\s*", found[1])
    hint = f"write an array as [{found[1].strip()}]"
    if with_unit:
        hint = f'write `{with_unit[1]}`, and the unit as an attribute: (unit="{with_unit[2]}")'
    span = Span(here.source, start + found.start(1) - 1, start + found.end(1) + 1)
    return Diagnostic("P019", "text in braces is a comment", Label(span, "a comment"), help=hint)


def _goes_on(here: Situation) -> Diagnostic | None:
    """A line that goes on because of the sign it ends in, where the next line is a statement of its own."""
    begin = _line_begin(here)
    if begin is None or here.opened(*BRACKETS, "IF", "WHEN", "ELSEIF"):
        return None
    starts = begin == 0 and here.text().isidentifier() and here.kind() not in _CONTROL - {"END", "ENDIF", "IF"}
    second = here.text(begin).isidentifier() and _equals_ahead(here)
    if not (starts or second):
        return None
    sign = here.text(begin - 1)
    braces = _braces_behind(here, begin)
    if braces is not None:
        return braces
    if sign == here.text(begin - 2) == "+":
        span = here.span(begin - 2).to(here.span(begin - 1))
        hint = "write `new(k) = k + 1` inside `when`"
        return Diagnostic("P020", "`++` is not an operator", Label(span), help=hint)
    return Diagnostic(
        "P023",
        f"the statement continues in the next line because this line ends in `{sign}`",
        Label(here.span(begin - 1), "a line that ends in this operator continues"),
        (Label(here.span(begin).to(here.span()), "this begins another statement"),),
        help=f"write what follows `{sign}`, or remove it",
    )


def _equals_ahead(here: Situation) -> bool:
    """True if an `=` outside brackets comes, here or later in the statement."""
    step = depth = 0
    while here.kind(step) not in ("_END", ""):
        if here.kind(step) == "EQUAL" and not depth:
            return True
        depth += (here.text(step) in ("(", "[")) - (here.text(step) in (")", "]"))
        step += 1
    return False


def _line_begin(here: Situation) -> int | None:
    """Steps back to the first token of the line, where that belongs to a statement begun before."""
    for step in range(0, here.statement(), -1):
        gap = here.source.text[here.tokens.ends[here.at + step - 1] : here.tokens.starts[here.at + step]]
        if "\n" in gap:
            return step
    return None


def _unexpected(here: Situation) -> Diagnostic:
    """Anything else: what stands there, what would have fitted, and the form of such a statement."""
    shown = {"_END": "the end of the statement", END_OF_TEXT: "the end of the text"}
    what = shown.get(here.kind()) or f"`{_shortened(here.text())}`"
    wanted = expectation(here.expected, here.tables.patterns)
    form = _FORMS.get(here.text(here.statement()))
    if not here.opened("MODEL") and here.kind() in ("NAME", "NUMBER") and "MODEL" in here.expected:
        form = "equations and declarations must be inside a model: model Name ... end"
    return Diagnostic(
        "P001",
        f"unexpected {what}",
        Label(here.span(), f"expected {wanted}"),
        help=form,
    )


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


_RULES: tuple[Callable[[Situation], Diagnostic | None], ...] = (
    other_program,
    _unclosed_comment,
    _bad_string,
    foreign_sign,
    _stray_sign,
    unclosed_bracket,
    surplus_bracket,
    two_words,
    unclosed_block,
    foreign_word,
    misspelled,
    foreign_statement,
    _goes_on,
    _reserved_name,
    _equation_or_comparison,
    _missing_sign,
    _cut_line,
)
