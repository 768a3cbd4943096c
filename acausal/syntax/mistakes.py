"""Syntax errors that teach: what is wrong at the place where the parser got stuck, told once.

Each rule below looks at one usual mistake and answers None if it is another; the
first that answers is believed. `habits` holds what people bring from other languages.
"""

import re
from collections.abc import Callable

from acausal.diagnostics import Diagnostic, Label
from acausal.source import SourceFile, Span
from acausal.syntax.automaton import Stuck
from acausal.syntax.habits import foreign_sign, foreign_word, simulink
from acausal.syntax.lexer import Tokens
from acausal.syntax.situation import BRACKETS, Situation, situation
from acausal.syntax.tables import END_OF_TEXT, Tables
from acausal.syntax.words import expectation

_CLOSERS = {"MODEL": "end", "IF": "endif", "WHEN": "endwhen", "FOR": "endfor"}
_BLOCK_OF = {
    **{"MODEL": "MODEL", "FOR": "FOR", "IF": "IF", "WHEN": "WHEN"},
    **{"if_branch": "IF", "else_branch": "IF", "when_branch": "WHEN"},
}
_CONTROL = frozenset(
    "THEN ELSE ELSEIF ENDIF ELSEWHEN ENDWHEN ENDFOR END AND OR NOT TO AT PAR TRUE FALSE IF".split()
)


def explain(source: SourceFile, tables: Tables, tokens: Tokens, stuck: Stuck) -> Diagnostic:
    """The one diagnostic for the place where the parser got stuck."""
    here = situation(source, tables, tokens, stuck)
    for rule in _RULES:
        told = rule(here)
        if told is not None:
            return told
    return _unexpected(here)


def _unclosed_comment(here: Situation) -> Diagnostic | None:
    if here.kind() != "STRAY" or not here.text().startswith("{"):
        return None
    start = here.span().start
    return Diagnostic(
        "P004",
        "a comment is never closed",
        Label(Span(here.source, start, start + 1), "it begins here"),
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
            f"`{escape[0]}` means nothing in a text",
            Label(Span(here.source, start, start + 2)),
            help='only \\" and \\\\ begin with a backslash; for one backslash write \\\\',
        )
    return Diagnostic("P005", "a text is not closed on its line", Label(here.span()), help='close it with `"`')


def _stray_sign(here: Situation) -> Diagnostic | None:
    if here.kind() != "STRAY":
        return None
    sign = here.text()
    known = {"\u00a0": "a blank that does not break", "\ufeff": "a byte order mark", "\r": "a carriage return alone"}
    shown = known.get(sign) or (f"`{sign}`" if sign.isprintable() else f"the character U+{ord(sign):04X}")
    if sign.isalpha():
        hint = "names are made of the letters a to z, A to Z, digits and `_`"
    elif sign in known or sign.isspace():
        hint = "replace it by an ordinary blank"
    else:
        hint = "remove it"
    return Diagnostic("P003", f"{shown} has no meaning here", Label(here.span()), help=hint)


def _unclosed_bracket(here: Situation) -> Diagnostic | None:
    """A bracket swallows newlines, so the parser only stops at something that never stands inside one."""
    open_ = here.opened(*BRACKETS)
    if open_ is None:
        return None
    kind, span = open_
    sign = {"LPAR": "(", "LSQB": "["}[kind]
    label = Label(span, "it opens here")
    if here.text() in (")", "]") and here.text() != BRACKETS[kind]:
        return Diagnostic(
            "P002",
            f"`{sign}` is closed by `{here.text()}`",
            Label(here.span(), f"`{BRACKETS[kind]}` would fit"),
            (label,),
            help=f"close `{sign}` with `{BRACKETS[kind]}`",
        )
    ends = here.kind() in (END_OF_TEXT, "_END", "EQUAL") or (here.kind() == "SEMICOLON" and kind == "LPAR")
    later = "\n" in here.source.text[span.end : here.span().start]
    if not ((ends and here.kind() != "EQUAL") or (later and (here.first_of_line() or here.kind() == "EQUAL"))):
        return None
    return Diagnostic(
        "P002",
        f"`{sign}` is never closed",
        label,
        (Label(here.span(), "this cannot stand inside it"),) if here.text() else (),
        help=f"close it with `{BRACKETS[kind]}` at the end of its line, or wherever it ends",
    )


def _surplus_bracket(here: Situation) -> Diagnostic | None:
    if here.text() not in (")", "]") or here.opened(*BRACKETS):
        return None
    sign = "(" if here.text() == ")" else "["
    return Diagnostic(
        "P007", f"`{here.text()}` closes nothing", Label(here.span()), help=f"remove it, or put `{sign}` before it"
    )


def _unclosed_block(here: Situation) -> Diagnostic | None:
    """The text, or a block around, ends while another block is open."""
    open_ = here.opened(*_BLOCK_OF)
    word = here.text()
    if here.kind() not in (END_OF_TEXT, "END", "ENDIF", "ENDWHEN", "ENDFOR"):
        return None
    if here.kind(-1) not in ("_END", "") and here.kind() != END_OF_TEXT:
        return None
    if open_ is None:
        return Diagnostic(
            "P009",
            f"`{word}` ends nothing" if word else "the text is empty",
            Label(here.span()),
            help="remove it, or look for an `end` too many above it",
        )
    kind, span = _BLOCK_OF[open_[0]], open_[1]
    closer = _CLOSERS[kind]
    message = f"`{closer}` is missing: `{here.source.text[span.start:span.end]}` is never closed"
    if word:
        return Diagnostic(
            "P008",
            f"`{closer}` is missing before `{word}`",
            Label(here.span()),
            (Label(span, "is open here"),),
            help=f"`{span.text}` is closed by `{closer}`",
        )
    return Diagnostic("P008", message, Label(span, "it begins here"), help=f"write `{closer}` where it ends")


