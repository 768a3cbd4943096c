"""Syntax tree -> canonical text, with no more parentheses than needed.

`parse(unparse(tree)) == tree` for every tree that the parser can make. Expressions
are written by `unparse_expressions`, connections by `unparse_connections`; nothing here recurses.
"""

from collections.abc import Iterator, Sequence

from acausal.base.diagnostics import InternalError
from acausal.ir import ast
from acausal.ir.show.expressions import show_string
from acausal.syntax.tree.unparse_connections import connected, connection, cut, cut_reference, path_item, place
from acausal.syntax.tree.unparse_expressions import class_reference, dimensions, expression

INDENT = "  "


def unparse(node: ast.Node) -> str:
    """The text of a tree or a part of one; files and items end without newline."""
    if isinstance(node, ast.File):
        return "\n".join(_lines(node.units))
    if isinstance(node, ast.Item):
        return "\n".join(_lines((node,)))
    if isinstance(node, ast.Expression | ast.Slice):
        return expression(node)
    if isinstance(node, ast.ConnectExpression):
        return connected(node)
    return _part(node)


def _part(node: ast.Node) -> str:
    """Text of a part of an item that is neither an expression nor connected."""
    match node:
        case ast.ClassReference():
            return class_reference(node)
        case ast.Connection():
            return connection(node)
        case ast.Argument():
            return _argument_list((node,))
        case ast.Declarator():
            return _declarator(node)
        case ast.SubmodelItem():
            return _submodel(node)
        case ast.PathItem():
            return path_item(node)
        case ast.PlacesCut() | ast.GroupCut() | ast.ExportedCut():
            return cut(node)
        case ast.NothingPlace() | ast.VariablePlace() | ast.LadderPlace():
            return place(node)
        case _:
            raise InternalError("unparse", f"{type(node).__name__} has no text of its own")


def _lines(items: Sequence[ast.Item]) -> Iterator[str]:
    """The lines of the items; what is inside a block is indented."""
    open_: list[tuple[str | ast.Item, str]] = [(item, "") for item in reversed(items)]
    while open_:
        piece, indent = open_.pop()
        if isinstance(piece, str):
            yield indent + piece
            continue
        block = _block(piece)
        if not block:
            yield indent + _line(piece)
        for line, inner in reversed(block):
            open_.extend((item, indent + INDENT) for item in reversed(inner))
            open_.append((line, indent))


def _block(item: ast.Item) -> list[tuple[str, tuple[ast.Item, ...]]]:
    """The lines of a block and what stands indented below each; nothing for an item of one line."""
    match item:
        case ast.Class(items=items):
            return [(_header(item), items), ("end", ())]
        case ast.For(variable=name, start=start, stop=stop, items=items):
            return [(f"for {name} = {expression(start)} to {expression(stop)}", items), ("endfor", ())]
        case ast.When(branches=branches):
            return [*_branches("when", branches), ("endwhen", ())]
        case ast.If(branches=branches, otherwise=None):
            return [*_branches("if", branches), ("endif", ())]
        case ast.If(branches=branches, otherwise=otherwise):
            return [*_branches("if", branches), ("else", otherwise or ()), ("endif", ())]
        case _:
            return []


def _branches(
    word: str, branches: tuple[tuple[ast.Expression, tuple[ast.Item, ...]], ...]
) -> list[tuple[str, tuple[ast.Item, ...]]]:
    return [
        (f"{'else' if number else ''}{word} {expression(condition)} then", items)
        for number, (condition, items) in enumerate(branches)
    ]


def _header(item: ast.Class) -> str:
    supers = ", ".join(class_reference(s.class_) + _arguments(s.arguments) for s in item.supers)
    parameters = ", ".join(p.name + (f" = {class_reference(p.default)}" if p.default else "") for p in item.parameters)
    return item.kind + (f" ({supers})" if supers else "") + f" {item.name}" + (f" <{parameters}>" if parameters else "")


def _line(item: ast.Item) -> str:
    """An item of one line."""
    match item:
        case ast.ValueDeclaration(kind=kind, declarators=declarators):
            return f"{kind} {', '.join(map(_declarator, declarators))}"
        case ast.DefaultDeclaration(defaults=defaults, description=text):
            return f"default {_argument_list(defaults)}{_description(text)}"
        case ast.NodeDeclaration(declarators=declarators):
            return f"node {', '.join(map(_declarator, declarators))}"
        case ast.SubmodelDeclaration(class_=class_, items=items):
            return f"submodel ({class_reference(class_)}) {', '.join(map(_submodel, items))}"
        case ast.ExperimentDeclaration(arguments=arguments, description=text):
            return f"experiment ({_argument_list(arguments)}){_description(text)}"
        case ast.CutDeclaration(main=main, cuts=cuts):
            return f"{'main ' if main else ''}cut {', '.join(map(cut, cuts))}"
        case ast.PathDeclaration(main=main, paths=paths):
            return f"{'main ' if main else ''}path {', '.join(map(path_item, paths))}"
        case ast.Connect(connections=connections):
            return f"connect {', '.join(map(connection, connections))}"
        case ast.Close(item=end, at=at):
            return f"close {cut_reference(end)} at {cut_reference(at)}"
        case _:
            return _behaviour(item)


def _behaviour(item: ast.Item) -> str:
    match item:
        case ast.Equation(left=left, right=right, derivatives=derivatives, description=text):
            more = "".join(f" derivative {expression(a)} = {expression(b)}" for a, b in derivatives)
            return f"{expression(left)} = {expression(right)}{more}{_description(text)}"
        case ast.InitialEquation(left=left, right=right, description=text):
            return f"initial {expression(left)} = {expression(right)}{_description(text)}"
        case ast.Condition(kind=kind, condition=condition, text=text):
            return f"{kind}({expression(condition)}, {show_string(text)})"
        case ast.Include(file=file, prefix=prefix):
            return f"@{file}" + (f" as {prefix}" if prefix else "")
        case ast.Function(name=name, parameters=parameters, body=body, description=text):
            names = ", ".join(p.name for p in parameters)
            return f"function {name}({names}) = {expression(body)}{_description(text)}"
        case _:
            raise InternalError("unparse", f"{type(item).__name__} is not an item")


def _declarator(item: ast.Declarator) -> str:
    return (
        (f"{item.type} " if item.type else "")
        + item.name
        + dimensions(item.dimensions)
        + (f" ({_argument_list(item.attributes)})" if item.attributes else "")
        + (f" = {expression(item.value)}" if item.value is not None else "")
        + _description(item.description)
    )


def _submodel(item: ast.SubmodelItem) -> str:
    initial = f" (ic {_argument_list(item.initial)})" if item.initial else ""
    return (
        item.name + dimensions(item.dimensions) + _arguments(item.arguments) + initial + _description(item.description)
    )


def _arguments(arguments: tuple[ast.Argument, ...]) -> str:
    return f"({_argument_list(arguments)})" if arguments else ""


def _argument_list(arguments: tuple[ast.Argument, ...]) -> str:
    return ", ".join(f"{argument.name}={expression(argument.value)}" for argument in arguments)


def _description(text: str | None) -> str:
    return "" if text is None else " " + show_string(text)
