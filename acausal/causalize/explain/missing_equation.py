"""Search for the variable that lacks an equation: no equation determines it and its class leaves it to its user.

    error = wanted - plant.y,  c.u = error,  plant.u = c.y      wanted: each other one stands alone on a left side

Of a part with fewer equations than unknowns any unknown can be left over, hence the structure alone points nowhere.
The candidates are ranked: inputs and terminals that no equation of the enclosing model names, cuts that nothing is
connected to, variables of the model that no equation is written for, then components with too few equations.
"""

from collections.abc import Iterable, Sequence
from math import prod

from acausal.base.diagnostics import Diagnostic, Label
from acausal.causalize.arrays.scalarize import scalarize
from acausal.causalize.events.lift_events import hold
from acausal.causalize.explain.describe import MOST, about, counted_equations, declaration, idle
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel, Variable
from acausal.ir.flat_connections import Component, OpenCut
from acausal.ir.names import Name, listed, show_name, without_indices
from acausal.ir.origin import How, Origin

_JOINED = (How.CONNECTED, How.FLOW_SUM)
SIGNAL, TERMINAL, OWN, NAMED, OPEN, COMPONENT, MOVING, NEVER = range(8)
"""Ranks, the most specific first: an open cut that brings no zero, a terminal, a variable of the model, a terminal that
equations name, an open cut that brings a zero, a component whose cuts leave something open, an open cut of what moves
or is connected elsewhere."""
_CUTS = (SIGNAL, OPEN, MOVING)


def explain_missing(
    flat: FlatModel,
    written: Dae | None,
    parts: Sequence[Sequence[Variable]],
    idle_equations: Sequence[Equation],
    *,
    over: bool,
) -> Diagnostic | None:
    """The diagnostic for the variable that most probably lacks an equation, of parts with too few.

    None where no candidate stands out; where there are also too many equations (`over`), only open cuts do.
    """
    facts = _Facts(flat, hold(scalarize(flat, foldable=False)) if written is None else written)
    ranked = [(facts.rank(v), v) for part in parts for v in part]
    best = min((rank for rank, _ in ranked), default=NEVER)
    if over:
        best = min((rank for rank, _ in ranked if rank in _CUTS), default=NEVER)
    if best == NEVER:
        return None
    chosen = [v for rank, v in ranked if rank == best]
    if best in _CUTS:
        return _open_cut(flat, chosen[0], facts.cut_of(chosen[0]), idle_equations)
    if best == COMPONENT:
        return _component(facts.lacking(chosen[0]))
    return _undetermined(flat, facts, chosen)


class _Facts:
    """Facts about variables, by name; from the equations of the model and its classes as they are written."""

    def __init__(self, flat: FlatModel, dae: Dae) -> None:
        self.flat, self.dae = flat, dae
        self.owner = {v.symbol: v.origin.path for v in self.dae.variables}
        self.alone_inside: set[Expr] = set()
        self.alone_outside: set[Expr] = set()
        self.named_outside: set[Expr] = set()
        self.differentiated: set[Name] = set()
        self.joined: set[Expr] = set()
        self.outside: dict[Name, int] = {}
        self.used_in: dict[Expr, Origin] = {}
        for equation in self.dae.equations:
            self._look_at(equation)
        zeros = {e.origin.path for e in self.flat.equations if e.origin.how is How.UNCONNECTED}
        self.zeros = zeros
        self.cuts: dict[Name, OpenCut] = {}
        for cut in self.flat.open_cuts:
            if cut.path:
                for name in cut.variables:
                    self.cuts.setdefault(name, cut)
        self.component_at = {c.path: c for c in self.flat.components}

    def _look_at(self, equation: Equation) -> None:
        origin = _of_whole(equation.origin)
        variables = equation.variables
        self.differentiated.update(x.name for x in variables if x.order)
        if origin.how in _JOINED:
            self.joined.update(variables)
        if origin.how is not How.WRITTEN:
            return
        alone = self._alone(equation)
        for x in variables:
            if x in self.owner and x is not alone:
                self.used_in.setdefault(x, equation.origin)
                if len(self.owner[x]) > len(origin.path):
                    self.named_outside.add(x)
        if alone is not None:
            inside = self.owner[alone] == origin.path
            (self.alone_inside if inside else self.alone_outside).add(alone)
        owners = dict.fromkeys(self.owner.get(x, ()) for x in ([alone] if alone is not None else variables))
        for path in owners:
            if len(path) > len(origin.path):
                self.outside[path] = self.outside.get(path, 0) + 1

    def _alone(self, equation: Equation) -> Expr | None:
        """The variable that stands alone on the left side, itself or a derivative."""
        side = equation.left
        base = self.dae.pool.variable(side.name) if side.op == "variable" else None
        return base if base in self.owner else None

    def rank(self, variable: Variable) -> int:
        """Rank of a candidate for a missing equation, smallest for the most probable one."""
        x, path = variable.symbol, variable.origin.path
        if x in self.alone_outside:
            return NEVER
        cut = self.cut_of(variable)
        if cut is not None:
            if cut.path in self.zeros:
                return MOVING if x in self.joined or x.name in self.differentiated else OPEN
            given = x in self.alone_inside or x.name in self.differentiated or variable.kind == "output"
            return NEVER if given else SIGNAL
        if x in self.alone_inside or x.name in self.differentiated:
            return NEVER
        if not path:
            return OWN if variable.kind in ("local", "output") and not self.flat.unknown else NEVER
        component = self.component_at.get(path)
        if component is None or self._missing(component) <= 0:
            return NEVER
        if variable.kind == "terminal" and x not in self.joined:
            return NAMED if x in self.named_outside else TERMINAL
        return COMPONENT

    def cut_of(self, variable: Variable) -> OpenCut | None:
        """The cut that nothing is connected to and whose across variable this is (or an element of it)."""
        name = variable.symbol.name
        return self.cuts.get(name) or self.cuts.get(without_indices(name))

    def lacking(self, variable: Variable) -> tuple[Component, int, list[Name]]:
        """The component of a variable, how many equations it lacks, and all its variables.

        First those that the class has its name from, as signalpressure from p, the pressure.
        """
        component = self.component_at[variable.origin.path]
        own = [v for v in reversed(self.flat.variables) if v.origin.path == component.path]
        own.sort(key=lambda v: not any(w in component.class_name for w in _words(v)))
        return component, self._missing(component), [v.symbol.name for v in own]

    def _missing(self, component: Component) -> int:
        """Number of equations a component without submodels lacks; 0 where unknown, because places are arrays."""
        path = component.path
        if any(c.path[: len(path)] == path and c.path != path for c in self.flat.components):
            return 0
        own = [v.symbol for v in self.flat.variables if v.origin.path == path and v.kind != "discrete"]
        if component.places and any(x.shape for x in own):
            return 0
        inside = [e for e in self.flat.equations if e.origin.path == path and e.origin.how in (How.WRITTEN, How.LADDER)]
        size = sum(prod(x.shape) for x in own) - sum(prod(e.left.shape or e.right.shape) for e in inside)
        return size - component.places - self.outside.get(path, 0)


