"""Hints inside the text: units of arguments and variables, and the variable that an equation is solved for.

submodel (resistor) R1(R=5 [Ohm])        local x [m]        m*der(v) = F   -> der(v)
"""

from collections.abc import Iterable, Iterator

from acausal.base.frozen import dataclass
from acausal.editor.text.document import Document, Range
from acausal.editor.text.findings import Findings, solved_in
from acausal.editor.text.full_names import instances_of
from acausal.editor.text.names import Names
from acausal.editor.text.resolve import value_of
from acausal.ir import ast

MOST = 3
"""Unknowns of one equation that are shown, where its instances are solved for different ones."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A text at an offset, with what is said when the pointer is on it."""

    offset: int
    label: str
    tooltip: str


def hints(document: Document, names: Names, findings: Iterable[Findings], visible: Range) -> list[Hint]:
    """The hints in a range of the text, in its order."""
    known = list(findings)
    found = [*_units(document, names, known, visible), *_solved(document, known, visible)]
    return sorted([hint for hint in found if visible[0] <= hint.offset <= visible[1]], key=lambda hint: hint.offset)


def _units(document: Document, names: Names, findings: list[Findings], visible: Range) -> Iterator[Hint]:
    for piece in document.pieces:
        if piece.start > visible[1] or piece.start + len(piece.chunk.source.text) < visible[0]:
            continue
        for unit in piece.chunk.units:
            if isinstance(unit, ast.Class):
                yield from _of_class(unit, (unit,), document, names, findings, visible)


def _of_class(
    node: ast.Class,
    home: tuple[ast.Class, ...],
    document: Document,
    names: Names,
    findings: list[Findings],
    visible: Range,
) -> Iterator[Hint]:
    for item in node.items:
        place = document.place(item.span)
        if place is not None and (place[0] > visible[1] or place[1] < visible[0]):
            continue  # most of a large model
        match item:
            case ast.Class():
                yield from _of_class(item, (*home, item), document, names, findings, visible)
            case ast.SubmodelDeclaration():
                template = names.template(names.used(item.class_, home))
                for one in item.items:
                    for argument in (*one.arguments, *one.initial):
                        if isinstance(argument.value, ast.Quantity) and argument.value.unit:
                            continue
                        target = value_of(template, argument.name)
                        unit = None if target is None else _declared(target.about)
                        unit = unit or _found((one.name, argument.name), node, document, findings)
                        place = document.place(argument.value.span)
                        if place is not None and unit is not None and unit != "1":
                            yield Hint(place[1], f" {unit}", f"the unit of {argument.name}")
            case ast.ValueDeclaration():
                for declarator in item.declarators:
                    yield from _of_declarator(declarator, node, document, findings)
            case _:
                pass


def _declared(value: object) -> str | None:
    """The unit that a declaration gives."""
    for argument in getattr(value, "written", ()):
        if argument.name == "unit" and isinstance(argument.value, ast.String):
            return argument.value.value
    return None


def _of_declarator(
    one: ast.Declarator, node: ast.Class, document: Document, findings: list[Findings]
) -> Iterator[Hint]:
    """The unit that equations determine, where none is declared."""
    if any(argument.name == "unit" for argument in one.attributes):
        return
    unit = _found((one.name,), node, document, findings)
    place = document.place(one.span)
    if place is None or unit in (None, "1"):
        return
    yield Hint(_end_of_name(one, place, document), f" [{unit}]", "unit determined by the equations")


def _found(name: tuple[str, ...], node: ast.Class, document: Document, findings: list[Findings]) -> str | None:
    """The unit of a variable of a class that was found in all its instances."""
    units: dict[str | None, None] = {}
    for model, instance in instances_of(node, document, findings):
        unit, _ = model.values.get(".".join([instance, *name] if instance else name), (None, None))
        units[unit] = None
    return next(iter(units)) if len(units) == 1 else None


def _end_of_name(one: ast.Declarator, place: Range, document: Document) -> int:
    text = document.text[place[0] : place[1]]
    after = text.find(one.name, len(one.type) if one.type is not None else 0)
    return place[0] + after + len(one.name)


def _solved(document: Document, findings: list[Findings], visible: Range) -> Iterator[Hint]:
    for found in findings:
        for place, items in solved_in(found, document):
            if not visible[0] <= place[1] <= visible[1]:
                continue
            unknowns = list(dict.fromkeys([item.unknown for item in items]))
            shown = ", ".join(unknowns[:MOST]) + (", ..." if len(unknowns) > MOST else "")
            said = [
                f"{f'{i.instance}: ' if i.instance else ''}solved for {i.unknown}{f', {i.note}' if i.note else ''}"
                for i in items[:8]
            ]
            yield Hint(place[1], f"  → {shown}", "\n".join(said))
