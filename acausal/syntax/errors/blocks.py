"""Mistakes of brackets and blocks: what is never closed, and what closes nothing."""

import re

from acausal.base.diagnostics import Diagnostic, Label
from acausal.syntax.automaton.symbols import END_OF_TEXT
from acausal.syntax.errors.situation import BRACKETS, Situation

_CLOSERS = {"MODEL": "end", "IF": "endif", "WHEN": "endwhen", "FOR": "endfor"}
_BLOCK_OF = {
    "MODEL": "MODEL",
    "FOR": "FOR",
    "IF": "IF",
    "WHEN": "WHEN",
    "if_branch": "IF",
    "else_branch": "IF",
    "when_branch": "WHEN",
}
_ENDS = {
    "END": ("MODEL",),
    "ENDIF": ("IF", "if_branch", "else_branch"),
    "ENDWHEN": ("WHEN", "when_branch"),
    "ENDFOR": ("FOR",),
}


def unclosed_bracket(here: Situation) -> Diagnostic | None:
    """A bracket swallows newlines, so the parser may stop far behind the one that is not closed."""
    open_ = here.opened(*BRACKETS)
    if open_ is None:
        return None
    kind, span = open_
    if here.text() in (")", "]") and here.text() != BRACKETS[kind]:
        return Diagnostic(
            "P002",
            f"`{span.text}` is closed by `{here.text()}`",
            Label(here.span(), f"`{BRACKETS[kind]}` is expected"),
            (Label(span, "opened here"),),
            help=f"close `{span.text}` with `{BRACKETS[kind]}`",
            fix=here.replaced(BRACKETS[kind]),
        )
    if here.unclosed_bracket() is None:
        return None
    return Diagnostic(
        "P002",
        f"unclosed `{span.text}`",
        Label(span, "opened here"),
        (Label(here.span(), "unexpected inside the bracket"),) if here.text() else (),
        help=f"close it with `{BRACKETS[kind]}`",
    )


def surplus_bracket(here: Situation) -> Diagnostic | None:
    """A `)` or `]` that closes nothing."""
    if here.text() not in (")", "]") or here.opened(*BRACKETS):
        return None
    sign = "(" if here.text() == ")" else "["
    return Diagnostic(
        "P007", f"unmatched `{here.text()}`", Label(here.span()), help=f"remove it, or put `{sign}` before it"
    )


def unclosed_block(here: Situation) -> Diagnostic | None:
    """The text, or a block around, ends while another block is open; or nothing is open."""
    word, kind = here.text(), here.kind()
    if kind != END_OF_TEXT and (kind not in _ENDS or here.kind(-1) not in ("_END", "")):
        return None
    if kind in _ENDS and here.opened(*_ENDS[kind]) is None:
        return Diagnostic("P009", f"unmatched `{word}`", Label(here.span()), help="remove it", fix=here.replaced(""))
    open_ = here.opened(*_BLOCK_OF)
    if open_ is None:
        return None
    closer, span = _CLOSERS[_BLOCK_OF[open_[0]]], open_[1]
    if word:
        return Diagnostic(
            "P008",
            f"`{closer}` is missing before `{word}`",
            Label(here.span()),
            (Label(span, "opened here"),),
            help=f"`{span.text}` is closed by `{closer}`",
        )
    line = re.split(r"[\n;{]", here.source.text[span.start : span.start + 60])[0].strip()
    return Diagnostic(
        "P008",
        f"missing `{closer}`: unclosed `{line}`",
        Label(span, "begins here"),
        help=f"write `{closer}` where it ends",
    )


def two_words(here: Situation) -> Diagnostic | None:
    """`end if` for `endif`, `else if` for `elseif`, `else when` for `elsewhen`."""
    for step in (0, -1):
        first, second = here.text(step), here.text(step + 1)
        allowed = ("if", "when", "for") if first == "end" else ("if", "when") if first == "else" else ()
        if second in allowed and here.opened(*(k for k, block in _BLOCK_OF.items() if block == second.upper())):
            return Diagnostic(
                "P010",
                f"`{first} {second}` must be written as one word",
                Label(here.span(step).to(here.span(step + 1))),
                help=f"write `{first}{second}`",
                fix=here.replaced(f"{first}{second}", step, step + 1),
            )
    return None
