"""Descriptions of components, variables and equations in messages about structural faults."""

from collections.abc import Iterable, Sequence

from acausal.base.diagnostics import Label
from acausal.ir.flat import Equation, FlatModel, Variable
from acausal.ir.flat_connections import Component
from acausal.ir.names import Name, listed, show_name
from acausal.ir.origin import How, Origin
from acausal.ir.show.expressions import show_equation

MOST = 3
"""Number of components, variables or equations that a message names."""


def whole_origin(origin: Origin) -> Origin:
    """The origin of the whole array, for that of an element."""
    while origin.how in (How.ELEMENT, How.COMBINED, How.DIFFERENTIATED) and origin.of:
        origin = origin.of[0]
    return origin


def made(origin: Origin) -> How:
    """Kind of an equation's origin; an element of an array counts as the whole."""
    return whole_origin(origin).how


def declaration(flat: FlatModel, path: Name) -> Label | None:
    """Declaration of the outermost submodel of a path, which the user can change."""
    for component in flat.components:
        if path and component.path == path[: len(component.path)]:
            return Label(component.span, about(component))
    return None


def about(component: Component) -> str:
    """The name of a component and its class."""
    return f"{show_name(component.path)} is of class {component.class_name}"


def paths_of(origins: Iterable[Origin]) -> list[str]:
    """The components, each once."""
    return list(dict.fromkeys(show_name(o.path) for o in origins if o.path))


def equations_of(origins: Iterable[Origin]) -> dict[str, int]:
    """Number of equations of each component."""
    count: dict[str, int] = {}
    for origin in origins:
        if origin.path:
            path = show_name(origin.path)
            count[path] = count.get(path, 0) + 1
    return count


def names_of(variables: Iterable[Variable]) -> list[str]:
    """The names as text."""
    return [show_name(v.symbol.name) for v in variables]


def joined(items: Sequence[str]) -> str:
    """The items with `and` before the last."""
    if len(items) > MOST:
        return listed(items, MOST)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def counted(names: Sequence[str]) -> str:
    """Number of unknowns, and the first of their names."""
    return f"{len(names)} unknown{'s' if len(names) != 1 else ''}: {listed(names, MOST)}"


def idle(equations: Sequence[Equation]) -> str:
    """The text for equations in which no unknown is left."""
    return f"no unknown remains in {listed([show_equation(e) for e in equations], MOST)}"


def counted_equations(count: int) -> str:
    """Number of equations."""
    return f"{count} equation{'s' if count != 1 else ''}"


def distinct(labels: Iterable[Label]) -> list[Label]:
    """One label for each place."""
    return list({label.span: label for label in labels}.values())
