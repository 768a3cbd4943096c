"""Canonical text of expressions and equations."""

from collections.abc import Mapping

from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.names import show_derivative, show_name
from acausal.ir.show.indices import show_indices
from acausal.ir.walk import postorder

_IF, _OR, _AND, _NOT, _RELATION, _SUM, _PRODUCT, _UNARY, _POWER, ATOM = range(10)
_LOGIC = {"and": _AND, "or": _OR}
_RELATIONS = ("<", "<=", ">", ">=", "==", "<>")

Text = tuple[str, int]


def show_number(x: float) -> str:
    """The shortest text of a number; whole numbers without a point."""
    return str(int(x)) if abs(x) < 1e15 and x == int(x) else repr(x)


def show_string(text: str) -> str:
    """The text in quotation marks, as the language has it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


LONGEST = 400
"""Characters of an expression in a message: of a longer one parts are left out."""
ELLIPSIS = "..."


def show_expr(expr: Expr, marked: Expr | None = None) -> str:
    """The text of an expression in the language's own notation; the leaf `marked` stands in brackets.

    At most about LONGEST characters, with `...` for what is left out: an expression that shares parts has a text that
    is exponentially longer than itself.
    """
    if not expr.args:
        return show_leaf(expr, marked)[0]
    if _is_short(expr):
        done: dict[Expr, Text] = {}
        for node in postorder([expr]):
            done[node] = show_leaf(node, marked) if not node.args and node.op != "array" else show_node(node, done)
        if len(done[expr][0]) <= LONGEST:
            return done[expr][0]
    return _abbreviated(expr, marked)


def show_leaf(node: Expr, marked: Expr | None) -> Text:
    """The text of a leaf, in brackets if it is the one that is marked."""
    return (f"[{_leaf(node)[0]}]", ATOM) if node is marked else show_node(node, {})


def _is_short(expr: Expr) -> bool:
    """True if the tree has few enough nodes that its text may be within the limit."""
    count, stack = 0, [expr]
    while stack:
        count += 1
        node = stack.pop()
        stack.extend(node.args)
        if count + len(stack) > LONGEST:
            return False
    return True


def _abbreviated(expr: Expr, marked: Expr | None) -> str:
    """The text of the nodes next to the root: as many levels as fit."""
    text = ELLIPSIS
    for depth in range(1, LONGEST):
        more = _to_depth(expr, depth, marked)
        if more is None or len(more) > LONGEST:
            break
        text = more
    return text


def _to_depth(expr: Expr, depth: int, marked: Expr | None) -> str | None:
    """The text with `...` for what lies deeper, or behind many arguments; None if it is far too long."""
    nodes: list[tuple[Expr, int]] = [(expr, depth)]
    below: dict[tuple[Expr, int], tuple[Expr, ...]] = {}
    for node, left in nodes:
        if (node, left) not in below and len(below) <= LONGEST:
            below[node, left] = node.args[:MOST_ARGUMENTS] if left else ()
            nodes += [(a, left - 1) for a in below[node, left]]
    if len(below) > LONGEST:
        return None
    done: dict[tuple[Expr, int], Text] = {}
    for node, left in reversed(below):
        done[node, left] = _partly(node, [done[a, left - 1] for a in below[node, left]], left, marked)
        if len(done[node, left][0]) > 2 * LONGEST:
            return None
    return done[expr, depth][0]


MOST_ARGUMENTS = 12
"""Of a sum, a product or an array, in an abbreviated text."""


def _partly(node: Expr, args: list[Text], left: int, marked: Expr | None) -> Text:
    if not node.args:
        return show_leaf(node, marked)
    if not left:
        return ELLIPSIS, ATOM
    if len(args) == len(node.args):
        return show_node(node, dict(zip(node.args, args, strict=True)))
    if node.op in ("add", "array_add"):
        return _sum([*args, (ELLIPSIS, ATOM)])
    if node.op == "mul":
        return "*".join([*(_in(a, _POWER) for a in args), ELLIPSIS]), _PRODUCT
    inside = ", ".join([*(text for text, _ in args), ELLIPSIS])
    return (f"[{inside}]" if node.op == "array" else f"{node.op}({inside})"), ATOM


def show_equation(equation: Equation, marked: Expr | None = None) -> str:
    """`left = right`; the unknown `marked`, for which it is solved, stands in brackets."""
    return f"{show_expr(equation.left, marked)} = {show_expr(equation.right, marked)}"


def _in(text: Text, level: int) -> str:
    return text[0] if text[1] >= level else f"({text[0]})"


def show_node(node: Expr, done: Mapping[Expr, Text]) -> Text:
    """The text of a node, given those of its arguments, and how strongly its operator binds."""
    args = [done[a] for a in node.args]
    op = node.op
    if not node.args and op != "array":
        return _leaf(node)
    if op in ("add", "array_add"):
        return _sum(args)
    if op in ("mul", "scale", "matmul", "elementwise"):
        return _product(node, args, ".*" if op == "elementwise" else "*")
    if op in ("neg", "array_neg"):
        return f"-{_in(args[0], _PRODUCT)}", _SUM
    if op == "pow":
        if args[1][0] == "-1":
            return f"1/{_in(args[0], _UNARY)}", _PRODUCT
        return f"{_in(args[0], ATOM)}^{_in(args[1], _POWER)}", _POWER
    if op in _RELATIONS:
        return f"{_in(args[0], _SUM)} {op} {_in(args[1], _SUM)}", _RELATION
    if op in _LOGIC:
        return f" {op} ".join(_in(a, _LOGIC[op] + 1) for a in args), _LOGIC[op]
    if op == "not":
        return f"not {_in(args[0], _RELATION)}", _NOT
    if op in ("if", "array_if"):
        return f"if {args[0][0]} then {args[1][0]} else {args[2][0]}", _IF
    return _call(node, args)


def _leaf(node: Expr) -> Text:
    if node.op == "const":
        return show_number(node.number), ATOM if node.number >= 0 else _SUM
    if node.op == "variable":
        return show_derivative(node.name, node.order), ATOM
    if node.op == "parameter" or node.op == "frozen":
        return show_name(node.name), ATOM
    if node.op == "boolean":
        return "true" if node.value else "false", ATOM
    if node.op == "string":
        return show_string(str(node.value)), ATOM
    return "initial()" if node.op == "initial" else node.op, ATOM


def _sum(args: list[Text]) -> Text:
    text = _in(args[0], _SUM)
    for arg in args[1:]:
        item = _in(arg, _SUM)
        text += f" - {item[1:]}" if item.startswith("-") else f" + {item}"
    return text, _SUM


def _product(node: Expr, args: list[Text], sign: str) -> Text:
    above: list[str] = []
    below: list[str] = []
    for arg, text in zip(node.args, args, strict=True):
        if arg.op == "pow" and arg.args[1].op == "const" and arg.args[1].number < 0 and text[0].startswith("1/"):
            below.append(text[0][2:])
        else:
            above.append(_in(text, _UNARY))
    text_above = sign.join(above) if above else "1"
    return text_above + "".join(f"/{b}" for b in below), _PRODUCT


def _call(node: Expr, args: list[Text]) -> Text:
    inside = ", ".join(text for text, _ in args)
    if 0 in node.shape:
        return f"zeros({', '.join(map(str, node.shape))})", ATOM
    if node.op == "array":
        return f"[{inside}]" if len(node.shape) < 2 else _matrix(node, args), ATOM
    if node.op == "stack":
        return _blocks(node, args), ATOM
    if node.op == "index":
        array = node.args[0]
        picked = show_indices(array.shape, _positions(node), node.shape)
        if array.op == "variable" and array.order:  # der(u[1]), as it is written
            order = f", {array.order}" if array.order > 1 else ""
            return f"der({show_name(array.name)}[{picked}]{order})", ATOM
        return f"{_in(args[0], ATOM)}[{picked}]", ATOM
    if node.op == "map" or node.op == "reduce":
        name = {"add": "sum", "mul": "product"}.get(str(node.value), node.value)
        return f"{name}({inside})", ATOM
    return f"{node.op}({inside})", ATOM


def _positions(node: Expr) -> tuple[int, ...]:
    assert isinstance(node.value, tuple)
    return node.value


def _blocks(node: Expr, args: list[Text]) -> str:
    """`[A, B; C, D]`: the value of a stack is the number of blocks in each row."""
    rows, begin = [], 0
    for length in _positions(node):
        rows.append(", ".join(text for text, _ in args[begin : begin + length]))
        begin += length
    return f"[{'; '.join(rows)}]"


def _matrix(node: Expr, args: list[Text]) -> str:
    width = node.shape[1]
    rows = [args[i : i + width] for i in range(0, len(args), width)]
    return "[" + "; ".join(", ".join(text for text, _ in row) for row in rows) + "]"


setattr(Expr, "__repr__", show_expr)  # noqa: B010  # a method of `Expr` would need what is built on it
