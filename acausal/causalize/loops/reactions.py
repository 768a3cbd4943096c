"""Reactions among the unknowns, and their elements."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from math import prod

from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel
from acausal.ir.graph import Incidence
from acausal.ir.names import Name, without_indices
from acausal.ir.origin import How
from acausal.ir.walk import variables_of
from acausal.structure.matching import match

FLOWS = (How.FLOW_SUM, How.UNCONNECTED)
"""Equations between through variables."""


def owner(name: Name) -> Name:
    """The path of the instance whose variable has this name."""
    return without_indices(name)[:-1]


class Names:
    """All names of a variable: its own, and those of its aliases."""

    def __init__(self, flat: FlatModel, dae: Dae) -> None:
        self._kind_of = {v.symbol.name: v.kind for v in (*dae.variables, *[a.variable for a in dae.aliases])}
        self._main = {name for c in flat.components for name in c.main}
        self._others: dict[Expr, list[Name]] = {}
        for alias in dae.aliases:
            for x in variables_of([alias.value]):
                self._others.setdefault(x, []).append(alias.variable.symbol.name)

    def of(self, x: Expr) -> Iterator[Name]:
        """The names of an unknown."""
        yield x.name
        yield from self._others.get(x, ())

    def rank(self, name: Name) -> int:
        """Rank of a force as a reaction of its element, 0 first.

        A terminal that is in no cut, as f of KnifeEdge; what the main cut carries; what other cuts carry.
        """
        kind = self._kind_of.get(name)
        if kind == "terminal":
            return 0
        return 1 if without_indices(name) in self._main else 2 if kind == "cut" else 3


class Reactions:
    """The forces of a model by its connections; `sums` are the names of through variables."""

    def __init__(self, flat: FlatModel, dae: Dae) -> None:
        self.sums: set[Name] = set()
        self._motion: set[Name] = set()
        self.names = Names(flat, dae)
        self._aliases = dae.aliases
        for equation in flat.equations:
            variables = equation.all_variables
            self._motion.update([without_indices(x.name) for x in variables if x.order])
            if equation.origin.how in FLOWS:
                self.sums.update([without_indices(x.name) for x in variables])
            elif equation.origin.how is How.CONNECTED:
                self._motion.update([without_indices(x.name) for x in variables])

    def among(self, unknowns: Iterable[Expr]) -> list[Expr]:
        """Unknowns that are forces: no across variables of connections, not of the model, not differentiated.

        Empty where none of them is a through variable.
        """
        found, through = [], False
        for x in unknowns:
            own = {without_indices(name) for name in self.names.of(x)}
            if not x.order and len(without_indices(x.name)) > 1 and own.isdisjoint(self._motion):
                found.append(x)
                through = through or not own.isdisjoint(self.sums)
        return found if through else []

    def through(self, unknowns: Iterable[Expr]) -> set[Expr]:
        """Through variables of connections, or variables equal to one."""
        return self._aliased.union([x for x in unknowns if without_indices(x.name) in self.sums])

    @cached_property
    def _aliased(self) -> set[Expr]:
        return {
            x
            for alias in self._aliases
            if without_indices(alias.variable.symbol.name) in self.sums
            for x in variables_of([alias.value])
        }


def potentials_of(flat: FlatModel, dae: Dae) -> list[Expr]:
    """Across variables of connections among the variables, in their order."""
    connected = [e for e in flat.equations if e.origin.how is How.CONNECTED]
    across = {without_indices(x.name) for e in connected for x in e.all_variables}
    names = Names(flat, dae)
    return [v.symbol for v in dae.variables if any(without_indices(n) in across for n in names.of(v.symbol))]


def voltages(flat: FlatModel, names: Names, unknowns: Sequence[Expr]) -> dict[Expr, tuple[Name, ...]] | None:
    """Voltages across elements that give the flow, as current sources in series: reactions to constraints of flows.

    Each element with a variable of its own for it, as u of a current source; None where something is not determined
    that moves, or flows, or where the level of a part is not, as the temperature of a body between heat sources.
    """
    moving = {x.name for e in flat.equations for x in e.all_variables if x.order}
    through = {x.name for e in flat.equations if e.origin.how in FLOWS for x in e.all_variables}
    fixed = {without_indices(name) for name in moving | through}
    if any(x.order or len(without_indices(x.name)) < 2 for x in unknowns):
        return None
    if any(without_indices(name) in fixed for x in unknowns for name in names.of(x)):
        return None
    elements = {owner(name) for x in unknowns for name in names.of(x)} - {()}
    across = _drops(flat, constrained_elements(flat, elements, whatever=(How.CONNECTED,)), fixed)
    found = {x: tuple([n for n in names.of(x) if without_indices(n) in across]) for x in unknowns}
    return {x: own for x, own in found.items() if own} or None


def _drops(flat: FlatModel, elements: Collection[Name], through: Collection[Name]) -> set[Name]:
    """The variables of elements for the difference between two variables of their cuts."""
    cut = {v.symbol.name for v in flat.variables if v.kind == "cut"}
    found = set()
    for equation in flat.equations:
        if equation.origin.how is How.WRITTEN and equation.origin.path in elements:
            whole = {without_indices(x.name) for x in equation.all_variables}
            own = [name for name in whole if name not in cut]
            if len(whole) == 3 and len(own) == 1 and whole.isdisjoint(through):
                found.add(own[0])
    return found


def constrained_elements(
    flat: FlatModel, elements: Collection[Name], *, whatever: Collection[How] = FLOWS
) -> set[Name]:
    """Elements that hold what they are connected to, whatever flows: sources, gears, wheels.

    Without forces they have more equations than variables of their own. A resistor has `Va - Vb = u` for its u, a
    source `u = V` besides; a friction element decides by forces. `whatever` are the equations between variables that
    have no influence.
    """
    equations: dict[Name, list[Equation]] = {element: [] for element in elements}
    outside: set[Name] = {v.symbol.name for v in flat.variables if v.kind == "cut"}
    forces: set[Name] = set()
    for equation in flat.equations:
        names = {without_indices(x.name) for x in equation.all_variables}
        if equation.origin.how in whatever:
            forces |= names
        elif equation.origin.how is How.WRITTEN and equation.origin.path in equations:
            equations[equation.origin.path].append(equation)
        outside |= {name for name in names if owner(name) != equation.origin.path}
    return {element for element, own in equations.items() if _has_surplus(own, outside, forces)}


def _has_surplus(equations: Sequence[Equation], outside: Collection[Name], forces: Collection[Name]) -> bool:
    """True if the equations without forces cannot all determine variables that occur in no others."""
    number_of: dict[tuple[Name, int], int] = {}
    rows: list[tuple[int, ...]] = []
    for equation in equations:
        whole = {without_indices(x.name): x for x in equation.all_variables}
        if whole.keys().isdisjoint(forces):
            own = [(name, k) for name, x in whole.items() if name not in outside for k in range(prod(x.shape))]
            row = tuple([number_of.setdefault(x, len(number_of)) for x in own])
            rows += [row] * prod(equation.left.shape)
    return None in match(Incidence(tuple(rows), len(number_of))).var_of_eq


def forces_of(elements: Collection[Name], names: Names, forces: Iterable[Expr]) -> dict[Expr, tuple[Name, ...]]:
    """Of each element the forces of the first rank that it has."""
    by_rank: dict[Name, dict[int, list[tuple[Expr, Name]]]] = {}
    for x in forces:
        for name in names.of(x):
            if owner(name) in elements:
                by_rank.setdefault(owner(name), {}).setdefault(names.rank(name), []).append((x, name))
    counted: dict[Expr, tuple[Name, ...]] = {}
    for ranks in by_rank.values():
        for x, name in ranks[min(ranks)]:
            counted[x] = (*counted.get(x, ()), name)
    return {x: counted[x] for x in forces if x in counted}
