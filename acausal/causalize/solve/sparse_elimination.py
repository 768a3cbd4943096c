"""Sparse elimination, by formulas, where few unknowns hold large blocks together.

    u1 + r1*i1 = v,  i1 = g1*u1,  ...,  i1 + ... + in = j      u and i by formulas, v is left: one unknown for 2n + 1

What tearing leaves of a block with switched coefficients grows with n, as a branch with a switch is a loop of its own;
coefficients that switch at run time cannot be factored once, and a dense factorization costs the cube of the size.
Where coefficients do not vary, but tearing leaves many unknowns, as of a grid of lines, each inner unknown is a formula
in all of them: so many products for each equation, and again a dense factorization.
Pivots are taken where they cannot vanish (`definite_sign`), with little fill-in (H. M. Markowitz, Management Science 3
(1957) 255-269) and bounded multipliers (I. S. Duff, A. M. Erisman, J. K. Reid, Direct Methods for Sparse Matrices,
1986, section 5.4).
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from acausal.base.frozen import dataclass
from acausal.causalize.solve.conditioning_cuts import TrialValue
from acausal.causalize.solve.definite_sign import Signs
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool
from acausal.symbolic.isolate import divide_negated
from acausal.symbolic.linear import LinearForm

LEAST = 12
"""Blocks with fewer switched coefficients are left to tearing and dense factorization."""
MANY = 20
"""Tearing variables from which a block of constant coefficients is eliminated, if that leaves much fewer."""
SHARE = 4
"""The elimination is worth it if it leaves no more than one of so many unknowns, or tearing variables."""
GROWTH = 10.0
"""The largest multiplier of a row (threshold pivoting), however conditions decide."""


@dataclass(frozen=True, slots=True)
class Eliminated:
    """`inner` are unknowns with their forms in those behind them and the ones left, and the row of the pivot.

    The `forms` of the `rows` that are left determine the unknowns that are left.
    """

    inner: tuple[tuple[Expr, LinearForm, int], ...]
    unknowns: tuple[Expr, ...]
    rows: tuple[int, ...]
    forms: tuple[LinearForm, ...]


def eliminate(
    pool: Pool, unknowns: Sequence[Expr], forms: Sequence[LinearForm], trial: TrialValue
) -> Eliminated | None:
    """The system of linear forms = 0 after elimination; None where it is not worth it."""
    if sum(any(map(_switches, form.coefficients.values())) for form in forms) < LEAST:
        return None
    found = _Elimination(pool, unknowns, forms, Signs(trial)).run()
    return found if len(found.unknowns) * SHARE <= len(unknowns) else None


def eliminate_constant(
    pool: Pool, unknowns: Sequence[Expr], forms: Sequence[LinearForm], trial: TrialValue, tears: int
) -> Eliminated | None:
    """The same for a block without varying coefficients of which tearing leaves so many unknowns."""
    if tears < MANY or any(c.varies for form in forms for c in form.coefficients.values()):
        return None
    found = _Elimination(pool, unknowns, forms, Signs(trial, branches=1)).run()
    return found if len(found.unknowns) * SHARE <= tears else None


def _switches(coefficient: Expr) -> bool:
    """True if it has branches: others that vary have no definite sign, elimination would stop at them."""
    seen: set[Expr] = set()
    stack = [coefficient] if coefficient.varies else []
    while stack:
        node = stack.pop()
        if node.op == "if":
            return True
        if node not in seen:
            seen.add(node)
            stack += [a for a in node.args if a.varies]
    return False


def nothing_eliminated(unknowns: tuple[Expr, ...], forms: Sequence[LinearForm]) -> Eliminated:
    """The system as it is."""
    return Eliminated((), unknowns, tuple(range(len(forms))), tuple(forms))


class _Elimination:
    """Rows of coefficients, and which rows hold an unknown."""

    def __init__(self, pool: Pool, unknowns: Sequence[Expr], forms: Sequence[LinearForm], signs: Signs) -> None:
        self.pool, self.signs, self.unknowns = pool, signs, unknowns
        self.rows = {k: dict(form.coefficients) for k, form in enumerate(forms)}
        self.rest = [form.rest for form in forms]
        self.rows_of: dict[Expr, dict[int, None]] = {x: {} for x in unknowns}
        for k, row in self.rows.items():
            for x in row:
                self.rows_of[x][k] = None
        self.place = {x: n for n, x in enumerate(unknowns)}
        self.inner: list[tuple[Expr, LinearForm, int]] = []

    def run(self) -> Eliminated:
        """Pivots in the order of their costs, until one unknown is left or none pays."""
        heap = [(self._cost(k, x), k, self.place[x]) for k, row in self.rows.items() for x in row]
        heapify(heap)
        while heap and len(self.rows) > 1:
            cost, k, number = heappop(heap)
            x = self.unknowns[number]
            if k not in self.rows or x not in self.rows[k]:
                continue
            now = self._cost(k, x)
            if now > cost:
                heappush(heap, (now, k, number))
                continue
            if now <= len(self.rows[k]) + len(self.rows_of[x]) and self._is_pivot(k, x):
                for changed, y in self._pivot(k, x):
                    heappush(heap, (self._cost(changed, y), changed, self.place[y]))
        eliminated = {x for x, _, _ in self.inner}
        return Eliminated(
            tuple(self.inner),
            tuple([x for x in self.unknowns if x not in eliminated]),
            tuple(self.rows),
            tuple([LinearForm(row, self.rest[k]) for k, row in self.rows.items()]),
        )

    def _cost(self, k: int, x: Expr) -> int:
        return (len(self.rows[k]) - 1) * (len(self.rows_of[x]) - 1)

    def _is_pivot(self, k: int, x: Expr) -> bool:
        """True if the coefficient cannot vanish, and multiplies no row by much."""
        pivot = self.rows[k][x]
        if not self.signs.sign(pivot):
            return False
        sizes = list(self.signs.samples(pivot))
        for other in self.rows_of[x]:
            if other != k:
                own = self.signs.samples(self.rows[other][x])
                if any(abs(a) > GROWTH * abs(p) for a, p in zip(own, sizes, strict=True)):
                    return False
        return True

    def _pivot(self, k: int, x: Expr) -> list[tuple[int, Expr]]:
        """Takes a row and its pivot out; the entries that have changed elsewhere."""
        pool, row = self.pool, self.rows.pop(k)
        for y in row:
            del self.rows_of[y][k]
        pivot = row.pop(x)
        form = LinearForm({y: divide_negated(pool, c, pivot) for y, c in row.items()},
                          divide_negated(pool, self.rest[k], pivot))  # fmt: skip
        self.inner.append((x, form, k))
        changed = []
        for other in self.rows_of.pop(x):
            own = self.rows[other]
            factor = own.pop(x)
            self.rest[other] = pool.add(self.rest[other], pool.mul(factor, form.rest))
            for y, c in form.coefficients.items():
                entry = pool.add(own.get(y, pool.zero), pool.mul(factor, c))
                if entry is pool.zero:
                    own.pop(y, None)
                    self.rows_of[y].pop(other, None)
                    continue
                own[y] = entry
                self.rows_of[y][other] = None
                changed.append((other, y))
        return changed
