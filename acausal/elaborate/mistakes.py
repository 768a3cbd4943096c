"""Mistakes in expressions, in the user's words."""

from collections.abc import Iterable
from difflib import get_close_matches

from acausal.diagnostics import Diagnostic, Label, ModelError
from acausal.ir.expr import Expr, Shape
from acausal.source import Span


def show_shape(shape: Shape) -> str:
    """`a scalar`, `a vector of 3`, `a 2 by 3 matrix`, `an array of 2 by 3 by 4`."""
    if not shape:
        return "a scalar"
    if len(shape) == 1:
        return f"a vector of {shape[0]}"
    sizes = " by ".join(map(str, shape))
    return f"a {sizes} matrix" if len(shape) == 2 else f"an array of {sizes}"


def mistake(code: str, message: str, span: Span, help: str | None = None, text: str = "") -> ModelError:  # noqa: A002
    """An error at one place."""
    return ModelError(Diagnostic(code, message, Label(span, text), help=help))


def shapes_differ(message: str, first: Expr, span: Span, second: Expr, other: Span, hint: str) -> ModelError:
    """T001 with both operands and their shapes."""
    labels = (Label(other, f"this is {show_shape(second.shape)}"),)
    return ModelError(Diagnostic("T001", message, Label(span, f"this is {show_shape(first.shape)}"), labels, help=hint))


def wrong_shape(name: str, wanted: str, found: Expr, span: Span) -> ModelError:
    """T001 for one argument of the function or operator `name`."""
    shape = show_shape(found.shape)
    return mistake("T001", f"{name} needs {wanted}, not {shape}", span, f"give it {wanted}", f"this is {shape}")


def wrong_type(name: str, wanted: str, found: str, span: Span) -> ModelError:
    """T002: a number where a condition is needed, or the other way round."""
    hints = {
        "a condition": "compare it with something, as in x > 0",
        "a number": "if condition then 1 else 0 makes a number of a condition",
    }
    return mistake("T002", f"{name} needs {wanted}, not {found}", span, hints.get(wanted), f"this is {found}")


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A hint for a misspelled name, if one of the known names is close."""
    names = sorted(known)
    folded = {n.lower(): n for n in reversed(names)}
    close = [folded[name.lower()]] if name.lower() in folded else get_close_matches(name, names, 1)
    return f"did you mean {close[0]}?" if close else None
