"""Nodes of a model: the cuts that meet at each, with the names of their variables."""

from collections.abc import Iterator

from acausal.base.frozen import dataclass
from acausal.ir.flat import FlatModel
from acausal.ir.flat_connections import Component, ConnectionSet, CutPlaces
from acausal.ir.names import Name, show_derivative, show_name


@dataclass(frozen=True, slots=True)
class End:
    """A cut at a node: the path of its submodel, and the `side` (1; -1 for a cut seen from within its submodel)."""

    path: Name
    cut: CutPlaces
    side: int

    @property
    def name(self) -> str:
        """The cut as a user writes it: `R:A`; a cut of the model itself has its name alone."""
        return f"{show_name(self.path)}:{self.cut.name}" if self.path else self.cut.name

    def across(self, place: int) -> str | None:
        """The name of the across variable at a place."""
        name, order = self.cut.across[place]
        return None if name is None else show_derivative((*self.path, name), order)

    def through(self, place: int) -> str | None:
        """The name of the through variable at a place."""
        name = self.cut.through[place][0]
        return None if name is None else show_name((*self.path, name))

    def sign(self, place: int) -> int:
        """The sign of a through variable at the node."""
        return self.side * self.cut.through[place][1]


@dataclass(frozen=True, slots=True)
class Node:
    """A node: its name and its cuts.

    `group` is a number that nodes have in common which a cut of an enclosing submodel joins; `ladder` says that one of
    their cuts is a ladder, so that the second across place is the speed of all. An `outer` node is one of the model
    itself, not of a submodel.
    """

    name: str
    ends: tuple[End, ...]
    group: int
    ladder: bool
    outer: bool


def nodes_of(flat: FlatModel) -> Iterator[Node]:
    """The nodes at which cuts with through variables meet, in the order of the text.

    Frames of multibody libraries are left out: their cuts carry wrenches, or the factors of a law for these.
    """
    cuts = {(*c.path, cut.name): End(c.path, cut, 1) for c in flat.components for cut in c.cuts}
    for terminal in flat.terminals:
        across = tuple([(name[-1], 0) for name in terminal.across if isinstance(name[-1], str)])
        through = tuple([(name[-1], sign) for name, sign in terminal.through if isinstance(name[-1], str)])
        cuts[terminal.name,] = End((), CutPlaces(terminal.name, across, through), -1)
    groups = _groups(flat.connection_sets, cuts)
    pairs = list(zip(flat.connection_sets, groups, strict=True))
    ladders = {group for found, group in pairs for m in found.members if m in cuts and cuts[m].cut.ladder}
    for found, group in pairs:
        ends = [_seen(cuts[m], m in found.inner) for m in found.members if m in cuts]
        if ends and ends[0].cut.through and not any(end.cut.closes for end in ends):
            outer = any(not statement.path for statement in found.statements)
            yield Node(_name(found, cuts), tuple(ends), group, group in ladders, outer)


def _seen(end: End, inside: bool) -> End:
    return End(end.path, end.cut, -1) if inside else end


def _name(found: ConnectionSet, cuts: dict[Name, End]) -> str:
    """The node that the text declares, else the first two cuts."""
    declared = [show_name(m) for m in found.members if m not in cuts]
    if declared:
        return declared[0]
    names = [cuts[m].name for m in found.members]
    return " = ".join(names[:2]) + (", ..." if len(names) > 2 else "")


def _groups(sets: tuple[ConnectionSet, ...], cuts: dict[Name, End]) -> list[int]:
    """Numbers that sets have in common which a cut of an enclosing submodel joins."""
    group = list(range(len(sets)))

    def root(k: int) -> int:
        while group[k] != k:
            group[k] = k = group[group[k]]
        return k

    first: dict[Name, int] = {}
    for number, found in enumerate(sets):
        for member in found.members:
            if member in cuts:
                group[root(number)] = root(first.setdefault(member, number))
    return [root(k) for k in range(len(sets))]


def outer_submodels(flat: FlatModel) -> dict[Name, Component]:
    """The submodel of the model itself that each submodel is or lies in."""
    found: dict[Name, Component] = {}
    for component in flat.components:
        around = (found.get(component.path[:k]) for k in range(1, len(component.path)))
        found[component.path] = next((c for c in around if c is not None), component)
    return found