def _open_cut(
    flat: FlatModel, variable: Variable, cut: OpenCut | None, idle_equations: Sequence[Equation]
) -> Diagnostic:
    assert cut is not None
    shown = f"{show_name(cut.path)}:{cut.cut}"
    zero = ", or check for a mass, an inertia or another factor that is zero" if idle_equations else ""
    ground = ", for example to a ground" if variable.attributes.unit == "V" else ""
    return Diagnostic(
        "S004",
        f"{shown} is not connected, so that no equation determines {show_name(variable.symbol.name)}",
        declaration(flat, variable.origin.path) or Label(variable.origin.span, "declared here"),
        notes=(idle(idle_equations),) if idle_equations else (),
        help=f"connect {shown}{ground}{zero}",
    )


def _undetermined(flat: FlatModel, facts: _Facts, chosen: Sequence[Variable]) -> Diagnostic:
    """S005 for a terminal, S002 for a variable of the model."""
    variable = chosen[0]
    name, own = show_name(variable.symbol.name), not variable.origin.path
    declared = Label(variable.origin.span, "declared here")
    used = facts.used_in.get(variable.symbol)
    at = declaration(flat, variable.origin.path)
    others = [show_name(v.symbol.name) for v in chosen[1:]]
    notes = [f"also undetermined: {listed(others, MOST)}"] if others else []
    if own and used is not None:
        labels: Iterable[Label] = (Label(used.span, "used here"),)
    else:
        labels = (declared,) if at is not None else ()
    return Diagnostic(
        "S002" if own else "S005",
        f"no equation determines {name}" if own else f"no equation determines the terminal {name}",
        at or declared,
        tuple(labels),
        tuple(notes),
        f"write an equation for it: {name} = ..." + (", or make it known with --known" if own else ""),
    )


def _component(lacking: tuple[Component, int, list[Name]]) -> Diagnostic:
    """A component that leaves more variables open than its cuts can determine, and no equation outside does."""
    component, missing, own = lacking
    return Diagnostic(
        "S002",
        f"{show_name(component.path)} lacks {counted_equations(missing)}: no outside equation determines "
        f"{listed([show_name(n) for n in own], MOST)}",
        Label(component.span, about(component)),
        help=f"write an equation for it in the model, as in {show_name(own[0])} = ...",
    )


def _words(variable: Variable) -> list[str]:
    """The words of a variable's name and of the beginning of its description, up to a comma."""
    described = (variable.description or "").split(",")[0].split()
    return [w for w in (*map(str, variable.symbol.name[-1:]), *described) if len(w) > 2]


def _of_whole(origin: Origin) -> Origin:
    """The origin of the whole array, for that of an element."""
    while origin.how is How.ELEMENT and origin.of:
        origin = origin.of[0]
    return origin
