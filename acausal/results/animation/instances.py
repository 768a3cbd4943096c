"""Instances of a result that can be drawn, in the order of the model."""

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.results.animation.kinds import KINDS, SHAPE, Kind

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.animation.source import Source


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance: its kind, and the names of its variables and parameters without the path."""

    name: str
    kind: Kind
    result: "Source"
    names: frozenset[str]

    def has(self, *names: str) -> bool:
        """True if it has all of these."""
        return self.names.issuperset(names)

    def number(self, name: str) -> float:
        """The value of a parameter."""
        column = self.result.column(f"{self.name}.{name}")
        return float(self.result[f"{self.name}.{name}"][0]) if len(self.result.time) else column.value

    def numbers(self, names: Iterable[str]) -> tuple[float, ...]:
        """The values of parameters."""
        return tuple([self.number(name) for name in names])

    def rows(self, names: Iterable[str]) -> "Array":
        """The values of variables over time, a column each."""
        import numpy as np

        return np.column_stack([self.result[f"{self.name}.{name}"] for name in names])

    @property
    def variables(self) -> tuple[str, ...]:
        """Full names of its variables that a scene may use."""
        return tuple([f"{self.name}.{x}" for x in self.kind.variables if x in self.names])


def find_instances(result: "Source") -> tuple[Instance, ...]:
    """Instances of `KINDS` of which the result has all required variables; all their parameters are finite."""
    groups: dict[str, list[str]] = {}
    for name in (*result.columns, *result.parameters):
        head, dot, local = name.rpartition(".")
        if dot and "(" not in name:
            groups.setdefault(head, []).append(local)
    found = []
    for head, locals_ in groups.items():
        names = frozenset(locals_)
        kind = next((kind for kind in KINDS if _fits(kind, names)), None)
        if kind is not None and all(_is_finite(result, f"{head}.{name}") for name in names):
            found.append(Instance(head, kind, result, names))
    return tuple(found)


def pruned(result: "Source") -> tuple[str, ...]:
    """Shapes whose parameters are there, but not their positions."""
    marked = [name.removesuffix(".drawn") for name in result.parameters if name.endswith(".drawn")]
    place = SHAPE.frames[0]
    return tuple([name for name in marked if not all(f"{name}.{x}" in result for x in place.elements)])


def _is_finite(result: "Source", name: str) -> bool:
    column = result.parameters.get(name)
    return column is None or abs(column.value) < inf


def _fits(kind: Kind, names: frozenset[str]) -> bool:
    wrenches = [f"{name}[1]" for name, _ in kind.wrenches if kind.name != "link"]
    return names.issuperset(kind.required) and names.issuperset(
        (*[x for frame in kind.frames for x in frame.elements], *wrenches)
    )
