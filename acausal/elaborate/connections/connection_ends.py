"""Ends of connections: simple cuts seen from outside or inside, nodes, and groups of these; what a reference names."""

from acausal.base.frozen import record
from acausal.ir.model.instance import CutEnd, NodeEnd
from acausal.ir.names import Name


@record(frozen=True, slots=True)
class GroupEnd:
    """A hierarchical cut: its parts in order."""

    path: Name
    label: str
    parts: "tuple[End, ...]"


End = CutEnd | NodeEnd | GroupEnd
MOST_CUTS = 10_000
"""Simple cuts in one hierarchical cut."""


@record(frozen=True, slots=True)
class ConnectorReference:
    """The value of a connect expression: a path from `first` to `last` (the same end for a lone cut).

    `main` is the main cut of a submodel, where the thing is one and has one; `is_path` whether it has two ends.
    """

    first: End
    last: End
    main: End | None = None
    is_path: bool = True


def without_group(end: End) -> End:
    """The part itself of a hierarchical cut of one part, however deep."""
    while isinstance(end, GroupEnd) and len(end.parts) == 1:
        end = end.parts[0]
    return end
