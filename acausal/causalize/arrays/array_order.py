"""An order in which constant elements of arrays are known before the products they stand in are expanded.

    T = identity(3)     Tr = T     T2 = Tr*Tri      first, second, third: six of nine elements vanish

An equation is a definition of the array that stands alone on a side (whole, some of its
elements, or as a term of a sum). It is ready when the other arrays in it are ordered. Where
nothing is ready, arrays form a cycle: the first of them comes next as it is. Every equation is
examined once for each array in it, so the work is linear.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from math import prod

from acausal.causalize.arrays.element_names import array_variables
from acausal.ir.expr import ARRAY, Expr
from acausal.ir.flat import ArrayAlias, Equation
from acausal.ir.pool import Pool


class ArrayOrder:
    """Gives out equations when they are ready; `merged` arrays count as those that stay for them.

    `named` are the arrays of equations where these are known.
    """

    def __init__(
        self,
        pool: Pool,
        equations: tuple[Equation, ...],
        merged: Mapping[Expr, ArrayAlias],
        named: Mapping[int, tuple[Expr, ...]],
    ) -> None:
        self._pool = pool
        self._merged = merged
        self._named = named
        self._count = len(equations)
        self._arrays: list[tuple[Expr, ...]] = []
        self._equations_of: dict[Expr, list[int]] = {}
        self._open: list[int] = []
        self._targets: list[dict[Expr, int]] = []
        self._uncovered: dict[Expr, int] = {}
        self._ordered: set[Expr] = set()
        self._queue: deque[int] = deque()
        for number, equation in enumerate(equations):
            self._enter(number, equation)

    def _enter(self, number: int, equation: Equation) -> None:
        arrays = self._named.get(number)
        if arrays is None:
            has_array = equation.derivatives or (equation.left.flags | equation.right.flags) & ARRAY
            arrays = array_variables(self._pool, equation.sides, self._merged) if has_array else ()
        self._arrays.append(arrays)
        self._open.append(len(arrays))
        self._targets.append(_targets(equation, self._merged) if arrays else {})
        for array in arrays:
            found = self._equations_of.get(array)
            if found is None:
                self._equations_of[array] = [number]
                self._uncovered[array] = prod(array.shape)
            else:
                found.append(number)
        if len(arrays) <= 1:
            self._queue.append(number)

    def __iter__(self) -> Iterator[tuple[int, Expr | None]]:
        """Every equation once, with the array that it defines, if it does."""
        done = bytearray(self._count)
        waiting = deque(self._equations_of)
        queue, open_, ordered = self._queue, self._open, self._ordered
        while True:
            while queue:
                number = queue.popleft()
                if done[number] or open_[number] > 1:
                    continue
                target = None
                for array in self._arrays[number]:
                    if array not in ordered:
                        target = array
                        break
                if target is not None and target not in self._targets[number]:
                    continue
                done[number] = 1
                yield number, target
                if target is not None:
                    self._cover(target, self._targets[number][target])
            while waiting and waiting[0] in ordered:
                waiting.popleft()
            if not waiting:
                return
            self._append(waiting.popleft())

    def _cover(self, array: Expr, count: int) -> None:
        self._uncovered[array] -= count
        if self._uncovered[array] <= 0:
            self._append(array)

    def _append(self, array: Expr) -> None:
        self._ordered.add(array)
        open_ = self._open
        for number in self._equations_of[array]:
            open_[number] -= 1
            if open_[number] <= 1:
                self._queue.append(number)


def _targets(equation: Equation, merged: Mapping[Expr, ArrayAlias]) -> dict[Expr, int]:
    """Arrays that the equation may define, and how many of their elements."""
    found: dict[Expr, int] = {}
    for side in (equation.left, equation.right):
        for term in side.args if side.op == "array_add" else (side,):
            leaf = term.args[0] if term.op in ("array_neg", "index") else term
            if leaf.op == "variable" and not leaf.order and leaf.shape:
                array = merged[leaf].keeper if leaf in merged else leaf
                found.setdefault(array, prod(term.shape) if term.op == "index" else prod(leaf.shape))
    return found


def target_nodes(equation: Equation, target: Expr) -> list[Expr]:
    """The nodes of the equation by which it names its target: what they stand for changes with what is learned."""
    found = [target]
    for side in (equation.left, equation.right):
        found.append(side)
        if side.op == "array_add":
            found += side.args
    return found
