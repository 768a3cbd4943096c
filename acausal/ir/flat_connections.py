"""Connections of the flat model: nodes, cuts, components and loops, for checks and messages."""

from acausal.base.frozen import record
from acausal.base.source import Span
from acausal.ir.names import Name
from acausal.ir.origin import Origin


@record(frozen=True, slots=True)
class ConnectionSet:
    """Cuts (simple, as paths of instance and cut) and nodes at one point, with the statements that joined them.

    `inner` are those cuts that belong to the enclosing submodel, seen from within.
    """

    members: tuple[Name, ...]
    statements: tuple[Origin, ...]
    inner: tuple[Name, ...] = ()


@record(frozen=True, slots=True)
class CutPlaces:
    """A simple cut of a class, as all its instances have it.

    Across places are names of variables, each with the order of its derivative (0 but for places of a ladder that have
    no name of their own), through places names and signs; the name is None for `.`. It `closes` loops if it names a
    closing class.
    """

    name: str
    across: tuple[tuple[str | None, int], ...]
    through: tuple[tuple[str | None, int], ...]
    ladder: bool = False
    closes: bool = False


@record(frozen=True, slots=True)
class Component:
    """A submodel: where it is declared, its class, and how many through variables its cuts have in all.

    `main` are the through variables of its main cut; it is a `link` if its cuts name a closing class. `lineage` has
    name and file of its class, then of all that it inherits. `cuts` are its simple cuts.
    """

    path: Name
    span: Span
    class_name: str
    places: int = 0
    main: tuple[Name, ...] = ()
    link: bool = False
    lineage: tuple[tuple[str, str], ...] = ()
    cuts: tuple[CutPlaces, ...] = ()


@record(frozen=True, slots=True)
class OpenCut:
    """A cut that nothing is connected to from outside; `variables` are those of its across side."""

    path: Name
    cut: str
    variables: tuple[Name, ...]


@record(frozen=True, slots=True)
class CutTerminal:
    """A cut of the translated model: its across variables, and its through variables with their signs.

    A hierarchical cut has the names of its `parts` instead.
    """

    name: str
    across: tuple[Name, ...] = ()
    through: tuple[tuple[Name, int], ...] = ()
    parts: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class Loop:
    """An instance of a closing class, the submodels around the loop that it closes, and the statement that did."""

    path: Name
    around: tuple[Name, ...]
    origin: Origin
