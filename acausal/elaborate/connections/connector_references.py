"""Connector references of a connect statement: simple cuts seen from outside or inside, nodes, and groups of these."""

from acausal.base.diagnostics import Diagnostic, Label, LimitError
from acausal.base.source import Span
from acausal.elaborate.connections.connection_ends import MOST_CUTS, ConnectorReference, End, GroupEnd, without_group
from acausal.elaborate.connections.connector_errors import unknown_connector
from acausal.elaborate.connections.repeated_ends import Known
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.index_values import index_value
from acausal.elaborate.scopes.scope import InstanceScope, World
from acausal.elaborate.values.structural import structural_integer
from acausal.ir import ast
from acausal.ir.model.classes import ExportedCut, GroupCut, SimpleCut
from acausal.ir.model.instance import CutEnd, Instance, NodeEnd
from acausal.ir.names import Name, show_name

DEEPEST = 100
"""Levels of hierarchical cuts, those of submodels included."""


def thing(reference: ast.CutReference, scope: InstanceScope, known: Known) -> ConnectorReference:
    """Resolve a reference in a connect statement: submodel, cut, path or node."""
    here, element = scope.instance, known.element(reference, scope)
    if element is not None and not reference.cut:
        return _ends(element, scope, known, reference.span)
    if reference.cut:
        owner = element or _instance(reference.object, scope)
        return _named(owner, reference.cut, scope, inside=owner is here)
    first = reference.object[0]
    if len(reference.object) == 1 and first.name not in here.children:
        return _named(here, reference.object, scope, inside=True)
    return _ends(_instance(reference.object, scope), scope, known, reference.span)


def _ends(instance: Instance, scope: InstanceScope, known: Known, span: Span) -> ConnectorReference:
    """The ends of a submodel, found once."""
    found = known.ends.get(instance)
    if found is None:
        plain = known.of_class(instance.template)
        found = plain.of(instance) if plain is not None else _submodel(instance, scope.world, span)
        known.ends[instance] = found
    return found


def alone(value: ConnectorReference) -> End:
    """The cut that stands for a thing: its main cut, else the last of its path; of a group of one part this part."""
    return without_group(value.last if value.main is None else value.main)


def _instance(parts: tuple[ast.Part, ...], scope: InstanceScope) -> Instance:
    instance = scope.instance
    for part in parts:
        if part.name not in instance.children:
            if part is parts[-1] and part.name in instance.template.cuts and instance.path:
                path = show_name(instance.path[len(scope.instance.path) :])
                message, hint = f"{part.name} is a cut of {path}, not a submodel in it", f"write `{path}:{part.name}`"
                raise mistake("C001", message, part.span, "a colon precedes the name of a cut", hint=hint)
            raise unknown_connector(instance, part.name, part.span)
        instance = scope.child(instance, part)
    return instance


def _submodel(instance: Instance, world: World, span: Span) -> ConnectorReference:
    template = instance.template
    main = None if template.main_cut is None else cut_end(instance, template.main_cut, world, inside=False)
    if template.main_path is not None:
        first, last = (
            _path_end(instance, r, world, inside=False) for r in (template.main_path.first, template.main_path.last)
        )
        return ConnectorReference(first, last, main)
    if main is not None:
        return ConnectorReference(main, main, main, is_path=False)
    if len(template.cuts) == 1:
        only = cut_end(instance, next(iter(template.cuts)), world, inside=False)
        return ConnectorReference(only, only, only, is_path=False)
    raise mistake(
        "C003",
        f"{show_name(instance.path)} (class {template.name}) has no main cut and no main path",
        span,
        hint=f"name one of its cuts, as in {show_name(instance.path)}:{next(iter(template.cuts), 'A')}",
    )


