"""The way of a variable from the text to its assignment: its links, and the text that shows them."""

from collections.abc import Iterable

from acausal.base.excerpt import clean
from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.ir.expr import Expr
from acausal.ir.names import show_derivative, show_name


@dataclass(frozen=True, slots=True)
class Link:
    """One step of the way: what was done, the text it led to, and where that is written, if it is."""

    what: str
    text: str
    at: Span | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """The way of one leaf; of an alias and of a state that of another leaf follows."""

    leaf: Expr
    links: tuple[Link, ...]


def show_ways(ways: Iterable[Way]) -> str:
    """The ways as text: a line for each link, with file and line where it is written."""
    rows = [(w.leaf, link.what, _place(link), link.text) for w in ways for link in w.links]
    what, place = (max(map(len, column), default=0) for column in list(zip(*rows, strict=True))[1:3])
    lines: list[str] = []
    last: Expr | None = None
    for leaf, kind, at, text in rows:
        if leaf is not last:
            lines.append(show_leaf(leaf))
            last = leaf
        lines.append(f"  {kind:{what}}  {at:{place}}  {text}".rstrip())
    return "\n".join(lines) + "\n"


def _place(link: Link) -> str:
    return "" if link.at is None else f"{clean(link.at.file.name)}:{link.at.line}"


def show_leaf(leaf: Expr) -> str:
    """The name of a variable, derivative or parameter."""
    return show_derivative(leaf.name, leaf.order) if leaf.op == "variable" else show_name(leaf.name)
