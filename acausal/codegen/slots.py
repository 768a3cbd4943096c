"""Where the value of each variable is found in a result."""

from acausal.codegen.layout import Layout
from acausal.diagnostics import InternalError
from acausal.ir.expr import VARIES, Expr
from acausal.ir.plan import Assign, SolvePlan
from acausal.ir.program import VariableSlot

_DERIVATIVE = "real", None, None
"""Type, unit and description of a derivative, which has none of its own."""


class SlotTable:
    """Gives every wanted variable its slot; `stored` are the expressions that `variables` stores."""

    def __init__(self, plan: SolvePlan, layout: Layout) -> None:
        self._layout = layout
        self._alias_of = {a.variable.symbol: a.value for a in plan.aliases}
        self._declared = {v.symbol: v for v in (*plan.variables, *plan.inputs, *(a.variable for a in plan.aliases))}
        self._fixed: dict[Expr, Expr] = {}
        self._computed = dict.fromkeys(plan.states)
        for step in plan.steps:
            if isinstance(step, Assign):
                self._computed[step.target] = None
                if not step.value.flags & VARIES:
                    self._fixed[step.target] = step.value
            else:
                self._computed |= dict.fromkeys(step.targets)
        self.stored: dict[Expr, int] = {}
        self.slots = tuple([self._slot(leaf) for leaf in plan.outputs or self._all()])

    def _all(self) -> list[Expr]:
        """Declared variables in the order of their making, then derivatives; what the translator made is not shown."""
        declared = sorted(self._declared, key=lambda leaf: leaf.serial)
        return [x for x in dict.fromkeys([*declared, *self._computed]) if not _is_made(str(x.name[-1]))]

    def _slot(self, leaf: Expr) -> VariableSlot:
        symbol = (leaf.name, leaf.order)
        value, sign = self._resolve(leaf)
        declared = self._declared.get(leaf)
        about = (declared.type, declared.attributes.unit, declared.description) if declared else _DERIVATIVE
        if value.op == "const" or value.op == "boolean":
            number = float(value.value)  # type: ignore[arg-type]  # a number or a truth value
            return VariableSlot(symbol, "constant", 0, sign, number, *about)
        if value.op == "time":
            kind, position = "time", 0
        elif not value.flags & VARIES:
            kind, position = "parameter", self._layout.hoisted(value)
        else:
            kind, position = "stored", self.stored.setdefault(value, len(self.stored))
        return VariableSlot(symbol, kind, position, sign, 0.0, *about)

    def _resolve(self, value: Expr) -> tuple[Expr, float]:
        """What a variable is, through aliases and signs."""
        sign = 1.0
        while True:
            if value.op == "neg":
                value, sign = value.args[0], -sign
            elif value in self._alias_of:
                value = self._alias_of[value]
            elif value in self._fixed:
                value = self._fixed[value]
            else:
                break
        if value.op == "variable" and value not in self._computed and self._layout.input(value) is None:
            raise InternalError("lower", f"{value} is computed nowhere")
        return value, sign


def _is_made(name: str) -> bool:
    """Whether the translator has made a variable of this name."""
    return "$" in name or "(" in name
