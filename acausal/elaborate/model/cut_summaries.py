"""Facts of cuts that explanations and checks need beside the equations."""

from collections.abc import Collection

from acausal.base.source import Span
from acausal.elaborate.broadcast import count
from acausal.elaborate.connections.connector_references import GroupEnd, cut_end
from acausal.elaborate.scopes.scope import World
from acausal.ir.flat import Component, CutTerminal
from acausal.ir.model.classes import ExportedCut, GroupCut, SimpleCut
from acausal.ir.model.instance import CutEnd, Instance, JoinedSet
from acausal.ir.names import Name


def exported_ends(root: Instance, world: World, joined: Collection[Name]) -> list[CutEnd]:
    """Cuts of submodels that are cuts of the model too, each once, unless something is connected to them inside."""
    found: dict[Name, CutEnd] = {}
    for name, cut in root.template.cuts.items():
        if isinstance(cut, ExportedCut):
            ends = [cut_end(root, name, world, inside=True)]
            while ends:
                end = ends.pop()
                if isinstance(end, GroupEnd):
                    ends += end.parts
                elif isinstance(end, CutEnd):
                    found[end.name] = end
    return [end for name, end in found.items() if name not in joined]


def scalars_of_sides(instance: Instance, cut: SimpleCut) -> tuple[int, int]:
    """Number of scalars on each side of a cut."""
    across, through = (
        sum(count(instance.values[p.name].shape) for p in side if p.name is not None and not p.order)
        for side in (cut.across, cut.through)
    )
    return across, through


def terminal_of(instance: Instance, cut: SimpleCut | GroupCut) -> CutTerminal:
    """A cut of the translated model with the names of its variables."""
    if isinstance(cut, GroupCut):
        return CutTerminal(cut.name, parts=cut.parts)
    across = [instance.values[p.name].name for p in cut.across if p.name is not None]
    through = [(instance.values[p.name].name, p.sign) for p in cut.through if p.name is not None]
    return CutTerminal(cut.name, tuple(across), tuple(through))


def component_of(instance: Instance, span: Span) -> Component:
    """Facts of an instance that explanations and mechanisms need."""
    cuts = [c for c in instance.template.cuts.values() if isinstance(c, SimpleCut)]
    places = sum(p.name is not None for c in cuts for p in c.through)
    main = instance.template.cuts.get(instance.template.main_cut or "")
    through = main.through if isinstance(main, SimpleCut) else ()
    names = tuple([instance.values[p.name].name for p in through if p.name is not None])
    link = any(c.closing is not None for c in cuts)
    return Component(instance.path, span, instance.template.name, places, names, link, instance.template.lineage)


def signed_throughs(sets: tuple[JoinedSet, ...]) -> set[tuple[Name, int]]:
    """The through variables of connected cuts, each with its sign."""
    return {
        (end.instance.values[place.name].name, place.sign)
        for joined in sets
        for end in joined.cuts
        if not end.inside
        for place in end.cut.through
        if place.name is not None
    }
