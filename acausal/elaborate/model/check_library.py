"""Check of every class of a file by itself, with its cuts open and its parameters free.

Names, shapes and units of all classes; and of those that no other class inherits from the
balance: as many equations as unknowns, where each through variable of a cut will bring one from outside.
"""

from collections.abc import Iterator
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, ModelError, Report
from acausal.base.frozen import record
from acausal.base.options import TranslateOptions
from acausal.elaborate.broadcast import count
from acausal.elaborate.model.flatten import flatten
from acausal.elaborate.model.instantiate import instantiate
from acausal.ir import ast
from acausal.ir.ast.walk import nodes_of
from acausal.ir.flat import FlatModel
from acausal.ir.model.classes import Library
from acausal.ir.origin import How, Origin
from acausal.units.check.check_units import check_units


def check_library(library: Library, options: TranslateOptions) -> Report:
    """All mistakes and warnings of a file of classes; a mistake that several classes inherit is reported once."""
    classes = [u for u in library.main.units if isinstance(u, ast.Class)]
    return Report((*library.notes, *_of_classes(classes, library, options)))


def check_unused_classes(library: Library, options: TranslateOptions) -> Report:
    """Mistakes and warnings of the classes that nothing in a file of models names: no check of a model reaches them."""
    named = _named_classes(library.main)
    classes = [u for u in library.main.units if isinstance(u, ast.Class) and u.kind != "model"]
    return Report(tuple(_of_classes([c for c in classes if c.name not in named], library, options)))


def _named_classes(file: ast.File) -> set[str]:
    """First and last names of all references to classes in the text."""
    references = [node for node in nodes_of(file) if isinstance(node, ast.ClassReference) and node.names]
    return {name for node in references for name in (node.names[0], node.names[-1])}


def _of_classes(classes: list[ast.Class], library: Library, options: TranslateOptions) -> tuple[Diagnostic, ...]:
    superclasses = {s.class_.names[-1] for d in library.space.classes.values() for s in d.node.supers}
    found: dict[tuple[object, ...], Diagnostic] = {}
    for node in classes:
        for diagnostic in _of_class(node, library, options, balanced=node.name not in superclasses):
            found.setdefault((diagnostic.code, diagnostic.primary and diagnostic.primary.span), diagnostic)
    return tuple(found.values())


def _of_class(node: ast.Class, library: Library, options: TranslateOptions, balanced: bool) -> Iterator[Diagnostic]:
    if any(p.default is None for p in node.parameters):
        return
    try:
        tree, world = instantiate(library, replace(options, model=node.name), open_parameters=True)
        flat = flatten(tree, world)
    except ModelError as error:
        yield from error.report.diagnostics
        return
    yield from check_units(flat).warnings
    if balanced:
        yield from _balance(node, flat)


@record(frozen=True, slots=True)
class Balance:
    """Scalar `equations` of a class by itself, and the unknowns `missing` an equation.

    Its cuts and terminals can determine `least` to `most` of these.
    """

    equations: int
    missing: int
    least: int
    most: int


def balance_of(flat: FlatModel) -> Balance:
    """The equations and unknowns of a class that was flattened by itself, its cuts open."""
    unknowns = sum(count(v.symbol.shape) for v in flat.variables if v.kind != "input")
    equations = sum(count(e.left.shape) for e in flat.equations if not _of_own_cut(flat, e.origin))
    settings = sum(count(v.symbol.shape) for v in flat.variables if v.kind == "discrete")
    free = sum(count(v.symbol.shape) for v in flat.variables if v.kind == "terminal" and not v.origin.path)
    least, most = sum(min(cut) for cut in flat.own_cuts), sum(max(cut) for cut in flat.own_cuts) + free
    return Balance(equations, unknowns - equations - settings, least, most)


def _of_own_cut(flat: FlatModel, origin: Origin) -> bool:
    """True for the equation of a cut of the class itself, to which nothing is connected yet."""
    return origin.how is How.UNCONNECTED and (not origin.path or (origin.path, origin.span) in flat.exported_cuts)


def _balance(node: ast.Class, flat: FlatModel) -> Iterator[Diagnostic]:
    """B001 where no connection and no equation for its terminals could make the class determined."""
    found = balance_of(flat)
    least, most, missing, equations = found.least, found.most, found.missing, found.equations
    if not least <= missing <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        surplus = "many" if missing < least else "few"
        yield Diagnostic(
            "B001",
            f"class {node.name} has too {surplus} equations: {equations} for {missing + equations} unknowns, "
            f"of which its cuts and terminals determine {wanted}",
            Label(node.name_span, f"too {surplus} equations"),
            help=(
                "a cut contributes one equation for each of its through variables, a terminal at most one from outside"
            ),
        )
