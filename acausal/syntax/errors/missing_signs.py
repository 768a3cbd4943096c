"""Two things side by side where a sign belongs between them, and `=` and `==` mistaken for each other."""

from acausal.base.diagnostics import Diagnostic, Label
from acausal.syntax.errors.situation import BRACKETS, Situation
from acausal.syntax.errors.words import shortened
from acausal.units.near_units import near_unit


def equation_or_comparison(here: Situation) -> Diagnostic | None:
    """`==` where an equation is meant, `=` where a comparison is, and more than one of either."""
    if here.kind() == "_END" and "EQUAL" in here.expected:
        for step in range(here.statement(), 0):
            if here.text(step) == "==":
                return Diagnostic(
                    "P012",
                    "an equation has exactly one `=`",
                    Label(here.span(step), "this is a comparison"),
                    help="write `=`",
                    fix=here.replaced("=", step),
                )
    if here.text() == "if" and here.text(-1) == "==" and not here.opened("LPAR", "IF", "WHEN", "ELSEIF"):
        return Diagnostic(
            "P012",
            "an equation has exactly one `=`",
            Label(here.span(-1), "this is a comparison"),
            help="write `=`",
            fix=here.replaced("=", -1),
        )
    if here.kind() == "EQUAL" and "RELATION" in here.expected and here.opened("LPAR", "IF", "WHEN", "ELSEIF"):
        return Diagnostic(
            "P012",
            "`=` writes an equation; it does not compare",
            Label(here.span()),
            help="to compare write `==`",
            fix=here.replaced("=="),
        )
    if here.kind() == "EQUAL" and any(here.text(step) == "=" for step in range(here.statement(), 0)):
        hint = "write two equations, or `==` to compare"
        return Diagnostic("P012", "second `=` in one equation", Label(here.span()), help=hint)
    if here.kind() in ("RELATION", "LESS", "GREATER") and here.opened("RELATION", "LESS", "GREATER"):
        return Diagnostic(
            "P014", "comparisons cannot be chained", Label(here.span(), "second one"), help="write `a < b and b < c`"
        )
    return None


def missing_sign(here: Situation) -> Diagnostic | None:
    """Two things side by side: an operator, a comma or the end of a statement is missing."""
    if here.first_of_line() or here.kind(-1) not in ("NAME", "NUMBER", "RPAR", "RSQB", "STRING"):
        return None
    if here.kind(-1) == "NUMBER" and here.kind() == "NAME" and here.text(-2) == "=" and here.text(1) in (",", ")"):
        near = near_unit(here.text())
        hint = f"did you mean {near}?" if near else "write a unit as `5 Ohm`, a product as `2*x`"
        return Diagnostic("P015", f"unknown unit {here.text()}", Label(here.span()), help=hint)
    listed, inside = "COMMA" in here.expected, here.opened(*BRACKETS) is not None
    if here.kind() in ("NAME", "NUMBER", "DER", "STRING") and listed and (here.text(1) == "=" or inside):
        return _comma(here)
    if here.kind() in ("NAME", "LOOP", "JOIN", "BRANCH", "AND") and _joins_missing(here):
        other = here.text(1) if here.kind() == "AND" else here.text()
        hint = f"write `{shortened(here.text(-1))} to {shortened(other)}`"
        fix = here.replaced("to") if here.kind() == "AND" else here.inserted(" to")
        message = "missing `to` between two operands of `connect`"
        return Diagnostic("P015", message, Label(here.span()), help=hint, fix=fix)
    if "_END" in here.expected and (here.text(1) == "=" or here.is_word()):
        return Diagnostic(
            "P015",
            "two statements on one line without a separator",
            Label(here.span(), "the second statement"),
            help="insert `;` or a newline between them",
            fix=here.inserted(";"),
        )
    if here.kind() == "LPAR" and here.text(2) == "=":
        return Diagnostic(
            "P015",
            "attributes must precede the `=`",
            Label(here.span()),
            help="for example: local u (start=1) = 2*x",
        )
    if here.kind() == "LSQB" and here.kind(-1) == "RSQB" and here.glued() and not listed:
        return Diagnostic("P015", "second list of indices", Label(here.span()), help="write one list: x[1, 2]")
    if here.kind() in ("NAME", "NUMBER", "LPAR", "LSQB", "DER") and "TIMES" in here.expected:
        unit = ", a unit as `5 Ohm`" if here.kind(-1) == "NUMBER" else ""
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
    hint = f"write `, {shortened(here.text())}`"
    return Diagnostic("P015", "a comma is missing", Label(here.span()), help=hint, fix=here.inserted(","))
