"""Integer variables: a condition on every row for those whose equations may give them other numbers.

new(n) = n + 1                 whole if n is: nothing to check
new(n) = x/2               ->  noevent(floor(n) == n), examined where results are stored
"""

from collections.abc import Iterable
from dataclasses import replace

from acausal.ir.dae import Dae
from acausal.ir.events import Action
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, RunCondition, Variable
from acausal.ir.names import show_name
from acausal.ir.origin import Origin

_KEEP_WHOLE = frozenset(("add", "mul", "neg", "abs", "min", "max", "mod", "new", "noevent"))
"""Operators whose value is whole where their arguments are."""
_MAKE_WHOLE = frozenset(("floor", "ceil", "sign"))


def with_whole_numbers(dae: Dae) -> Dae:
    """The system with a condition for each integer variable that is not known to be whole."""
    integers = {v.symbol: v for v in dae.variables if v.type == "integer"}
    if not integers:
        return dae
    news, equations = _new_values(dae), _equations(dae, integers)
    known = {
        *[p.symbol for p in dae.parameters if p.type == "integer"],
        *[v.symbol for v in dae.inputs if v.type == "integer"],
    }
    whole = known | {symbol for symbol, v in integers.items() if v.kind == "discrete"}
    open_ = [symbol for symbol in integers if symbol not in whole]
    while open_:
        proved = {symbol for symbol in open_ if any(_is_whole(value, whole) for value in _values(symbol, equations))}
        if not proved:
            break
        whole |= proved
        open_ = [symbol for symbol in open_ if symbol not in proved]
    doubtful = {s: _doubtful_event(v, news.get(s, []), whole) for s, v in integers.items() if v.kind == "discrete"}
    doubtful |= {s: equations[s][0].origin if equations[s] else integers[s].origin for s in open_}
    conditions = [_condition(dae, symbol, origin) for symbol, origin in doubtful.items() if origin is not None]
    return replace(dae, conditions=(*dae.conditions, *conditions)) if conditions else dae


def _condition(dae: Dae, symbol: Expr, origin: Origin) -> RunCondition:
    pool = dae.pool
    is_whole = pool.call("noevent", pool.call("==", pool.call("floor", symbol), symbol))
    return RunCondition("integer", is_whole, show_name(symbol.name), origin)


def _new_values(dae: Dae) -> dict[Expr, list[Action]]:
    """Values set by events."""
    found: dict[Expr, list[Action]] = {}
    for action in [a for when in dae.whens for branch in when.branches for a in branch.actions]:
        if action.kind == "new" and action.target is not None:
            found.setdefault(action.target, []).append(action)
    return found


def _equations(dae: Dae, integers: Iterable[Expr]) -> dict[Expr, list[Equation]]:
    """Of each integer variable the equations that have it alone on one side, first those with it on the left."""
    found: dict[Expr, list[Equation]] = {n: [] for n in integers}
    for equation in dae.equations:
        if equation.left in found:
            found[equation.left].append(equation)
    for equation in dae.equations:
        if equation.right in found:
            found[equation.right].append(equation)
    return found


def _doubtful_event(variable: Variable, actions: list[Action], whole: set[Expr]) -> Origin | None:
    """The event, or the declaration, that may give the variable another number; None if there is none."""
    start = variable.attributes.start
    if start is not None and not _is_whole(start, whole):
        return variable.origin
    return next((a.origin for a in actions if not _is_whole(a.value, whole)), None)


def _values(symbol: Expr, equations: dict[Expr, list[Equation]]) -> list[Expr]:
    """Values of the variable by its equations."""
    return [e.right if e.left is symbol else e.left for e in equations[symbol]]


def _is_whole(expr: Expr, whole: set[Expr]) -> bool:
    """True if the value is a whole number in any case, if those of `whole` are."""
    stack = [expr]
    while stack:
        node = stack.pop()
        if node in whole or node.op in _MAKE_WHOLE:
            continue
        if node.op == "if":
            stack += node.args[1:]
        elif node.op in _KEEP_WHOLE:
            stack += node.args
        elif node.op != "const" or not float(node.number).is_integer():
            return False
    return True
