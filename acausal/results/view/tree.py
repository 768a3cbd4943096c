"""The tree of submodels of results, from the names of their variables and parameters.

motor.La.i, motor.La.L, u      motor            u
                                 La
                                   i  L
"""

from collections.abc import Iterable, Mapping
from dataclasses import field

from acausal.base.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Item:
    """A variable or parameter: its name, how it is called within its submodel, and the runs' values of a constant."""

    name: str
    label: str
    unit: str | None
    text: str | None
    parameter: bool
    values: tuple[float | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A submodel: those within it by name, and its own variables and parameters."""

    label: str
    children: "dict[str, Node]" = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)

    def data(self) -> dict[str, object]:
        """The tree for the page, made without recursion."""
        made: dict[str, object] = {}
        waiting = [(self, made)]
        while waiting:
            node, place = waiting.pop()
            children: list[dict[str, object]] = [{} for _ in node.children]
            place |= {"label": node.label, "children": children, "items": [_item(item) for item in node.items]}
            waiting += zip(node.children.values(), children, strict=True)
        return made


def _item(item: Item) -> dict[str, object]:
    found = {"name": item.name, "label": item.label, "unit": item.unit, "text": item.text, "values": item.values}
    return {key: value for key, value in found.items() if value is not None} | (
        {"parameter": True} if item.parameter else {}
    )


def tree_of(items: Mapping[str, Item]) -> Node:
    """The tree of all items, in their order."""
    root = Node("")
    for item in items.values():
        *path, label = parts(item.name)
        node = root
        for part in path:
            node = node.children.setdefault(part, Node(part))
        node.items.append(Item(item.name, label, item.unit, item.text, item.parameter, item.values))
    return root


def parts(name: str) -> tuple[str, ...]:
    """The submodels of a name and what is left: `der(a.b.x)` is the derivative `der(x)` of a.b."""
    if name.startswith("der(") and name.endswith(")"):
        inside, comma, order = name[4:-1].partition(", ")
        *path, last = _split(inside)
        return (*path, f"der({last}{comma}{order})")
    return _split(name)


def _split(name: str) -> tuple[str, ...]:
    """The parts between the points outside of brackets."""
    found, depth = [""], 0
    for sign in name:
        depth += (sign == "[") - (sign == "]")
        if sign == "." and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    return tuple(found)


def joined(names: Iterable[str]) -> tuple[str, ...]:
    """Names, each once."""
    return tuple(dict.fromkeys(names))
