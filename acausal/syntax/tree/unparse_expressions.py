"""Expressions -> canonical text with minimal parentheses, by an explicit stack.

Example in: `Product((Sum((a, b), ("+",)), c), ("*",))`. Example out: `(a + b)*c`.
"""

from collections.abc import Callable, Iterable

from acausal.base.diagnostics import InternalError
from acausal.ir import ast
from acausal.ir.show.expressions import show_string

# how tight an expression binds; an operand that binds less than its place asks for is put in parentheses
_IF, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(10)

Writable = ast.Expression | ast.Slice | ast.ConnectExpression | ast.ClassReference
Piece = str | tuple[Writable, int]
Pieces = Callable[[Writable], tuple[int, list[Piece]]]


def expression(node: ast.Expression | ast.Slice) -> str:
    """The text of an expression."""
    return assemble(node, _pieces)


def assemble(node: Writable, pieces_of: Pieces) -> str:
    """The text of a nested thing.

    `pieces_of` gives for each node how tight it binds, and what it is written of: texts, and
    parts with how tight they must bind to go without parentheses.
    """
    done: list[str] = []
    open_: list[Piece] = [(node, 0)]
    while open_:
        piece = open_.pop()
        if isinstance(piece, str):
            done.append(piece)
            continue
        item, least = piece
        binds, pieces = pieces_of(item)
        if binds < least:
            pieces = ["(", *pieces, ")"]
        open_.extend(reversed(pieces))
    return "".join(done)


def listed(items: Iterable[Writable], sign: str = ", ", least: int = 0) -> list[Piece]:
    """The items with a sign between them."""
    pieces: list[Piece] = []
    for item in items:
        pieces += [sign, (item, least)]
    return pieces[1:]


def dimensions(sizes: tuple[ast.Expression | ast.Slice, ...]) -> str:
    """`[3, 3]`, or nothing."""
    return f"[{', '.join(map(expression, sizes))}]" if sizes else ""


def class_reference(node: ast.ClassReference) -> str:
    """`el.Drive<Servo>`."""
    return assemble(node, _class_pieces)


def _pieces(node: Writable) -> tuple[int, list[Piece]]:
    """Precedence of the node, and the pieces of its text."""
    match node:
        case ast.Number(text=text):
            return _ATOM, [text]
        case ast.Quantity(text=text):
            return _SUM, [text]  # a factor behind it would be part of its unit
        case ast.String(value=value):
            return _ATOM, [show_string(value)]
        case ast.Boolean(value=value):
            return _ATOM, ["true" if value else "false"]
        case ast.Reference(parts=parts):
            return _ATOM, _reference(parts)
        case ast.Call(name=name, arguments=arguments):
            return _ATOM, [name, "(", *listed(arguments), ")"]
        case ast.ArrayLiteral(rows=rows):
            return _ATOM, ["[", *_rows(rows), "]"]
        case ast.Comprehension(item=item, variable=variable, start=start, stop=stop, each=each):
            inner: list[Piece] = [(item, _IF), f" for {variable} = ", (start, _IF), " to ", (stop, _IF)]
            return _ATOM, inner if each else ["[", *inner, "]"]
        case ast.Indexed(operand=operand, indices=indices):
            bare = isinstance(operand, ast.Call | ast.ArrayLiteral | ast.Comprehension | ast.Indexed)
            around: list[Piece] = [(operand, _ATOM)] if bare else ["(", (operand, _IF), ")"]
            return _ATOM, [*around, "[", *listed(indices), "]"]
        case ast.Slice(start=None):
            return _ATOM, [":"]
        case ast.Slice(start=start, stop=stop) if start is not None and stop is not None:
            return _IF, [(start, _IF), ":", (stop, _IF)]
        case _:
            return _operation(node)


def _operation(node: Writable) -> tuple[int, list[Piece]]:
    match node:
        case ast.Unary(operator="not", operand=operand):
            return _NOT, ["not ", (operand, _NOT)]
        case ast.Unary(operator=operator, operand=operand):
            return _SIGN, [operator, (operand, _SIGN)]
        case ast.Power(base=base, exponent=exponent):
            return _POWER, [(base, _ATOM), "^", (exponent, _SIGN)]
        case ast.Product(operands=operands, operators=operators):
            signs = [" .* " if operator == ".*" else operator for operator in operators]
            return _PRODUCT, _chain(operands, signs, _SIGN)
        case ast.Sum(operands=operands, operators=operators):
            return _SUM, _chain(operands, [f" {operator} " for operator in operators], _PRODUCT)
        case ast.Compare(operator=operator, left=left, right=right):
            return _COMPARE, [(left, _SUM), f" {operator} ", (right, _SUM)]
        case ast.Logic(operator=operator, operands=operands):
            binds = _OR if operator == "or" else _AND
            return binds, _chain(operands, [f" {operator} "] * (len(operands) - 1), binds + 1)
        case ast.IfExpression(branches=branches, otherwise=otherwise):
            pieces: list[Piece] = []
            for number, (condition, value) in enumerate(branches):
                pieces += ["elseif " if number else "if ", (condition, _IF), " then ", (value, _IF), " "]
            return _IF, [*pieces, "else ", (otherwise, _IF)]
        case _:
            raise InternalError("unparse", f"{type(node).__name__} is not an expression")


def _chain(operands: tuple[ast.Expression, ...], signs: list[str], least: int) -> list[Piece]:
    pieces: list[Piece] = [(operands[0], least)]
    for sign, operand in zip(signs, operands[1:], strict=True):
        pieces += [sign, (operand, least)]
    return pieces


def _rows(rows: tuple[tuple[ast.Expression, ...], ...]) -> list[Piece]:
    pieces: list[Piece] = []
    for row in rows:
        pieces += ["; ", *listed(row)]
    return pieces[1:]


def _reference(parts: tuple[ast.Part, ...]) -> list[Piece]:
    pieces: list[Piece] = []
    for part in parts:
        pieces += [".", part.name]
        if part.indices:
            pieces += ["[", *listed(part.indices), "]"]
    return pieces[1:]


def _class_pieces(node: Writable) -> tuple[int, list[Piece]]:
    assert isinstance(node, ast.ClassReference)
    name = ".".join(node.names)
    if node.file is not None:
        return 0, [f"{name} {show_string(node.file)}"]
    return 0, [name, "<", *listed(node.arguments), ">"] if node.arguments else [name]
