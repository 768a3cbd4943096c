"""Shapes and types that do not fit, in the user's words."""

from acausal.base.diagnostics import ModelError
from acausal.base.source import Span
from acausal.elaborate.error_helpers import mistake
from acausal.ir.expr import Expr, Shape
from acausal.ir.names import with_article


def show_shape(shape: Shape) -> str:
    """`a scalar`, `a vector of 3`, `a 2 by 3 matrix`, `an array of 2 by 3 by 4`."""
    if not shape:
        return "a scalar"
    if len(shape) == 1:
        return f"a vector of {shape[0]}"
    sizes = " by ".join(map(str, shape))
    return with_article(f"{sizes} matrix") if len(shape) == 2 else f"an array of {sizes}"


def shapes_differ(message: str, first: Expr, span: Span, second: Expr, other: Span, hint: str) -> ModelError:
    """T001 with both operands and their shapes."""
    said = f"this is {show_shape(first.shape)}"
    return mistake("T001", message, span, said, others=[(other, f"this is {show_shape(second.shape)}")], hint=hint)


def wrong_shape(name: str, wanted: str, found: Expr, span: Span) -> ModelError:
    """T001 for one argument of the function or operator `name`."""
    shape = show_shape(found.shape)
    return mistake("T001", f"{name} requires {wanted}, not {shape}", span, f"this is {shape}", hint=f"use {wanted}")


def wrong_type(name: str, wanted: str, found: str, span: Span) -> ModelError:
    """T002: a number where a condition is needed, or the other way round."""
    hints = {
        "a condition": "write a comparison, as in x > 0",
        "a number": "`if condition then 1 else 0` converts a condition to a number",
    }
    return mistake("T002", f"{name} requires {wanted}, not {found}", span, f"this is {found}", hint=hints.get(wanted))