def _named(
    instance: Instance, parts: tuple[ast.Part, ...], scope: InstanceScope, *, inside: bool
) -> ConnectorReference:
    """A cut, part of a cut, path or node of an instance."""
    template, first = instance.template, parts[0]
    if first.name in template.paths:
        item = template.paths[first.name]
        first_end, last_end = (_path_end(instance, r, scope.world, inside=inside) for r in (item.first, item.last))
        return ConnectorReference(first_end, last_end)
    if inside and first.name in template.nodes:
        end: End = NodeEnd(instance, _node_name(instance, first, scope))
    elif first.name in template.cuts:
        end = cut_end(instance, first.name, scope.world, inside=inside)
    else:
        raise unknown_connector(instance, first.name, first.span)
    for part in parts[1:]:
        end = _part(end, part)
    return ConnectorReference(end, end, end, is_path=False)


def _node_name(instance: Instance, part: ast.Part, scope: InstanceScope) -> Name:
    numbers = []
    sizes = instance.nodes.get(part.name, ())
    if len(part.indices) != len(sizes):
        raise mistake("C005", f"node {part.name} has {len(sizes)} dimensions", part.span, hint="give an index for each")
    for index, size in zip(part.indices, sizes, strict=True):
        if isinstance(index, ast.Slice):
            raise mistake("C005", "a single node is required here, not a range", part.span, hint="write one index")
        number = structural_integer(index_value(index, scope, scope.loops), index.span, scope, "an index")
        if not 1 <= number <= size:
            raise mistake(
                "C005", f"node {part.name} has elements 1 to {size}, not {number}", index.span, hint="use one of these"
            )
        numbers.append(number)
    return (*instance.path, part.name, *numbers)


def _part(end: End, part: ast.Part) -> End:
    if isinstance(end, GroupEnd):
        for inner in end.parts:
            label = inner.label if isinstance(inner, GroupEnd) else str(inner.name[-1])
            if label == part.name:
                return inner
    raise mistake("C001", f"unknown cut {part.name}", part.span, hint="name a part of the cut before it")


def _path_end(instance: Instance, reference: ast.CutReference, world: World, *, inside: bool, depth: int = 0) -> End:
    parts = reference.cut or reference.object
    if not reference.cut and len(parts) == 1:  # nearly all
        cut = instance.template.cuts.get(parts[0].name)
        if isinstance(cut, SimpleCut):
            return CutEnd(instance, cut, inside)
    owner = instance
    if reference.cut:
        for part in reference.object:
            owner = _child(owner, part, world)
        inside = False
    if parts[0].name not in owner.template.cuts:
        raise unknown_connector(owner, parts[0].name, parts[0].span)
    end = cut_end(owner, parts[0].name, world, inside=inside, depth=depth)
    for part in parts[1:]:
        end = _part(end, part)
    return end


def _child(instance: Instance, part: ast.Part, world: World) -> Instance:
    if part.name not in instance.children:
        raise unknown_connector(instance, part.name, part.span)
    return InstanceScope(world, instance, instance.template.use).child(instance, part)


def cut_end(instance: Instance, name: str, world: World, *, inside: bool, depth: int = 0) -> End:
    """The end that a cut of an instance is; exported cuts are those of the submodel, seen from outside it."""
    cut = instance.template.cuts[name]
    if depth > DEEPEST:
        message = f"cuts are nested more than {DEEPEST} levels deep"
        raise LimitError(Diagnostic("L002", message, Label(cut.span), help="use fewer levels of cuts"))
    if isinstance(cut, SimpleCut):
        return CutEnd(instance, cut, inside)
    if isinstance(cut, ExportedCut):
        return _path_end(instance, cut.target, world, inside=False, depth=depth + 1)
    assert isinstance(cut, GroupCut)
    for part in cut.parts:
        if part not in instance.template.cuts:
            raise unknown_connector(instance, part, cut.span)
    parts = [cut_end(instance, part, world, inside=inside, depth=depth + 1) for part in cut.parts]
    group = GroupEnd(instance.path, name, tuple(parts))
    if _simple_cuts(group) > MOST_CUTS:
        message = f"the cut {name} contains more than {MOST_CUTS} cuts"
        raise LimitError(Diagnostic("L005", message, Label(cut.span), help="list fewer cuts"))
    return group


def _simple_cuts(end: End) -> int:
    """Number of cuts without parts inside; groups of exported groups may double from class to class."""
    return sum(map(_simple_cuts, end.parts)) if isinstance(end, GroupEnd) else 1
