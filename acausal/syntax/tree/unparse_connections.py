"""Cuts, paths and connections -> canonical text."""

from acausal.base.diagnostics import InternalError
from acausal.ir import ast
from acausal.ir.show.expressions import show_string
from acausal.syntax.tree.unparse_expressions import (
    Piece,
    Writable,
    assemble,
    class_reference,
    dimensions,
    listed,
)

_SERIES, _PARALLEL, _UNARY = range(3)


def cut(item: ast.Cut) -> str:
    """One cut of a declaration."""
    match item:
        case ast.PlacesCut(name=name, across=across, through=through):
            sides = ", ".join(map(place, across))
            if through:
                sides += (" / " if across else "/ ") + ", ".join(map(place, through))
            return f"{name} ({sides}){_closing(item)}"
        case ast.GroupCut(name=name, parts=parts):
            return f"{name} [{', '.join(part.name for part in parts)}]{_closing(item)}"
        case ast.ExportedCut(name=name, target=target, description=text):
            return f"{name} = {cut_reference(target)}" + ("" if text is None else f" {show_string(text)}")


def path_item(item: ast.PathItem) -> str:
    """One path of a declaration."""
    name = f"{item.name} " if item.name else ""
    text = "" if item.description is None else f" {show_string(item.description)}"
    return f"{name}<{cut_reference(item.first)} - {cut_reference(item.last)}>{text}"


def connection(item: ast.Connection) -> str:
    """One connection of a statement."""
    text = connected(item.item)
    if item.at is None:
        return text
    places = ", ".join(map(cut_reference, item.at))
    return f"{text} at ({places})" if item.grouped else f"{text} at {places}"


def connected(node: ast.ConnectExpression) -> str:
    """Text of the connected operand, without its places."""
    return assemble(node, _pieces)


def cut_reference(item: ast.CutReference) -> str:
    """`a.b[2]:cut.part`."""
    return _parts(item.object) + (f":{_parts(item.cut)}" if item.cut else "")


def _parts(parts: tuple[ast.Part, ...]) -> str:
    return ".".join(part.name + dimensions(part.indices) for part in parts)


def _closing(item: ast.PlacesCut | ast.GroupCut) -> str:
    closing = f" closing {class_reference(item.closing)}" if item.closing else ""
    text = "" if item.description is None else f" {show_string(item.description)}"
    return closing + (" root" if item.root else "") + text


def place(item: ast.Place) -> str:
    """One place of a cut."""
    match item:
        case ast.NothingPlace():
            return "."
        case ast.VariablePlace(name=name, dimensions=sizes, negative=negative):
            return ("-" if negative else "") + name + dimensions(sizes)
        case ast.LadderPlace(name=name, of=of, order=order):
            return (f"{name} = " if name else "") + (f"der({of})" if order == 1 else f"der({of}, {order})")


def _pieces(node: Writable) -> tuple[int, list[Piece]]:
    match node:
        case ast.CutReference():
            return _UNARY, [cut_reference(node)]
        case ast.Series(items=items):
            return _SERIES, listed(items, " - ", _PARALLEL)
        case ast.Parallel(items=items):
            return _PARALLEL, listed(items, " // ", _UNARY)
        case ast.Reversed(item=inner):
            return _UNARY, ["reversed ", (inner, _UNARY)]
        case ast.Loop(item=inner):
            return _UNARY, ["loop (", (inner, _SERIES), ")"]
        case ast.Join(items=items):
            return _UNARY, ["join (", *listed(items), ")"]
        case ast.Branch(items=items):
            return _UNARY, ["branch (", *listed(items), ")"]
        case _:
            raise InternalError("unparse", f"{type(node).__name__} cannot be connected")
