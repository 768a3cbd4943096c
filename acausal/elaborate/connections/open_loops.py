"""Loops opened at connections, for the analysis of feedback.

A connection says that the variable u of a cut equals y of another one. Opened at u it says u = y + d with an additional
input d, which is zero in a run: nothing changes, but a linearization knows how everything depends on u (`d` varies it)
and what comes back as y. The sum of through variables at a node, i + j + k = 0, says i = -(j + k); opened at i it says
i = -(j + k) + d.
"""

from collections.abc import Iterable
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, ModelError, UsageError
from acausal.base.frozen import dataclass
from acausal.base.near_names import did_you_mean
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel, Variable
from acausal.ir.names import Name, listed, show_name, without_indices
from acausal.ir.origin import How
from acausal.ir.walk import postorder
from acausal.symbolic.differentiate import differentiate

SHOWN = 6
"""Names that a message lists at most."""


@dataclass(frozen=True, slots=True)
class OpenedLoop:
    """The variable at which a loop is opened, what it was equal to, and the input that is their difference.

    Of a through variable `returned` has one part, the text of what the others sum to. `others` are the other variables
    of the connection.
    """

    variable: Name
    returned: Name
    difference: Name
    others: tuple[Name, ...] = ()


def open_loops(flat: FlatModel, names: Iterable[str]) -> tuple[FlatModel, tuple[OpenedLoop, ...]]:
    """The model with the connections to variables of these names opened, and how each was; the same for no names.

    UsageError F005 for a name that no connection statement joins to another, ModelError A001 for an array.
    """
    loops: list[OpenedLoop] = []
    for text in names:
        node = _node(flat, text)
        flat, loop = _opened(flat, text) if node is None else _opened_sum(flat, node, text, loops)
        loops.append(loop)
    return flat, tuple(loops)


def _node(flat: FlatModel, text: str) -> Equation | None:
    """The first sum at a node with this through variable and others."""
    for equation in flat.equations:
        if equation.origin.how is How.FLOW_SUM:
            found = [show_name(leaf.name) for leaf in _members(equation)]
            if len(found) > 1 and text in found:
                return equation
    return None


def _members(equation: Equation) -> list[Expr]:
    """The through variables of a sum."""
    return [leaf for leaf in postorder([equation.left]) if leaf.op == "variable"]


def _opened_sum(
    flat: FlatModel, node: Equation, text: str, earlier: Iterable[OpenedLoop]
) -> tuple[FlatModel, OpenedLoop]:
    """The through variable is what the others of its node sum to, and d."""
    pool, differences = flat.pool, [loop.difference for loop in earlier]
    members = [leaf for leaf in _members(node) if leaf.name not in differences]
    variable = next(leaf for leaf in members if show_name(leaf.name) == text)
    if variable.shape:
        raise _array(text, node)
    signs = {leaf: differentiate(pool, node.left, {leaf: pool.one}, {}).number for leaf in members}
    others = [leaf for leaf in members if leaf is not variable]
    terms = [(-signs[leaf] * signs[variable], show_name(leaf.name)) for leaf in others]
    returned = " ".join([f"{'-' if sign < 0 else '+'} {name}" for sign, name in terms])
    returned = returned[2:] if returned[0] == "+" else f"-{returned[2:]}"
    difference = pool.variable(_difference(variable.name, {v.symbol.name for v in flat.variables}), 0, ())
    moved = pool.neg(difference) if signs[variable] > 0 else difference
    changed = Equation(pool.add(node.left, moved), node.right, node.origin)
    found = replace(
        flat,
        variables=(*flat.variables, Variable(difference, "input", "real", node.origin)),
        equations=tuple([changed if e is node else e for e in flat.equations]),
    )
    nodes = [e for e in flat.equations if e.origin.how is How.FLOW_SUM and variable in _members(e)]
    joined = dict.fromkeys(leaf.name for e in nodes for leaf in _members(e) if leaf is not variable)
    return found, OpenedLoop(variable.name, (returned,), difference.name, tuple(joined))


def _array(text: str, equation: Equation) -> ModelError:
    label = Label(equation.origin.span, "connected here")
    message = f"the loop cannot be opened at {text}: it is an array"
    return ModelError(Diagnostic("A001", message, label, help="open it at a connection of scalar signals"))


def _connection(flat: FlatModel, text: str) -> Equation:
    """An equation that a connection outside the variable's submodel gives, otherwise one inside."""
    joined = [e for e in flat.equations if _is_connection(e)]
    found = [e for e in joined if text in (show_name(e.left.name), show_name(e.right.name))]
    if not found:
        sums = [leaf for e in flat.equations if e.origin.how is How.FLOW_SUM for leaf in _members(e)]
        known = dict.fromkeys(show_name(side.name) for e in joined for side in (e.right, e.left))
        known |= dict.fromkeys(show_name(leaf.name) for leaf in sums)
        hint = f"loops can be opened at {listed(known, SHOWN)}" if known else "the model has no connections"
        message = f"no connect statement joins {text} to another variable"
        raise UsageError(Diagnostic("F005", message, help=did_you_mean(text, known) or hint))
    name = next(s.name for s in (found[0].left, found[0].right) if show_name(s.name) == text)
    chosen = next((e for e in found if e.origin.path != without_indices(name)[:-1]), found[0])
    if chosen.left.shape:
        raise _array(text, chosen)
    return chosen


def _is_connection(equation: Equation) -> bool:
    sides = (equation.left, equation.right)
    return equation.origin.how is How.CONNECTED and all(s.op == "variable" and not s.order for s in sides)


def _difference(name: Name, taken: set[Name]) -> Name:
    base = without_indices(name)
    indices, last = name[len(base) :], f"{base[-1]}_difference"
    while (*base[:-1], last, *indices) in taken:
        last += "_"
    return (*base[:-1], last, *indices)


def _opened(flat: FlatModel, text: str) -> tuple[FlatModel, OpenedLoop]:
    """The variable leaves its connection set, whose other members stay equal, and is set to their value and d."""
    chosen = _connection(flat, text)
    variable, returned = chosen.left, chosen.right
    if show_name(variable.name) != text:
        variable, returned = returned, variable
    difference = flat.pool.variable(_difference(variable.name, {v.symbol.name for v in flat.variables}), 0, ())

    def changed(equation: Equation) -> Equation:
        if equation is chosen:
            return Equation(variable, flat.pool.add(returned, difference), equation.origin)
        if _is_connection(equation) and equation.origin is chosen.origin:
            sides = [returned if side is variable else side for side in (equation.left, equation.right)]
            return Equation(sides[0], sides[1], equation.origin)
        return equation

    added = Variable(difference, "input", "real", chosen.origin)
    equations = tuple([changed(e) for e in flat.equations])
    found = replace(flat, variables=(*flat.variables, added), equations=equations)
    same = [e for e in flat.equations if _is_connection(e) and e.origin is chosen.origin]
    others = [side.name for side in dict.fromkeys(side for e in same for side in (e.left, e.right) if side.shape == ())]
    others.remove(variable.name)
    return found, OpenedLoop(variable.name, returned.name, difference.name, tuple(others))


def at_zero(loops: Iterable[OpenedLoop]) -> dict[str, float]:
    """Values of the inputs that `open_loops` adds."""
    return {show_name(loop.difference): 0.0 for loop in loops}
