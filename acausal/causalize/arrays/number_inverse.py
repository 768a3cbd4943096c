"""Inverses of single elements and of matrices of numbers, and the error where there is none."""

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.elaborate.values.evaluate import invert
from acausal.ir.expr import Expr
from acausal.ir.names import Name, show_name
from acausal.ir.origin import Origin
from acausal.ir.pool import Pool

Items = tuple[Expr, ...]


class SingularMatrixError(ModelError):
    """T010 for an equation of the instance `path`."""

    path: Name = ()


def _singular(origin: Origin | None) -> SingularMatrixError:
    """T010: what is inverted is zero, or a singular matrix of numbers."""
    label = None if origin is None else Label(origin.span, "this equation")
    where = f" in {show_name(origin.path)}" if origin is not None and origin.path else ""
    message = f"this cannot be evaluated{where}: inverse of a singular matrix"
    hint = "check for a mass, an inertia, an axis or another factor that is zero there, or in what is connected to it"
    made = SingularMatrixError(Diagnostic("T010", message, label, help=hint))
    made.path = () if origin is None else origin.path
    return made


def reciprocals(pool: Pool, divisor: Expr, factors: Items | None, origin: Origin | None) -> Items:
    """The inverse of one number is its reciprocal, so that it cancels against the number; times factors, if any."""
    if divisor is pool.zero:
        raise _singular(origin)
    reciprocal = pool.pow(divisor, pool.const(-1))
    return (reciprocal,) if factors is None else tuple([pool.mul(reciprocal, x) for x in factors])


def inverted(pool: Pool, known: Items, size: int, origin: Origin | None) -> Items:
    """The inverse of a matrix of numbers, row by row."""
    try:
        return tuple([pool.const(float(x)) for x in invert(tuple([x.number for x in known]), size)])
    except ZeroDivisionError:
        raise _singular(origin) from None
