"""Text of flat models."""

from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel
from acausal.ir.show import show_expr
from acausal.ir.show_parts import written


def show_flat(model: FlatModel) -> str:
    """The flat model as text: parameters, variables, equations."""
    lines = [f"model {model.name}"]
    for p in model.parameters:
        word = "constant" if p.constant else "parameter"
        lines += written([p.binding], "  " + word + " " + _declared(p.symbol) + " = {}")
    for v in model.variables:
        lines.append(f"  {v.kind} {_declared(v.symbol)}")
    for e in model.initial_equations:
        lines += written([e.left, e.right], "  initial {} = {}")
    for e in model.equations:
        lines += written([e.left, e.right], "  {} = {}")
    return "\n".join([*lines, "end", ""])


def _declared(symbol: Expr) -> str:
    shape = f"[{','.join(map(str, symbol.shape))}]" if symbol.shape else ""
    return show_expr(symbol) + shape
