"""Search for the formulas of a model whose coordinates and speeds are known."""

from collections.abc import Iterable

from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.plan import Assign
from acausal.symbolic.isolate import isolate


class FormulaSearch:
    """Search for the variables that follow from coordinates: each equation with one unknown left gives it.

    `places` are the formulas in their order, with the numbers of their equations; `coordinates` also has the speeds.
    """

    def __init__(self, dae: Dae, moving: Iterable[Expr], *, driven: bool) -> None:
        self.dae = dae
        self.known = {v.symbol for v in dae.inputs}
        self.coordinates: list[Expr] = []
        self.places: list[tuple[int, Assign]] = []
        self._moving = frozenset(moving)
        self._open = {n: set(e.variables) - self.known for n, e in enumerate(dae.equations)}
        self._with: dict[Expr, list[int]] = {}
        for n, leaves in self._open.items():
            for x in leaves:
                self._with.setdefault(x, []).append(n)
        self._used: set[int] = set()
        self._implicit: list[int] = []
        self._without_rates = driven
        self._follow([n for n, leaves in self._open.items() if len(leaves) == 1])
        self._without_rates = False

    def take(self, variables: Iterable[Expr]) -> None:
        """Make them coordinates or speeds, if they do not follow from others.

        Equations that are written for their unknown are used before all others: these may be the constraints.
        """
        for x in variables:
            if x not in self.known:
                self.coordinates.append(x)
                self._follow(self._found(x))
        while self._implicit:
            number = self._implicit.pop()
            for x in self._open[number] - self._moving:
                self._follow(self._given(number, x))

    def constraints(self) -> list[int]:
        """The equations that give nothing, and have no unknowns left."""
        return [n for n, leaves in self._open.items() if not leaves and n not in self._used]

    def _found(self, x: Expr) -> list[int]:
        """The equations that have one unknown left now that this one is known."""
        self.known.add(x)
        for n in self._with.get(x, ()):
            self._open[n].discard(x)
        return [n for n in self._with.get(x, ()) if len(self._open[n]) == 1]

    def _follow(self, queue: list[int]) -> None:
        while queue:
            number = queue.pop()
            equation = self.dae.equations[number]
            if equation.derivatives:
                continue
            for x in self._open[number] - self._moving:
                if x is equation.left or x is equation.right:
                    queue += self._given(number, x)
                else:
                    self._implicit.append(number)

    def _given(self, number: int, x: Expr) -> list[int]:
        """Use the equation for x, if there is a formula; the equations that have one unknown left then."""
        equation = self.dae.equations[number]
        value = isolate(self.dae.pool, equation.left, equation.right, x)
        if value is None or (self._without_rates and x.order):
            return []
        self._used.add(number)
        self.places.append((number, Assign(x, value, equation.origin)))
        return self._found(x)
