"""Facts of cuts that explanations and checks need beside the equations."""

from collections.abc import Collection, Iterable

from acausal.base.source import Span
from acausal.elaborate.broadcast import count
from acausal.elaborate.connections.connection_ends import GroupEnd
from acausal.elaborate.connections.connector_references import cut_end
from acausal.elaborate.scopes.scope import World
from acausal.ir.flat_connections import Component, ConnectionSet, CutPlaces, CutTerminal, OpenCut
from acausal.ir.model.classes import ExportedCut, GroupCut, SimpleCut, Template
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


def own_cuts(root: Instance, exported: Iterable[CutEnd]) -> tuple[tuple[int, int], ...]:
    """Number of scalars on each side of the model's simple cuts and of those that it exports; see `FlatModel`."""
    return (
        *[_scalars_of_sides(root, c) for c in root.template.cuts.values() if isinstance(c, SimpleCut)],
        *[_scalars_of_sides(end.instance, end.cut) for end in exported],
    )


def _scalars_of_sides(instance: Instance, cut: SimpleCut) -> tuple[int, int]:
    across, through = (
        sum(count(instance.values[p.name].shape) for p in side if p.name is not None and not p.order)
        for side in (cut.across, cut.through)
    )
    return across, through


def terminals_of(root: Instance) -> tuple[CutTerminal, ...]:
    """The cuts of the translated model with the names of their variables."""
    return tuple([_terminal(root, c) for c in root.template.cuts.values() if isinstance(c, SimpleCut | GroupCut)])


def _terminal(instance: Instance, cut: SimpleCut | GroupCut) -> CutTerminal:
    if isinstance(cut, GroupCut):
        return CutTerminal(cut.name, parts=cut.parts)
    across = [instance.values[p.name].name for p in cut.across if p.name is not None]
    through = [(instance.values[p.name].name, p.sign) for p in cut.through if p.name is not None]
    return CutTerminal(cut.name, tuple(across), tuple(through))


def components_of(instances: Iterable[Instance]) -> tuple[Component, ...]:
    """Facts of all submodels that explanations, mechanisms and checks need."""
    places: dict[Template, tuple[CutPlaces, ...]] = {}
    found = []
    for instance in instances:
        template = instance.template
        if instance.item is not None:
            if template not in places:
                simple = [cut for cut in template.cuts.values() if isinstance(cut, SimpleCut)]
                places[template] = tuple([_places(template, cut) for cut in simple])
            found.append(_component(instance, instance.item.span, places[template]))
    return tuple(found)


def _component(instance: Instance, span: Span, cuts: tuple[CutPlaces, ...]) -> Component:
    template = instance.template
    places = sum(name is not None for cut in cuts for name, _ in cut.through)
    main = template.cuts.get(template.main_cut or "")
    through = main.through if isinstance(main, SimpleCut) else ()
    names = tuple([instance.values[p.name].name for p in through if p.name is not None])
    link = any(cut.closes for cut in cuts)
    return Component(instance.path, span, template.name, places, names, link, template.lineage, cuts)


def _places(template: Template, cut: SimpleCut) -> CutPlaces:
    """The places of a cut; those of a ladder under their own names where they have one."""
    named: dict[tuple[str | None, int], str] = {}
    named |= {(value.of, value.order): value.name for value in template.values.values() if value.of is not None}
    across: list[tuple[str | None, int]] = []
    for place in cut.across:
        own = named.get((place.name, place.order)) if place.order else None
        across.append((place.name, place.order) if own is None else (own, 0))
    through = tuple([(place.name, place.sign) for place in cut.through])
    ladder = any(place.order for place in cut.across)
    return CutPlaces(cut.name, tuple(across), through, ladder, cut.closing is not None)


def connection_set_of(joined: JoinedSet) -> ConnectionSet:
    """The names of the ends at a point."""
    inner = tuple([end.name for end in joined.cuts if end.inside])
    return ConnectionSet(tuple([end.name for end in joined.ends]), joined.statements, inner)


def open_cut(instance: Instance, cut: SimpleCut) -> OpenCut:
    """A cut that nothing is connected to from outside, with its across variables."""
    names = [instance.values[place.name].name for place in cut.across if place.name is not None]
    return OpenCut(instance.path, cut.name, tuple(names))
