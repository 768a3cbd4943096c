"""Equations as the user wrote them: relations in place of their frozen values."""

from dataclasses import replace

from acausal.ir.dae import Dae
from acausal.ir.flat import Equation
from acausal.symbolic.substitute import substitute


def as_written(dae: Dae, equation: Equation) -> Equation:
    """The equation with relations in place of their frozen values."""
    frozen = dae.events.frozen
    if not frozen:
        return equation
    texts = {h.symbol: h.written for h in frozen if h.written is not None and h.kind != "before"}
    texts |= {h.symbol: texts.get(h.now[0], h.now[0]) for h in frozen if h.internal and h.type == "boolean"}
    left, right = (substitute(dae.pool, side, texts) for side in (equation.left, equation.right))
    return replace(equation, left=left, right=right)
