"""One class of a library as an entry: its declarations with all it inherits, and what its equations tell.

Declarations come from the template of the class, units and states from the flat model of the class by itself.
"""

from dataclasses import replace

from acausal.base.caches import memoized
from acausal.base.diagnostics import ModelError
from acausal.base.options import TranslateOptions
from acausal.elaborate.classes.class_lookup import Classes
from acausal.elaborate.classes.library import load
from acausal.elaborate.expressions.all_errors import AllMistakes
from acausal.elaborate.model.check_library import balance_of
from acausal.elaborate.model.flatten import flatten
from acausal.elaborate.model.instantiate import instantiate
from acausal.ir.flat import FlatModel
from acausal.ir.model.classes import ClassUse, Cut, ExportedCut, GroupCut, Library, Statement, Template
from acausal.ir.names import show_name
from acausal.reference.data import ClassEntry, ClassSummary, CutEntry, StatementEntry
from acausal.reference.examples import example_with
from acausal.reference.libraries import classes, libraries
from acausal.reference.values import parameters_of, variables_of
from acausal.syntax.tree.unparse import unparse


@memoized(400)
def class_entry(about: ClassSummary) -> ClassEntry:
    """All about a class of the standard library."""
    options = TranslateOptions()
    library = load(next(entry.file for entry in libraries() if entry.name == about.library), options)
    template = Classes(library, options.limits, AllMistakes()).template(ClassUse(library.space.classes[about.name]))
    flat = _flat(library, replace(options, model=about.name))
    balance = None if flat is None else balance_of(flat)
    return ClassEntry(
        about=about,
        ancestors=_ancestors(about),
        inherited_by=tuple([known.name for known in classes().values() if about.name in known.supers]),
        cuts=tuple([_cut(cut, template) for cut in template.cuts.values()]),
        paths=_paths(template),
        ends=_ends(template),
        parameters=parameters_of(template, flat),
        variables=variables_of(template, flat),
        submodels=tuple([_submodel(name, template) for name in template.submodels]),
        statements=tuple([StatementEntry(s.node.span.text, s.home.name) for s in _statements(template)]),
        states=() if flat is None else _states(flat),
        equations=None if balance is None else balance.equations,
        missing=None if balance is None else max(0, balance.missing - balance.most),
        example=example_with(about.name),
    )


def _flat(library: Library, options: TranslateOptions) -> FlatModel | None:
    """The class by itself; None for a superclass that has no meaning without what its subclasses declare."""
    try:
        tree, world = instantiate(library, options, open_parameters=True)
        return flatten(tree, world)
    except ModelError:
        return None


def _ancestors(about: ClassSummary) -> tuple[str, ...]:
    """The superclasses, and theirs, nearest first."""
    found = dict.fromkeys(about.supers)
    queue = list(found)
    for name in queue:
        above = classes().get(name)
        for further in () if above is None else above.supers:
            if further not in found:
                found[further] = None
                queue.append(further)
    return tuple(found)


def _cut(cut: Cut, template: Template) -> CutEntry:
    entry = CutEntry(cut.name, " ".join(cut.span.text.split()), cut.name == template.main_cut)
    if isinstance(cut, GroupCut):
        return replace(entry, parts=cut.parts)
    if isinstance(cut, ExportedCut):
        return replace(entry, target=cut.span.text.partition("=")[2].strip())
    across, through = [tuple([p for p in side if p.name and not p.order]) for side in (cut.across, cut.through)]
    return replace(
        entry,
        across=tuple([place.name or "" for place in across]),
        through=tuple([place.name or "" for place in through]),
        outward=tuple([place.name or "" for place in through if place.sign < 0]),
    )


def _ends(template: Template) -> tuple[str, ...]:
    """The first and last cut of the main path."""
    path = template.main_path
    return () if path is None else (unparse(path.first), unparse(path.last))


def _paths(template: Template) -> tuple[str, ...]:
    """The paths as they are declared, the main path first."""
    main = template.main_path
    named = [path for path in template.paths.values() if path != main]
    return tuple([unparse(path) for path in ((main, *named) if main else named)])


def _submodel(name: str, template: Template) -> StatementEntry:
    submodel = template.submodels[name]
    text = " ".join(submodel.item.span.text.split())
    return StatementEntry(f"({submodel.class_.name}) {text}", submodel.home.name)


def _statements(template: Template) -> list[Statement]:
    """Equations and connections in the order of the text; a loop with both stands in both lists of the template."""
    found = {(s.node.span.file.name, s.node.span.start): s for s in (*template.behaviour, *template.connections)}
    return list(found.values())


def _states(flat: FlatModel) -> tuple[tuple[str, int], ...]:
    """Variables whose derivatives occur in equations, with the highest order."""
    orders: dict[str, int] = {}
    for equation in flat.equations:
        for variable in equation.variables:
            if variable.order:
                name = show_name(variable.name)
                orders[name] = max(orders.get(name, 0), variable.order)
    return tuple(orders.items())
