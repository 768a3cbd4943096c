"""Connect expressions as what they join, made once for each text: the references in order, and pairs of their ends.

R[k] - (C[k] // L[k]) - G      references R[k], C[k], L[k], G      last of 0 with first of 1, first of 1 with ...
"""

from collections.abc import Sequence
from itertools import pairwise

from acausal.base.caches import Memo
from acausal.base.frozen import record
from acausal.base.source import Span
from acausal.elaborate.connections.connection_ends import ConnectorReference, End
from acausal.ir import ast

KEPT = 5000
"""Texts that are kept."""

Side = tuple[int, bool]
"""An end of a path: the number of the reference, and True for its last end."""


@record(frozen=True, slots=True)
class _Path:
    """The path that a connect expression is; `main` is the reference that it stands for alone, if it is one."""

    first: Side
    last: Side
    span: Span
    main: int | None = None
    is_path: bool | None = None


@record(frozen=True, slots=True)
class Joins:
    """The references of a connect expression, which of their ends are joined where, and the path as a whole."""

    references: tuple[ast.CutReference, ...]
    pairs: tuple[tuple[Side, Side, Span], ...]
    path: _Path

    def whole(self, found: Sequence[ConnectorReference]) -> ConnectorReference:
        """The value of the expression for what its references mean; is it reversed or a loop, it is one as inside."""
        path = self.path
        is_path = found[path.first[0]].is_path if path.is_path is None else path.is_path
        main = None if path.main is None else found[path.main].main
        return ConnectorReference(end_of(found, path.first), end_of(found, path.last), main, is_path)


def end_of(found: Sequence[ConnectorReference], side: Side) -> End:
    """The end of a reference."""
    number, last = side
    return found[number].last if last else found[number].first


def joins_of(item: ast.ConnectExpression) -> Joins:
    """Joins of a connect expression."""
    kept = _KEPT.get(id(item))
    if kept is None:
        references: list[ast.CutReference] = []
        pairs: list[tuple[Side, Side, Span]] = []
        path = _path(item, references, pairs)
        kept = _KEPT.keep(id(item), (item, Joins(tuple(references), tuple(pairs), path)))
    return kept[1]


_KEPT: Memo[int, tuple[ast.ConnectExpression, Joins]] = Memo(KEPT)
"""By identity; holding the node keeps its identity from being another's."""


def _path(
    item: ast.ConnectExpression, references: list[ast.CutReference], pairs: list[tuple[Side, Side, Span]]
) -> _Path:
    """The path of an expression; its references and joins are added. Nesting is limited by the parser."""
    if isinstance(item, ast.CutReference):
        references.append(item)
        number = len(references) - 1
        return _Path((number, False), (number, True), item.span, number)
    if isinstance(item, ast.Reversed):
        inner = _path(item.item, references, pairs)
        return _Path(inner.last, inner.first, inner.span, None, inner.is_path)
    if isinstance(item, ast.Loop):
        inner = _path(item.item, references, pairs)
        pairs.append((inner.last, inner.first, item.span))
        return inner
    paths = [_path(i, references, pairs) for i in item.items]
    if isinstance(item, ast.Series):
        pairs += [(left.last, right.first, left.span.to(right.span)) for left, right in pairwise(paths)]
        return _Path(paths[0].first, paths[-1].last, item.span, None, True)
    for other in paths[1:]:
        pairs.append((paths[0].first, other.first, paths[0].span.to(other.span)))
        if isinstance(item, ast.Parallel):
            pairs.append((paths[0].last, other.last, paths[0].span.to(other.span)))
    return _Path(paths[0].first, paths[0].last, item.span, None, isinstance(item, ast.Parallel))
