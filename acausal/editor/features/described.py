"""Declarations in a few words: for completion, hover and signatures. The texts are those of the libraries."""

import re
from collections.abc import Iterator

from acausal.base.source import SourceFile, Span
from acausal.editor.text.document import Document
from acausal.editor.text.names import Names
from acausal.editor.text.resolve import Target
from acausal.ir import ast
from acausal.ir.model.classes import ClassUse, Cut, Definition, Submodel, Template, Value
from acausal.reference.comments import comment_text, first_sentence
from acausal.reference.data import ValueEntry
from acausal.reference.values import parameters_of, variables_of

_COMMENT_END = re.compile(r"\}[ \t]*\r?\n?[ \t]*\Z")


def values_of(template: Template) -> dict[str, ValueEntry]:
    """The parameters and variables of a class by name."""
    return {e.name: e for e in (*parameters_of(template, None), *variables_of(template, None))}


def value_line(entry: ValueEntry) -> str:
    """`parameter real R = 1000   "resistance"` in one line."""
    typed = "" if entry.type == "real" else f"{entry.type} "
    kind = "variable of a cut" if entry.kind == "cut" else entry.kind
    value = "" if entry.default is None else f" = {entry.default}"
    unit = "" if entry.unit is None else f' (unit="{entry.unit}")'
    return f"{kind} {typed}{entry.name}{entry.dimensions}{unit}{value}"


def entry_of(value: Value, template: Template) -> ValueEntry | None:
    """The entry of a parameter or variable."""
    return values_of(template).get(value.name)


def class_line(definition: Definition) -> str:
    """`model class (twopin) resistor`."""
    node = definition.node
    supers = ", ".join([".".join(above.class_.names) for above in node.supers])
    formals = ", ".join([parameter.name for parameter in node.parameters])
    return f"{node.kind}{f' ({supers})' if supers else ''} {node.name}{f' <{formals}>' if formals else ''}"


def comment_of(definition: Definition, document: Document) -> str:
    """The comment before a class: what its author says of it."""
    span = definition.node.span
    place = document.place(span)
    text, start = (document.text, place[0]) if place is not None else (span.file.text, span.start)
    before = text[:start]
    end = _COMMENT_END.search(before)
    if end is None:
        return ""
    begin = before.rfind("{", 0, end.start())
    if begin < 0 or before.count("\n", end.start()) > 1:
        return ""
    return comment_text(Span(SourceFile("", before), begin, end.start() + 1))


def summary_of(definition: Definition, document: Document) -> str:
    """The first sentence of that comment."""
    return first_sentence(comment_of(definition, document))


def cut_line(cut: Cut) -> str:
    """The cut as declared, on one line."""
    return f"cut {' '.join(cut.span.text.split())}"


def submodel_line(submodel: Submodel) -> str:
    """`submodel (resistor) R1(R=5)`."""
    return f"submodel ({submodel.class_.name}) {' '.join(submodel.item.span.text.split())}"


def target_line(target: Target) -> str:
    """The declaration in one line of the language."""
    match target.about:
        case Definition() as definition:
            return class_line(definition)
        case Value() as value if target.owner is not None:
            entry = entry_of(value, target.owner)
            return value.name if entry is None else value_line(entry)
        case Submodel() as submodel:
            return submodel_line(submodel)
        case ast.PathItem() as path:
            return f"path {' '.join(path.span.text.split())}"
        case ast.Declarator() as node:
            return f"node {' '.join(node.span.text.split())}"
        case ast.Function() as function:
            return " ".join(function.span.text.split())
        case None:
            return f"{target.kind} {target.name}"
        case ast.Include() as include:
            return f"@{include.file}"
        case cut:
            return cut_line(cut) if not isinstance(cut, Value) else cut.name


def parameters(names: Names, use: ClassUse | None) -> Iterator[ValueEntry]:
    """The parameters of a class that its users can give."""
    template = names.template(use)
    if template is not None:
        yield from [entry for entry in parameters_of(template, None) if entry.kind == "parameter"]