def _two_words(here: Situation) -> Diagnostic | None:
    """`end if` for `endif`, `else if` for `elseif`, `else when` for `elsewhen`."""
    before, after = here.text(-1), here.text()
    if before not in ("end", "else") or after not in ("if", "when", "for"):
        return None
    if before == "end" and not here.opened(*_BLOCK_OF):
        return None
    word = before + after
    if word == "elsefor":
        return None
    return Diagnostic(
        "P010",
        f"`{before} {after}` is one word here",
        Label(here.span(-1).to(here.span())),
        help=f"write `{word}`",
    )


def _reserved_name(here: Situation) -> Diagnostic | None:
    """A reserved word where a name belongs, seen at the word itself or at the sign after it."""
    if here.is_word() and here.kind() not in _CONTROL and "NAME" in here.expected:
        operand = "NUMBER" in here.expected and here.first_of_line()
        return None if operand else _reserved(here, 0)
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
        help=f"choose another name, such as `{word}_` or `{word}1`",
    )


def _equation_or_comparison(here: Situation) -> Diagnostic | None:
    """`==` where an equation is meant, `=` where a comparison is, and more than one of either."""
    if here.kind() == "_END" and "EQUAL" in here.expected:
        for step in range(here.statement(), 0):
            if here.text(step) == "==":
                return Diagnostic(
                    "P012", "an equation has one `=`", Label(here.span(step), "this compares"), help="write `=`"
                )
    if here.kind() == "EQUAL" and "RELATION" in here.expected and here.opened("LPAR", "IF", "WHEN", "ELSEIF"):
        return Diagnostic(
            "P012", "`=` makes an equation, it does not compare", Label(here.span()), help="to compare write `==`"
        )
    if here.kind() == "EQUAL" and any(here.text(step) == "=" for step in range(here.statement(), 0)):
        return Diagnostic(
            "P012", "a second `=` in one equation", Label(here.span()), help="write two equations, or `==` to compare"
        )
    if here.kind() in ("RELATION", "LESS", "GREATER") and here.opened("RELATION", "LESS", "GREATER"):
        return Diagnostic(
            "P014", "comparisons do not chain", Label(here.span(), "a second one"), help="write `a < b and b < c`"
        )
    return None


def _missing_sign(here: Situation) -> Diagnostic | None:
    """Two operands side by side: a product, a unit, a comma or a newline is missing."""
    operand = here.kind() in ("NAME", "NUMBER", "LPAR", "LSQB", "STRING") or (here.kind() == "DER")
    if not operand or here.first_of_line() or here.kind(-1) not in ("NAME", "NUMBER", "RPAR", "RSQB", "STRING"):
        return None
    between = Span(here.source, here.span(-1).end, here.span().end)
    if here.kind(-1) == "NUMBER" and "TIMES" in here.expected:
        unit = ', a unit as in `R (unit="Ohm") = 5`' if not here.glued() else ""
        return Diagnostic(
            "P015", "a sign is missing behind the number", Label(here.span()), help=f"write a product with `*`{unit}"
        )
    if here.kind() in ("LPAR", "LSQB") and not here.glued() and "TIMES" in here.expected:
        return Diagnostic(
            "P015", "a sign is missing before the bracket", Label(here.span()),
            help='write a product with `*`; attributes stand before the `=`, as in `u (start=1) = 2`',
        )  # fmt: skip
    if "COMMA" in here.expected:
        return Diagnostic("P015", "a comma is missing", Label(between), help=f"write `, {here.text()}`")
    if "_END" in here.expected:
        return Diagnostic(
            "P015", "one statement ends and another begins on the same line", Label(here.span(), "the other"),
            help="put `;` or a newline between them; if it is a product write `*`",
        )  # fmt: skip
    return None


def _cut_line(here: Situation) -> Diagnostic | None:
    """A line that ends too early, or goes on without leave."""
    if here.kind() == "_END" and "NUMBER" in here.expected and "NAME" in here.expected:
        return Diagnostic(
            "P001", "the line ends where an expression is expected", Label(here.span()),
            help=_goes_on(here.text(-1)),
        )  # fmt: skip
    if here.first_of_line() and here.text() in ("else", "elseif", "then") and not here.opened(*_BLOCK_OF.keys() - {"MODEL"}):
        return Diagnostic(
            "P001", f"no `if` is open for this `{here.text()}`", Label(here.span()),
            help="to write an if expression over several lines put it in parentheses",
        )  # fmt: skip
    return None


def _goes_on(last: str) -> str:
    if last in ("<", ">", "then", "else", "if", "<=", ">=", "==", "<>"):
        return f"after `{last}` a line does not go on: put the expression in parentheses to break it"
    return "finish the expression on this line"


def _unexpected(here: Situation) -> Diagnostic:
    """Anything else: what stands there, and what would have fitted."""
    shown = {"_END": "the end of the line", END_OF_TEXT: "the end of the text"}
    what = shown.get(here.kind()) or f"`{_shortened(here.text())}`"
    if here.text() == ";":
        what = "`;`"
    wanted = expectation(here.expected, here.tables.patterns)
    return Diagnostic("P001", f"{what} is unexpected here", Label(here.span(), f"expected {wanted}"))


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


_RULES: tuple[Callable[[Situation], Diagnostic | None], ...] = (
    simulink,
    _unclosed_comment,
    _bad_string,
    foreign_sign,
    _stray_sign,
    _unclosed_bracket,
    _surplus_bracket,
    _two_words,
    _unclosed_block,
    foreign_word,
    _reserved_name,
    _equation_or_comparison,
    _missing_sign,
    _cut_line,
)
