"""Shapes of cuts: whether two fit place by place, and the error where they do not."""

from collections.abc import Sequence
from dataclasses import replace

from acausal.base.source import Span
from acausal.elaborate.connections.connection_ends import End, GroupEnd
from acausal.elaborate.error_helpers import mistake
from acausal.ir.model.classes import Place, SimpleCut
from acausal.ir.model.instance import CutEnd, Instance, NodeEnd
from acausal.ir.names import Name, show_name
from acausal.ir.origin import Origin


def check_places(first: CutEnd, second: CutEnd, origin: Origin, earlier: Origin | None = None) -> None:
    """C004 where two cuts have different shapes; `earlier` is the statement that brought the first one."""
    if not _fit(first, second):
        hint = _other_cut(first, second) or _other_cut(second, first)
        places = [((earlier or origin).span, described(first)), (origin.span, described(second))]
        raise misfit(origin.span, places, hint)


def _fit(a: CutEnd, b: CutEnd) -> bool:
    values, others = a.instance.values, b.instance.values
    for mine, theirs in ((a.cut.across, b.cut.across), (a.cut.through, b.cut.through)):
        if len(mine) != len(theirs):
            return False
        for p, q in zip(mine, theirs, strict=True):
            if p.name is not None and q.name is not None:
                shape, other = values[p.name].shape, others[q.name].shape
                if shape != other and not (_is_one(shape) and _is_one(other)):
                    return False
    return True


def has_scalars(end: CutEnd) -> bool:
    """True if all that a cut has is declared as scalars by its class, in every instance."""
    values = end.instance.template.values
    named = [values.get(p.name) for p in (*end.cut.across, *end.cut.through) if p.name is not None]
    return all(value is not None and value.shape == () and value.kind != "external" for value in named)


def _other_cut(end: CutEnd, other: CutEnd) -> str | None:
    """A hint to another cut of the same thing, one that fits."""
    for cut in end.instance.template.cuts.values():
        if isinstance(cut, SimpleCut) and cut is not end.cut and _fit(replace(end, cut=cut), other):
            path = show_name(end.instance.path)
            return f"did you mean {path}:{cut.name}?" if path else f"did you mean {cut.name}?"
    return None


def _is_one(shape: tuple[int, ...]) -> bool:
    """True if it is that of a scalar, or of an array of one element, which fits a scalar."""
    return shape.count(1) == len(shape)


def misfit(span: Span, places: Sequence[tuple[Span, str]], hint: str | None = None) -> Exception:
    """C004 at a statement; `places` are the statements that brought the cuts, with these described."""
    hint = hint or "connect cuts with as many variables of the same shapes on each side of the `/`"
    here = "; ".join([text for place, text in places if place == span])
    others = [(place, text) for place, text in places if place != span]
    return mistake(
        "C004", "cuts of different shape are connected", span, here or "joined here", others=others, hint=hint
    )


def described(end: End) -> str:
    """An end with its shape."""
    if isinstance(end, NodeEnd):
        return f"node {show_name(end.name)}"
    if isinstance(end, GroupEnd):
        parts = ", ".join([part.label if isinstance(part, GroupEnd) else str(part.name[-1]) for part in end.parts])
        return f"{_named(end.path, end.label)} has {len(end.parts)} parts [{parts}]"
    across, through = (_names(end.instance, side) for side in (end.cut.across, end.cut.through))
    counts = f"{len(end.cut.across)} across / {len(end.cut.through)} through"
    return f"{_named(end.instance.path, end.cut.name)} has {counts} ({across} / {through})"


def _named(path: Name, cut: str) -> str:
    return f"{show_name(path) or 'the model'}:{cut}"


def _names(instance: Instance, places: tuple[Place, ...]) -> str:
    names = []
    for place in places:
        shape = instance.values[place.name].shape if place.name else ()
        text = "." if place.name is None else f"{place.name}{list(shape) if shape else ''}"
        names.append(f"der({text})" if place.order == 1 else f"der({text}, {place.order})" if place.order else text)
    return ", ".join(names)
