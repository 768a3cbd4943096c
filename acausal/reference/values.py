"""Parameters and variables of a class as entries.

terminal Va (unit="V"), Vb (unit="V") "potentials"

A description also holds for the names before it in its statement that have none and are of the same unit and shape.
"""

from collections.abc import Callable, Iterator

from acausal.elaborate.classes.declarations import PARAMETERS
from acausal.ir import ast
from acausal.ir.flat import FlatModel
from acausal.ir.model.classes import Template, Value
from acausal.ir.names import show_name
from acausal.ir.walk import postorder
from acausal.reference.data import ValueEntry
from acausal.syntax.tree.unparse import unparse
from acausal.units.check.result_units import written_units

Find = Callable[[Value], str | None]


def parameters_of(template: Template, flat: FlatModel | None) -> tuple[ValueEntry, ...]:
    """The parameters and constants of a class, inherited ones first."""
    depending = _depending(flat)
    find = _finder(flat)
    chosen = [value for value in template.values.values() if value.kind in PARAMETERS]
    return tuple([_entry(value, find, value.name in depending) for value in chosen])


def variables_of(template: Template, flat: FlatModel | None) -> tuple[ValueEntry, ...]:
    """The variables of a class, inherited ones first; also the derivatives that have names in ladder cuts."""
    find = _finder(flat)
    return tuple([_entry(v, find, computed=False) for v in template.values.values() if v.kind not in PARAMETERS])


def _depending(flat: FlatModel | None) -> frozenset[str]:
    """The parameters whose values depend on other parameters."""
    if flat is None:
        return frozenset()
    found = []
    for parameter in flat.parameters:
        leaves = [leaf for leaf in postorder([parameter.binding]) if leaf.op == "parameter"]
        if any(leaf is not parameter.symbol for leaf in leaves):
            found.append(parameter)
    return frozenset([show_name(p.symbol.name) for p in found])


def _finder(flat: FlatModel | None) -> Find:
    """The units that equations determine where none is declared."""
    if flat is None:
        return lambda value: None
    units = written_units(flat)
    return lambda value: units.of((value.of or value.name,), value.order) if value.type == "real" else None


def _entry(value: Value, find: Find, computed: bool) -> ValueEntry:
    written = {argument.name: argument.value for argument in value.written}
    unit = written.get("unit")
    declared = unit.value if isinstance(unit, ast.String) else None
    return ValueEntry(
        name=value.name,
        kind=value.kind,
        type=value.type,
        dimensions=f"[{', '.join(map(unparse, value.dimensions))}]" if value.dimensions else "",
        unit=find(value) if declared is None else declared,
        inferred=declared is None,
        default=None if value.binding is None else unparse(value.binding.node),
        computed=computed,
        minimum=unparse(written["min"]) if "min" in written else None,
        maximum=unparse(written["max"]) if "max" in written else None,
        description=value.description or _description_of_group(value) or _of_derivative(value),
        home=value.home.name,
        of=value.of,
        order=value.order,
    )


def _description_of_group(value: Value) -> str:
    """The description of the next name of the same unit and shape in the statement."""
    for declarators in _declarations(value):
        names = [declarator.name for declarator in declarators]
        if value.name in names:
            here = declarators[names.index(value.name) :]
            for declarator in here:
                if (_unit(declarator), declarator.dimensions) != (_unit(here[0]), here[0].dimensions):
                    break
                if declarator.description:
                    return declarator.description
    return ""


def _declarations(value: Value) -> Iterator[tuple[ast.Declarator, ...]]:
    """The declarations of the class in which a value is declared."""
    for item in value.home.definition.node.items:
        if isinstance(item, ast.ValueDeclaration):
            yield item.declarators


def _unit(declarator: ast.Declarator) -> str | None:
    for argument in declarator.attributes:
        if argument.name == "unit" and isinstance(argument.value, ast.String):
            return argument.value.value
    return None


def _of_derivative(value: Value) -> str:
    """The description of a named derivative in a ladder cut."""
    if value.of is None:
        return ""
    return f"der({value.of})" if value.order == 1 else f"der({value.of}, {value.order})"
