"""The choice of states that is good at one point: at the start, or where a run has come to.

    x^2 + y^2 = L^2, released at x = L, y = 0:   der(x) is a dummy there, y the state

Columns are chosen by orthogonalization with pivoting; a choice stays where it is good enough. A large one, as
of a network of capacitances, hardly ever varies, and elimination finds cheaply that it does.
Another choice on one level gives other candidates on the next, hence it is made again until it stays.
"""

from collections.abc import Callable, Mapping, Sequence

from acausal.causalize.index.generic_point import GenericPoint, evaluate, start_values
from acausal.causalize.index.select_states import select_states
from acausal.ir.dae import Choice, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.operator import Value
from acausal.ir.walk import variables_of
from acausal.structure.null_space import Vector, null_space
from acausal.structure.orthogonal import LEAST_VOLUME, pivots, volume
from acausal.structure.state_order import ALWAYS, AVOID, DEFAULT, NEVER, PREFER

WEIGHT = {NEVER: 100.0, AVOID: 3.0, DEFAULT: 1.0, PREFER: 1 / 3, ALWAYS: 1e-6}


MOST = 10
"""Choices made one after the other."""


def choose_at_start(selection: StateSelection) -> StateSelection:
    """The same selection, or one with other dummies where it is ill-conditioned at the start, or singular anywhere."""
    if not selection.choices:
        return selection
    values = start_values(selection.reduced.dae)
    point = GenericPoint(selection.reduced)
    return _choose(choose_at(selection, values), lambda choice: _independent(choice, point))


def choose_at(selection: StateSelection, values: Mapping[Expr, Value]) -> StateSelection:
    """The same selection, or one with other dummies where these values make it ill-conditioned."""
    return _choose(selection, lambda choice: _better(choice, values))


def _choose(selection: StateSelection, judge: Callable[[Choice], list[Expr] | None]) -> StateSelection:
    for _ in range(MOST):
        dummies: list[Expr] = []
        changed = False
        for choice in selection.choices:
            better = judge(choice)
            changed = changed or better is not None
            dummies += choice.dummies if better is None else better
        if not changed:
            break
        selection = select_states(selection.reduced, dummies)
    return selection


def weight(wanted: float) -> float:
    """Weight of a column whose variable has this preference as a state."""
    return WEIGHT[min(WEIGHT, key=lambda known: abs(known - wanted))]


def _better(choice: Choice, values: Mapping[Expr, Value]) -> list[Expr] | None:
    """Dummies that are better at the start; None where the present ones do, or nothing can be said.

    Those of a choice that does not vary do as long as they are not singular.
    """
    columns = _columns(choice, values)
    if columns is None:
        return None
    present = _present(choice, columns)
    if not choice.varies and not _singular(present):
        return None
    best = _best(choice, columns)
    if best is None or volume(present) >= LEAST_VOLUME * volume([columns[i] for i in best]):
        return None
    return [choice.candidates[i] for i in best]


def _independent(choice: Choice, point: GenericPoint) -> list[Expr] | None:
    """Other dummies where the present ones depend on each other at a generic point, and so anywhere."""
    if not choice.varies:
        return None
    columns = _columns(choice, point.with_values(variables_of(entry for row in choice.matrix for entry in row)))
    if columns is None or not _singular(_present(choice, columns)):
        return None
    best = _best(choice, columns)
    return None if best is None else [choice.candidates[i] for i in best]


def _present(choice: Choice, columns: Sequence[Vector]) -> list[Vector]:
    place = {c: i for i, c in enumerate(choice.candidates)}
    return [columns[place[d]] for d in choice.dummies]


def _singular(columns: Sequence[Vector]) -> bool:
    space = null_space(columns, len(columns))
    return space is not None and bool(space.rows)


def _best(choice: Choice, columns: Sequence[Vector]) -> list[int] | None:
    """The columns to choose, by their sizes and by how much their variables are wanted; None where all is singular."""
    weights = [weight(wanted) for wanted in choice.wanted]
    weighted = [{r: w * x for r, x in column.items()} for w, column in zip(weights, columns, strict=True)]
    return pivots(weighted, len(choice.matrix))


def _columns(choice: Choice, values: Mapping[Expr, Value]) -> list[Vector] | None:
    """The columns of the matrix without its zeros; None where an entry has no value."""
    rows = enumerate(choice.matrix)
    entries = [(i, j, x) for i, row in rows for j, x in enumerate(row) if x.op != "const" or x.value]
    numbers = evaluate(dict.fromkeys([entry for _, _, entry in entries]), values)
    if numbers is None:
        return None
    columns: list[Vector] = [{} for _ in choice.candidates]
    for i, j, entry in entries:
        if numbers[entry]:
            columns[j][i] = float(numbers[entry])
    return columns
