"""Slots of variables: the place of the value of each variable in a result."""

from collections.abc import Iterable, Mapping
from operator import attrgetter

from acausal.base.diagnostics import InternalError
from acausal.codegen.lower.layout import Layout
from acausal.ir.expr import VARIES, Expr
from acausal.ir.flat import Variable
from acausal.ir.kinds import SlotKind
from acausal.ir.plan import Assign, SolvePlan
from acausal.ir.program.slots import VariableSlot

INTERFACE = ("terminal", "input", "output", "cut")
"""Kinds of variables of a submodel that are visible from outside."""
Place = tuple[SlotKind, int, float, float]
"""Kind, position, sign and value of a slot."""


class SlotTable:
    """Gives every wanted variable its slot; `stored` are the expressions that `variables` stores.

    Most variables are aliases of a few: where a value is found is asked once for each value.
    """

    def __init__(self, plan: SolvePlan, layout: Layout) -> None:
        self._layout = layout
        self._value_of = {a.variable.symbol: a.value for a in plan.aliases}
        self._computed = dict.fromkeys(plan.states)
        self._undetermined = frozenset(plan.undetermined)
        for step in plan.steps:
            if isinstance(step, Assign):
                self._computed[step.target] = None
                if not step.value.flags & VARIES:
                    self._value_of.setdefault(step.target, step.value)
            else:
                self._computed |= dict.fromkeys(step.targets)
        self.stored: dict[Expr, int] = {}
        self.slots = tuple(self._slots(plan))

    def _slots(self, plan: SolvePlan) -> list[VariableSlot]:
        declared = {v.symbol: v for v in (*plan.variables, *plan.inputs, *[a.variable for a in plan.aliases])}
        value_of = self._value_of
        places: dict[Expr, Place] = {}
        slots = []
        visible = _Visibility(plan).of
        unique = not self._undetermined
        for leaf in plan.outputs or _shown(declared, self._computed):
            value = value_of.get(leaf, leaf)
            place = places.get(value)
            if place is None:
                place = places[value] = self._place(value)
            symbol, v = (leaf.name, leaf.order), declared.get(leaf)
            only = unique or self._is_unique(leaf)
            if v is None:  # a derivative has no type, unit and description of its own
                slots.append(VariableSlot(symbol, *place, visible=visible(leaf, v), unique=only))
            else:
                seen = visible(leaf, v)
                slots.append(VariableSlot(symbol, *place, v.type, v.attributes.unit, v.description, seen, only))
        return slots

    def _is_unique(self, value: Expr | None) -> bool:
        """False for undetermined variables, and what is plus or minus one of them."""
        while value is not None:
            if value in self._undetermined:
                return False
            value = value.args[0] if value.op == "neg" else self._value_of.get(value)
        return True

    def _place(self, value: Expr) -> Place:
        value, sign = self._resolve(value)
        if value.op == "variable":
            return "stored", self.stored.setdefault(value, len(self.stored)), sign, 0.0
        if value.op == "const" or value.op == "boolean":
            return "constant", 0, sign, float(value.value)  # type: ignore[arg-type]  # a number or a truth value
        if value.op == "time":
            return "time", 0, sign, 0.0
        if not value.flags & VARIES:
            return "parameter", self._layout.hoisted(value), sign, 0.0
        return "stored", self.stored.setdefault(value, len(self.stored)), sign, 0.0

    def _resolve(self, value: Expr) -> tuple[Expr, float]:
        """Expression of a variable and its sign, through aliases."""
        sign = 1.0
        while True:
            if value.op == "neg":
                value, sign = value.args[0], -sign
            elif value in self._value_of:
                value = self._value_of[value]
            else:
                break
        if value.op == "variable" and value not in self._computed and self._layout.input(value) is None:
            raise InternalError("lower", f"{value} is computed nowhere")
        return value, sign


class _Visibility:
    """Selection of the variables of a result file by default.

    These are the states, discrete variables, what `experiment` plots, the variables that the model itself declares,
    and of its submodels those that are visible from outside (language, section 3), elements of arrays apart: frames
    of multibody mechanics have thirty each. Where outputs are named, all of these.
    """

    def __init__(self, plan: SolvePlan) -> None:
        self._all = bool(plan.outputs)
        self._states = frozenset(plan.states)
        self._plotted = frozenset(plan.experiment.plot)

    def of(self, leaf: Expr, variable: Variable | None) -> bool:
        """True if this variable is one of them; derivatives are not declared."""
        if self._all or leaf in self._states:
            return True
        if variable is None:
            return False
        name, kind = leaf.name, variable.kind
        if len(name) == 1 or kind == "discrete" or (self._plotted and name in self._plotted):
            return True
        if isinstance(name[1], str):  # most are elements of arrays deep inside
            return len(name) == 2 and kind in INTERFACE
        if isinstance(name[-1], str) and kind not in INTERFACE:
            return False
        inner = name[2:-1]  # of an array of submodels, or of numbers
        return not inner or not any(isinstance(part, str) for part in inner)


def _shown(declared: Mapping[Expr, object], computed: Iterable[Expr]) -> list[Expr]:
    """Declared variables in the order of their making, then derivatives; what the translator made is not shown."""
    every = sorted(declared, key=attrgetter("serial"))
    every += [x for x in computed if x not in declared]
    lasts = [x.name[-1] for x in every]
    made = {last for last in set(lasts) if "$" in str(last) or "(" in str(last)}
    return [x for x, last in zip(every, lasts, strict=True) if last not in made] if made else every
