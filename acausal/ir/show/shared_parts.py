"""Text of expressions that share so much that written out they would have no end.

a = (x + y)^2, b = a*a, c = b*b, ...     each twice as long as the one before
"""

from collections.abc import Sequence

from acausal.ir.expr import Expr
from acausal.ir.show.expressions import ATOM, Text, show_leaf, show_node
from acausal.ir.walk import postorder

LONG = 20_000
"""Characters of all expressions together from which on shared parts are written once."""
WORTH = 12
"""A shared part of fewer characters is written where it occurs."""
LONGEST_PART = 2_000
"""A longer part stands on a line of its own though it occurs once: its text would be copied at each level above."""


def show_parts(exprs: Sequence[Expr], marked: Expr | None = None) -> tuple[list[str], list[str]]:
    """Texts of the expressions, and before them lines `part$1 = ...` for shared parts if all together are LONG."""
    nodes = tuple(postorder(exprs))
    lengths: dict[Expr, int] = {}
    uses: dict[Expr, int] = {}
    for node in nodes:
        lengths[node] = min(sum([lengths[a] + 3 for a in node.args], 8), LONG + 1)
        for argument in node.args:
            uses[argument] = uses.get(argument, 0) + 1
    long = sum([lengths[e] for e in exprs]) > LONG
    lines: list[str] = []
    done: dict[Expr, Text] = {}
    for node in nodes:
        text = done[node] = show_node(node, done) if node.args or node.op == "array" else show_leaf(node, marked)
        if long and node.args and _is_part(len(text[0]), uses.get(node, 0)):
            done[node] = f"part${len(lines) + 1}", ATOM
            lines.append(f"{done[node][0]} = {text[0]}")
    return lines, [done[e][0] for e in exprs]


def written(exprs: Sequence[Expr], form: str, marked: Expr | None = None) -> list[str]:
    """A line with the whole text of expressions, and behind it what they share if that would be long."""
    parts, texts = show_parts(exprs, marked)
    return [form.format(*texts), *[f"    where {part}" for part in parts]]


def _is_part(length: int, uses: int) -> bool:
    return (uses > 1 and length > WORTH) or (uses > 0 and length > LONGEST_PART)
