"""`check FILE.lib`: every class of a file by itself, with its cuts open and its parameters free.

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
from acausal.ir.flat import FlatModel
from acausal.ir.model.classes import Library
from acausal.ir.origin import How, Origin
from acausal.units.check.check_units import check_units


def check_library(library: Library, options: TranslateOptions) -> Report:
    """All mistakes and warnings; a mistake that several classes inherit is reported once."""
    classes = [u for u in library.main.units if isinstance(u, ast.Class)]
    superclasses = {s.class_.names[-1] for d in library.space.classes.values() for s in d.node.supers}
    found: dict[tuple[object, ...], Diagnostic] = {}
    for node in classes:
        for diagnostic in _of_class(node, library, options, balanced=node.name not in superclasses):
            found.setdefault((diagnostic.code, diagnostic.primary and diagnostic.primary.span), diagnostic)
    return Report((*library.notes, *found.values()))


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
    settings = sum(v.kind == "discrete" for v in flat.variables)
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
        yield Diagnostic(
            "B001",
            f"class {node.name} has {missing} undetermined unknowns, but its cuts and terminals determine {wanted}",
            Label(node.name_span, "too many equations" if missing < least else "too few equations"),
            notes=(f"{missing + equations} unknowns, {equations} equations",),
            help=(
                "a cut contributes one equation for each of its through variables, a terminal at most one from outside"
            ),
        )
