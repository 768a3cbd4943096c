"""Outline of a document: classes with what they declare."""

from collections.abc import Iterator
from typing import Literal

from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.editor.text.document import Document, Range
from acausal.editor.text.mention import name_span
from acausal.ir import ast

SymbolKind = Literal[
    "model", "class", "function", "parameter", "constant", "variable", "submodel", "cut", "path", "node", "include"
]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A declaration: the range of all of it, and that of its name."""

    name: str
    kind: SymbolKind
    detail: str
    range: Range
    name_range: Range
    children: "tuple[Symbol, ...]" = ()


def symbols(document: Document) -> list[Symbol]:
    """The outline of a document."""
    return [made for unit in document.units for made in _of_item(unit, document)]


def _of_item(item: ast.Item, document: Document) -> Iterator[Symbol]:  # noqa: C901  # one case a kind of item
    match item:
        case ast.Class():
            kind: SymbolKind = "model" if item.kind == "model" else "class"
            supers = ", ".join([".".join(above.class_.names) for above in item.supers])
            children = tuple([made for inner in item.items for made in _of_item(inner, document)])
            yield from _symbol(item.name, kind, supers, item.span, item.name_span, document, children)
        case ast.Function():
            arguments = ", ".join([parameter.name for parameter in item.parameters])
            yield from _symbol(
                item.name, "function", f"({arguments})", item.span, name_span(item.name, item.span, 8), document
            )
        case ast.ValueDeclaration():
            for one in item.declarators:
                what: SymbolKind = (
                    "parameter" if item.kind == "parameter" else "constant" if item.kind == "constant" else "variable"
                )
                after = len(one.type) if one.type is not None else 0
                detail = one.description or item.kind
                yield from _symbol(one.name, what, detail, one.span, name_span(one.name, one.span, after), document)
        case ast.SubmodelDeclaration():
            for sub in item.items:
                class_ = ".".join(item.class_.names)
                yield from _symbol(sub.name, "submodel", class_, sub.span, name_span(sub.name, sub.span), document)
        case ast.CutDeclaration():
            for cut in item.cuts:
                detail = "main cut" if item.main else "cut"
                yield from _symbol(cut.name, "cut", detail, cut.span, name_span(cut.name, cut.span), document)
        case ast.PathDeclaration():
            for path in item.paths:
                if path.name is not None:
                    yield from _symbol(path.name, "path", "", path.span, name_span(path.name, path.span), document)
        case ast.NodeDeclaration():
            for node in item.declarators:
                yield from _symbol(node.name, "node", "", node.span, name_span(node.name, node.span), document)
        case _:
            return


def _symbol(
    name: str, kind: SymbolKind, detail: str, span: Span, named: Span, document: Document,
    children: tuple[Symbol, ...] = (),
) -> Iterator[Symbol]:  # fmt: skip
    whole, own = document.place(span), document.place(named)
    if whole is not None and own is not None:
        yield Symbol(name, kind, detail, whole, own, children)
