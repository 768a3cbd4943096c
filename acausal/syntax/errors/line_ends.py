"""Lines that end too early, and lines that continue against the intention."""

import re

from acausal.base.diagnostics import Diagnostic, Label
from acausal.base.source import Span
from acausal.syntax.automaton.symbols import END_OF_TEXT
from acausal.syntax.errors.situation import BRACKETS, CONTROL, Situation


def cut_line(here: Situation) -> Diagnostic | None:
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
    content = found[1].strip() if " for " not in found[1] else "1/k for k = 1 to 3"
    hint = f"write an array as [{content}]"
    if with_unit:
        hint = f'write `{with_unit[1]}`, and the unit as an attribute: (unit="{with_unit[2]}")'
    span = Span(here.source, start + found.start(1) - 1, start + found.end(1) + 1)
    return Diagnostic("P019", "text in braces is a comment", Label(span, "a comment"), help=hint)


def continued_line(here: Situation) -> Diagnostic | None:
    """A line that goes on because of the sign it ends in, where the next line is a statement of its own."""
    begin = _line_begin(here)
    if begin is None or here.opened(*BRACKETS, "IF", "WHEN", "ELSEIF"):
        return None
    starts = begin == 0 and here.text().isidentifier() and here.kind() not in CONTROL - {"END", "ENDIF", "IF"}
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
