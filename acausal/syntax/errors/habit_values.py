"""Values as other languages write them: calls, methods, decimal commas, prefixes and units."""

from acausal.base.diagnostics import Diagnostic, Label
from acausal.base.source import Span
from acausal.ir.ops import OPS
from acausal.syntax.errors.situation import Situation


def habit(message: str, span: Span, hint: str, code: str = "P022") -> Diagnostic:
    """The diagnostic of a statement in the form of another language."""
    return Diagnostic(code, message, Label(span), help=hint)


def bare_derivative(here: Situation) -> Diagnostic | None:
    """`der x`."""
    if here.text(-1) != "der" or here.kind() != "NAME":
        return None
    span = here.span(-1).to(here.span())
    return habit("function arguments are written in parentheses", span, f"write `der({here.text()})`")


def bare_argument(here: Situation) -> Diagnostic | None:
    """`sin x`."""
    if here.kind() not in ("NAME", "NUMBER") or here.text(-1) not in OPS or here.kind(-1) != "NAME":
        return None
    span = here.span(-1).to(here.span())
    hint = f"write `{here.text(-1)}({here.text()})`"
    return habit("function arguments are written in parentheses", span, hint)


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
    return habit("values have no methods, and functions no prefix", span, f"write `{shown}`")


def _choice_behind(here: Situation) -> Diagnostic | None:
    """`y = a if c else b`."""
    if here.text() != "if" or here.first_of_line() or here.kind(-1) not in ("NAME", "NUMBER", "RPAR", "RSQB"):
        return None
    step = 1
    while here.kind(step) not in ("_END", "", "THEN"):
        if here.text(step) == "else":
            return habit("the condition must come first", here.span(), "write `if c then a else b`")
        step += 1
    return None


INSIDE = (_method, _choice_behind)
"""Rules for parts of expressions."""


def decimal_comma(here: Situation) -> Diagnostic | None:
    """`R=0,5`: two numbers with a comma between, where an argument belongs."""
    if here.kind() != "NUMBER" or here.text(-1) != "," or here.kind(-2) != "NUMBER" or here.text(-3) != "=":
        return None
    if here.span(-2).end != here.span(-1).start or not here.glued():
        return None
    number = f"{here.text(-2)}.{here.text()}"
    span = here.span(-2).to(here.span())
    return habit("the decimal separator is a point, not a comma", span, f"write `{number}`", "P015")


def mega(here: Situation) -> Diagnostic | None:
    """`2Meg`, `2MegOhm`: the prefix of SPICE."""
    if here.kind(-1) != "NUMBER" or here.kind() != "NAME" or here.text()[:3].lower() != "meg":
        return None
    span = here.span(-1).to(here.span())
    unit = f" {here.text()[3:]}" if here.text()[3:] else ""
    return habit(f"`{span.text}` is not a number", span, f"write `{here.text(-1)}M{unit}`", "P015")
