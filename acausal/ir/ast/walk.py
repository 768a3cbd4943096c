"""Walk over a syntax tree."""

from collections.abc import Iterator

from acausal.ir.ast.expressions import Node


def nodes_of(root: object) -> Iterator[Node]:
    """The nodes of a tree, or of a tuple of trees, in the order of the text; a node comes before those below it."""
    stack = [root]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack += reversed(part)
        elif isinstance(part, Node):
            yield part
            stack += [getattr(part, name) for name in reversed(part.__dataclass_fields__) if name != "span"]
