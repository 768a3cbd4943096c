"""Loops opened at connections, for the analysis of feedback.

A connection says that the variable u of a cut equals y of another one. Opened at u it says u = y + d with an additional
input d, which is zero in a run: nothing changes, but a linearization knows how everything depends on u (`d` varies it)
and what comes back as y. The sum of through variables at a node, i + j + k = 0, says i = -(j + k); opened at i it says
i = -(j + k) + d.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.base.near_names import did_you_mean
from acausal.elaborate.values.arrays import add, negate
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel, Variable
from acausal.ir.names import Name, listed, show_name, without_indices
from acausal.ir.origin import How
from acausal.ir.pool import Pool
from acausal.ir.walk import postorder
from acausal.symbolic.differentiate import differentiate

SHOWN = 6
"""Names that a message lists at most."""
_ELEMENT = re.compile(r"(.*)\[(\d+(?:,\d+)*)\]")


@dataclass(frozen=True, slots=True)
class OpenedLoop:
    """The variable at which a loop is opened, what it was equal to, and the input that is their difference.

    `returned` has the variables that it was equal to the sum of, with signs. `others` are the other variables of the
    connection. Of an element of an array `opened` are the differences of all elements.
    """

    variable: Name
    returned: tuple[tuple[float, Name], ...]
    difference: Name
    others: tuple[Name, ...] = ()
    opened: tuple[Name, ...] = ()

    @property
    def returns(self) -> str:
        """The text of what it was equal to: `C.Va`, `R.i - Q.i`."""
        text = " ".join([f"{'-' if sign < 0 else '+'} {show_name(name)}" for sign, name in self.returned])
        return text[2:] if text[0] == "+" else f"-{text[2:]}"

    def element(self, place: tuple[int, ...], opened: tuple[Name, ...]) -> "OpenedLoop":
        """The loop of an element of an array."""
        returned = tuple([(sign, (*name, *place)) for sign, name in self.returned])
        others = tuple([(*name, *place) for name in self.others])
        return OpenedLoop((*self.variable, *place), returned, (*self.difference, *place), others, opened)


def open_loops(flat: FlatModel, names: Iterable[str]) -> tuple[FlatModel, tuple[OpenedLoop, ...]]:
    """The model with the connections to variables of these names opened, and how each was; the same for no names.

    An array has a loop for each element. UsageError F005 for a name that no connection statement joins to another.
    """
    loops: list[OpenedLoop] = []
    known: dict[str, OpenedLoop] = {}
    for text in names:
        base, indices = _array_of(flat, text)
        if base not in known:
            node = _node(flat, base)
            flat, known[base] = _opened(flat, base) if node is None else _opened_sum(flat, node, base, known.values())
        loops += _elements(flat, known[base], indices)
    return flat, tuple(dict.fromkeys(loops))


def _array_of(flat: FlatModel, text: str) -> tuple[str, tuple[int, ...] | None]:
    """Of an element of an array the array's name and the indices; other names as they are."""
    match = _ELEMENT.fullmatch(text)
    shapes = {show_name(v.symbol.name): v.symbol.shape for v in flat.variables} if match else {}
    if match is None or text in shapes or not shapes.get(match[1]):
        return text, None
    shape, indices = shapes[match[1]], tuple([int(i) for i in match[2].split(",")])
    if len(indices) != len(shape) or not all(1 <= i <= n for i, n in zip(indices, shape, strict=True)):
        message = f"{match[1]} has no element [{match[2]}]: its dimensions are {list(shape)}"
        raise UsageError(Diagnostic("F005", message, help=f"{match[1]} opens a loop for each element"))
    return match[1], indices


def _elements(flat: FlatModel, loop: OpenedLoop, indices: tuple[int, ...] | None) -> list[OpenedLoop]:
    """The loops of the elements of an array, or of one of them; that of a scalar."""
    shape = next(v.symbol.shape for v in flat.variables if v.symbol.name == loop.difference)
    if not shape:
        return [loop]
    places = list(product(*[range(1, n + 1) for n in shape]))
    opened = tuple([(*loop.difference, *place) for place in places])
    return [loop.element(place, opened) for place in ([indices] if indices else places)]


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
    signs = _signs(pool, node.left, members)
    others = [leaf for leaf in members if leaf is not variable]
    returned = tuple([(-signs[leaf] * signs[variable], leaf.name) for leaf in others])
    taken = {v.symbol.name for v in flat.variables}
    difference = pool.variable(_difference(variable.name, taken), 0, variable.shape)
    moved = negate(pool, difference) if signs[variable] > 0 else difference
    changed = Equation(add(pool, [node.left, moved]), node.right, node.origin)
    found = replace(
        flat,
        variables=(*flat.variables, Variable(difference, "input", "real", node.origin)),
        equations=tuple([changed if e is node else e for e in flat.equations]),
    )
    nodes = [e for e in flat.equations if e.origin.how is How.FLOW_SUM and variable in _members(e)]
    joined = dict.fromkeys(leaf.name for e in nodes for leaf in _members(e) if leaf is not variable)
    return found, OpenedLoop(variable.name, returned, difference.name, tuple(joined))


def _signs(pool: Pool, total: Expr, members: Iterable[Expr]) -> dict[Expr, float]:
    """The signs of variables in a sum at a node."""
    if not total.shape:
        return {leaf: differentiate(pool, total, {leaf: pool.one}, {}).number for leaf in members}
    found: dict[Expr, float] = {}
    waiting = [(total, 1.0)]
    while waiting:
        node, sign = waiting.pop()
        if node.op == "variable":
            found[node] = sign
        waiting += [(a, -sign if node.op == "array_neg" else sign) for a in node.args]
    return found


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
    return next((e for e in found if e.origin.path != without_indices(name)[:-1]), found[0])


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
    taken = {v.symbol.name for v in flat.variables}
    difference = flat.pool.variable(_difference(variable.name, taken), 0, variable.shape)

    def changed(equation: Equation) -> Equation:
        if equation is chosen:
            return Equation(variable, add(flat.pool, [returned, difference]), equation.origin)
        if _is_connection(equation) and equation.origin is chosen.origin:
            sides = [returned if side is variable else side for side in (equation.left, equation.right)]
            return Equation(sides[0], sides[1], equation.origin)
        return equation

    added = Variable(difference, "input", "real", chosen.origin)
    equations = tuple([changed(e) for e in flat.equations])
    found = replace(flat, variables=(*flat.variables, added), equations=equations)
    same = [e for e in flat.equations if _is_connection(e) and e.origin is chosen.origin]
    sides = dict.fromkeys(side for e in same for side in (e.left, e.right) if side.shape == variable.shape)
    others = [side.name for side in sides]
    others.remove(variable.name)
    return found, OpenedLoop(variable.name, ((1.0, returned.name),), difference.name, tuple(others))


def at_zero(loops: Iterable[OpenedLoop]) -> dict[str, float]:
    """Values of the inputs that `open_loops` adds."""
    return {show_name(name): 0.0 for name in differences_of(loops)}


def differences_of(loops: Iterable[OpenedLoop]) -> list[Name]:
    """The inputs that `open_loops` adds, also those of elements of arrays that are not opened."""
    return list(dict.fromkeys(name for loop in loops for name in loop.opened or (loop.difference,)))
