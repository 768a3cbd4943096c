"""Expressions as SymPy objects, for display and for users who want to go on with SymPy.

    der(x) + 2*k*x   ->   Derivative(x(t), t) + 2*k*x(t)

Objects are built from objects: no text is ever parsed by SymPy.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, InternalError, Label, LimitError
from acausal.base.optional_library import required
from acausal.base.source import Span
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.names import show_name
from acausal.ir.walk import postorder

if TYPE_CHECKING:
    import sympy

_SAME = (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign", "floor",
)  # fmt: skip
_NAMED = {"abs": "Abs", "ceil": "ceiling", "mod": "Mod", "min": "Min", "max": "Max", "add": "Add", "mul": "Mul",
          "pow": "Pow", "and": "And", "or": "Or", "not": "Not", "<": "StrictLessThan", "<=": "LessThan",
          ">": "StrictGreaterThan", ">=": "GreaterThan", "==": "Equality", "<>": "Unequality"}  # fmt: skip


MOST_NODES, DEEPEST = 20_000, 150
"""Of an expression that SymPy is given: it evaluates by recursion and knows no shared parts."""


def need_sympy() -> None:
    """UsageError F007 where SymPy is not installed."""
    with required("a symbolic equation", "SymPy", "'acausal[symbolic]'"):
        import sympy  # noqa: F401 - whether it is there


def equations_to_sympy(equations: Iterable[Equation]) -> "tuple[sympy.Eq, ...]":
    """Scalar equations as SymPy objects; UsageError F007 where SymPy is not installed."""
    need_sympy()
    return tuple([_bounded(equation) for equation in equations])


def _bounded(equation: Equation) -> "sympy.Eq":
    """The equation, if SymPy comes to an end with it."""
    _check_size((equation.left, equation.right), equation.origin.span)
    return equation_to_sympy(equation.left, equation.right)


def _check_size(roots: Sequence[Expr], span: Span | None) -> None:
    """LimitError L018 where SymPy, which writes shared parts out, would not come to an end."""
    sizes: dict[Expr, tuple[int, int]] = {}
    for node in postorder(roots):
        count = min(sum([sizes[a][0] for a in node.args], 1), MOST_NODES + 1)
        sizes[node] = count, max([sizes[a][1] for a in node.args], default=0) + 1
    for root in roots:
        if sizes[root][0] > MOST_NODES or sizes[root][1] > DEEPEST:
            what = "an equation" if span else "an element"
            message = f"{what} has more than {MOST_NODES} operations, or a nesting depth above {DEEPEST}, when expanded"
            hint = "`equations('sorted')` writes shared subexpressions once" if span else "`to_casadi` keeps them"
            raise LimitError(Diagnostic("L018", message, Label(span) if span else None, help=hint))


def equations_to_latex(equations: Iterable[Equation]) -> str:
    """Scalar equations as a LaTeX environment `align*`, one a line."""
    made = equations_to_sympy(equations)
    from sympy import latex

    rows = [f"  {latex(equation.lhs)} &= {latex(equation.rhs)}" for equation in made]
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}\n"


def to_sympy(expr: Expr) -> "sympy.Basic":
    """The expression as a SymPy object: variables are functions of t, parameters symbols.

    Whole numbers become integers; operators that SymPy does not know, such as `delay` and `external`, undefined
    functions. InternalError for array operators and strings, which scalar equations do not contain; RecursionError
    where SymPy itself finds the expression too deep.
    """
    done: dict[Expr, sympy.Basic] = {}
    for node in postorder([expr]):
        done[node] = _convert(node, [done[a] for a in node.args])
    return done[expr]


def array_to_sympy(elements: Sequence[Expr], shape: tuple[int, ...]) -> "sympy.Basic":
    """Expressions as one SymPy object: a scalar for the shape (), a vector or matrix, an array for three dimensions.

    UsageError F007 where SymPy is not installed, LimitError L018 for what it could not expand.
    """
    need_sympy()
    import sympy

    _check_size(elements, None)
    found = [to_sympy(element) for element in elements]
    if not shape:
        return found[0]
    if len(shape) > 2:
        return sympy.ImmutableDenseNDimArray(found, shape)
    return sympy.ImmutableMatrix(shape[0], shape[1] if len(shape) > 1 else 1, found)


def solution_to_sympy(
    matrix: Sequence[Sequence[Expr]], right: Sequence[Expr], factors: Sequence[Sequence[Expr]], rest: Sequence[Expr]
) -> "sympy.Basic":
    """`factors*matrix**-1*right + rest` as a matrix expression of one column, which `doit()` evaluates.

    The inverse is left to SymPy: written out it would be far larger than the equations.
    """
    import sympy

    def as_matrix(rows: Sequence[Sequence[Expr]]) -> "sympy.Basic":
        width = len(rows[0]) if rows else 0
        return array_to_sympy([x for row in rows for x in row], (len(rows), width))

    inverse = sympy.Inverse(as_matrix(matrix))
    columns = [as_matrix([(x,) for x in vector]) for vector in (right, rest)]
    return sympy.MatAdd(sympy.MatMul(as_matrix(factors), inverse, columns[0]), columns[1])


def equation_to_sympy(left: Expr, right: Expr) -> "sympy.Eq":
    """`left = right`, as it stands."""
    import sympy

    return sympy.Eq(to_sympy(left), to_sympy(right), evaluate=False)


def _convert(node: Expr, args: "list[sympy.Basic]") -> "sympy.Basic":
    import sympy

    op = node.op
    if not args:
        return _leaf(node)
    if op == "neg":
        return sympy.Mul(sympy.Integer(-1), args[0])
    if op == "if":
        return sympy.Piecewise((args[1], _truth(args[0])), (args[2], sympy.true))
    if op in ("and", "or", "not"):
        args = [_truth(arg) for arg in args]
    if op == "noevent":
        return args[0]
    if op == "log10":
        return sympy.Mul(sympy.log(args[0]), sympy.Pow(sympy.log(sympy.Integer(10)), -1))
    if op == "linexp" or op == "linlog":
        x, one = args[0], sympy.Integer(1)
        curved = sympy.exp(x) - one if op == "linexp" else sympy.log(one + x)
        return sympy.Piecewise((x, sympy.Le(x, 0)), (curved, sympy.true))
    name = op if op in _SAME else _NAMED.get(op)
    if name is None and node.shape:
        raise InternalError("sympy", f"the operator {op} has no counterpart")
    if name is None:
        return sympy.Function(op)(*args)
    function: Callable[..., sympy.Basic] = getattr(sympy, name)
    return function(*args)


def _truth(condition: "sympy.Basic") -> "sympy.Basic":
    """A condition: boolean variables are functions like others, true where they are not 0."""
    import sympy
    from sympy.logic.boolalg import Boolean

    return condition if isinstance(condition, Boolean) else sympy.Ne(condition, 0)


def _leaf(node: Expr) -> "sympy.Basic":
    import sympy

    time = sympy.Symbol("t", real=True)
    if node.op == "const":
        number = node.number
        return sympy.Integer(int(number)) if number == int(number) else sympy.Float(number)
    if node.op == "boolean":
        return sympy.true if node.value else sympy.false
    if node.op == "time":
        return time
    if node.op == "parameter":
        return sympy.Symbol(show_name(node.name), real=True)
    if node.op == "variable" or node.op == "frozen":
        function = sympy.Function(show_name(node.name), real=True)(time)
        return sympy.Derivative(function, (time, node.order)) if node.op == "variable" and node.order else function
    raise InternalError("sympy", f"{node} is not a scalar")
