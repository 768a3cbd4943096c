"""Mistakes of people who come from other languages: their words, their signs, their files."""

import re

from acausal.diagnostics import Diagnostic, Label
from acausal.source import Span
from acausal.syntax.situation import Situation

_SIMULINK = re.compile(r"(\s*#.*\n)*\s*(Model|Library|Subsystem)\s*\{\s*\w+\s")
_VENSIM = re.compile(r"\s*\{UTF-8\}[^{}~]*\n[ \t]*~")

_WORDS = {
    "equation": "leave the word out: equations and declarations stand in any order",
    "algorithm": "there are no assignments: write equations; `new(k) = ...` sets a discrete variable",
    "extends": "name the superclass in the header: model class (Super) Name",
    "flow": "a through variable stands behind the `/` of a cut: cut A (v / i)",
    "Real": "write `local x`, or `parameter x` for a constant of the run",
    "Integer": "write `parameter integer N` or `discrete integer k`",
    "Boolean": "write `parameter boolean b` or `discrete boolean b`",
    "String": 'write `parameter string s="..."`',
    "package": "a library is a file of classes, named by `@file.lib`",
    "import": "name a library's file with `@file.lib`",
    "within": "a library is a file of classes, named by `@file.lib`",
    "block": "write `model class Name`",
    "connector": "connection points are cuts of a class: cut A (v / i)",
    "class": "write `model class Name`",
    "record": "write the fields as variables of a class",
    "partial": "write `model class Name`; any class can be inherited",
    "public": "leave the word out: parameters, terminals and cut variables are visible from outside",
    "protected": "leave the word out: a `local` is not visible from outside",
    "annotation": 'leave it out; a description is a text at the end of a declaration: local x "speed"',
    "var": "write `local x`",
    "component": "write `submodel (Class) name`",
    "reinit": "write `init(x) = value` inside `when ... endwhen`",
}

_SIGNS = {
    ":=": ("`:=` is not a sign of the language", "write `=`: an equation has no direction"),
    "!=": ("`!=` is not a sign of the language", "write `<>`"),
    "~=": ("`~=` is not a sign of the language", "write `<>`"),
    "=<": ("`=<` is not a sign of the language", "write `<=`"),
    "=>": ("`=>` is not a sign of the language", "write `>=`"),
    "&&": ("`&&` is not a sign of the language", "write `and`"),
    "||": ("`||` is not a sign of the language", "write `or`"),
    "**": ("`**` is not a sign of the language", "write `^` for a power"),
    "+=": ("`+=` is not a sign of the language", "write the whole equation"),
    "->": ("`->` is not a sign of the language", "write `connect a to b`"),
    "./": ("`./` is not a sign of the language", "only `.*` works element by element"),
    ".^": ("`.^` is not a sign of the language", "only `.*` works element by element"),
}
_COMMENTS = ("//", "/*", "#", "%")


def other_program(here: Situation) -> Diagnostic | None:
    """A file of Simulink or Vensim, which have the same ending."""
    if here.kind(-4):
        return None
    program = "Simulink" if _SIMULINK.match(here.source.text) else "Vensim" if _VENSIM.match(here.source.text) else ""
    if not program:
        return None
    return Diagnostic(
        "F003",
        f"{here.source.name} looks like a {program} model",
        Label(here.span(here.statement())),
        help="only the ending .mdl is the same; the manual begins with a small model of this language",
    )


def foreign_sign(here: Situation) -> Diagnostic | None:
    """An operator or a mark of comment of another language, of one or two signs."""
    for step in (0, -1):
        pair = here.text(step) + (here.text(step + 1) if _touch(here, step) else "")
        for mark in _COMMENTS:
            if pair.startswith(mark) and (step == 0 or mark == "/*"):
                return _comment(here, mark, step)
        if pair in _SIGNS:
            message, hint = _SIGNS[pair]
            span = Span(here.source, here.span(step).start, here.span(step + 1).end)
            return Diagnostic("P020", message, Label(span), help=hint)
    if here.text() == "!" or here.text() == "~":
        return Diagnostic(
            "P020", f"`{here.text()}` is not a sign of the language", Label(here.span()), help="write `not`"
        )
    if here.text() == "'":
        return Diagnostic(
            "P020", "`'` is not a sign of the language", Label(here.span()),
            help='a text stands in "..."; a derivative is der(x), a transposed matrix transpose(A)',
        )  # fmt: skip
    return None


def _touch(here: Situation, step: int) -> bool:
    """Whether the token at `step` and the next stand side by side."""
    return bool(here.text(step) and here.text(step + 1)) and here.span(step).end == here.span(step + 1).start


def _comment(here: Situation, mark: str, step: int) -> Diagnostic:
    if mark == "%" and any(here.text(back) == "=" for back in range(here.statement(), step)):
        hint = "the remainder of a/b is mod(a, b)"
        return Diagnostic("P020", "`%` is not a sign of the language", Label(here.span(step)), help=hint)
    return Diagnostic(
        "P021",
        f"`{mark}` begins no comment",
        Label(Span(here.source, here.span(step).start, here.span(step).start + len(mark))),
        help="a comment stands in braces: { ... }",
    )


def foreign_word(here: Situation) -> Diagnostic | None:
    """A word of another language at the beginning of the statement."""
    first = here.statement()
    if here.text(first) == "connect" and here.text(first + 1) == "(" and here.text() == ",":
        return Diagnostic(
            "P022",
            "`connect(a, b)` is written otherwise here",
            Label(Span(here.source, here.span(first).start, here.span().end)),
            help="write `connect a to b` or `connect a at b`",
        )
    word = here.text(first)
    if word not in _WORDS or (first < 0 and here.text(first + 1) in ("=", ".", "(", "[")):
        return None
    return Diagnostic("P022", f"`{word}` is not a word of the language", Label(here.span(first)), help=_WORDS[word])
