"""Index reduction: which equations must be differentiated, and how often.

    0: x' w    [x' = w]
    1: w' T x                 ->   2 is differentiated twice, 0 once, so that every equation
    2: x       [x = L]             has a highest derivative of its own: 3 = 2', 4 = 0', 5 = 3'

Source: C. C. Pantelides, The consistent initialization of differential-algebraic
systems, SIAM J. Sci. Stat. Comput. 9(2), 1988, pp. 213-231: Algorithm 4.1;
examples pp. 222-228.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from acausal.ir.graph import Incidence, Matching, Reduction, chain
from acausal.structure.augment import Augmenter
from acausal.structure.matching import match

if TYPE_CHECKING:
    from acausal.structure.dulmage import Part

NONE: Mapping[int, Sequence[Sequence[int]]] = {}


@dataclass(frozen=True, slots=True)
class Singular:
    """A system that no differentiation makes solvable.

    Found on the system in which a variable and its derivatives count as one,
    named by `base_of_var[v]`, the variable of which `v` is a derivative (itself
    if of none). Each part of `over` is a connected set of more equations than
    variables occur in them, each part of `under` one of fewer equations than variables.
    """

    over: "tuple[Part, ...]"
    under: "tuple[Part, ...]"
    base_of_var: tuple[int, ...]


def pantelides(
    incidence: Incidence,
    derivative_of: Sequence[int | None],
    by_hand: Mapping[int, Sequence[Sequence[int]]] = NONE,
    *,
    underdetermined: bool = False,
) -> Reduction | Singular:
    """Pantelides' Algorithm 4.1.

    `derivative_of[v]` is the variable that is the derivative of `v`, or None;
    variables include derivatives, known quantities are left out. The
    algorithm ends if and only if each equation can have a variable or its
    derivative of its own (his extended system); this is tested before anything is
    differentiated, so that a singular system gives `Singular` instead of an endless loop.

    The equations that can be matched at once are; from each of the rest the search for an
    augmenting path either succeeds, or all it coloured is differentiated once and
    the search goes on from the derivative. Linear in what is differentiated.

    `by_hand[e]` are the variables of the derivatives of equation `e` that its author gives, in
    order (language page, section 6; not in the paper). Where such an equation is coloured, it alone
    is replaced by its derivative: one equation fewer for the coloured variables.

    A system with too few equations gives `Singular`, too, unless it may be `underdetermined`.
    """
    highest = (tuple([v for v in row if derivative_of[v] is None]) for row in incidence.vars_of_eq)
    start = match(Incidence(tuple(highest), incidence.variable_count))
    if None in start.var_of_eq or incidence.equation_count != derivative_of.count(None):
        singular = find_singularity(incidence, derivative_of, start)
        if singular is not None and (singular.over or not underdetermined):
            return singular
    return _Reduction(incidence, derivative_of, start, by_hand).run()


def find_singularity(
    incidence: Incidence, derivative_of: Sequence[int | None], start: Matching | None = None
) -> Singular | None:
    """Part of a system with too many or too few equations, derivatives counted with their variables.

    None if there is none.

    `start` may be a largest matching of the highest derivatives: few searches are left then.
    """
    base_of_var = bases(derivative_of)
    base_vars = [var for var, base in enumerate(base_of_var) if var == base]
    new_of_base = {base: new for new, base in enumerate(base_vars)}
    new_of_var = [new_of_base[base] for base in base_of_var]
    rows = [tuple(dict.fromkeys([new_of_var[v] for v in row])) for row in incidence.vars_of_eq]
    collapsed = Incidence(tuple(rows), len(base_vars))
    matching = match(collapsed) if start is None else _completed(collapsed, start, new_of_var)
    if matching.is_perfect:
        return None
    from acausal.structure.dulmage import Part, connected_components, decompose

    parts = decompose(collapsed, matching)
    over, under = (
        tuple([Part(p.eqs, tuple([base_vars[v] for v in p.vars])) for p in connected_components(collapsed, part)])
        for part in (parts.over, parts.under)
    )
    return Singular(over, under, base_of_var)


def _completed(collapsed: Incidence, start: Matching, new_of_var: Sequence[int]) -> Matching:
    """A largest matching of the collapsed system: that of the highest derivatives, and what can be matched besides."""
    augmenter = Augmenter(collapsed)
    for eq, var in enumerate(start.var_of_eq):
        if var is not None:
            augmenter.pair(eq, new_of_var[var])
    for eq in start.unmatched_eqs:
        augmenter.search(eq)
    return augmenter.matching()


def bases(derivative_of: Sequence[int | None]) -> tuple[int, ...]:
    """For each variable the one at the start of its chain of derivatives."""
    is_derivative = bytearray(len(derivative_of))
    for derivative in derivative_of:
        if derivative is not None:
            is_derivative[derivative] = True
    base_of_var = list(range(len(derivative_of)))
    for base in range(len(derivative_of)):
        if derivative_of[base] is not None and not is_derivative[base]:
            for var in chain(derivative_of, base):
                base_of_var[var] = base
    return tuple(base_of_var)


class _Reduction:
    """The algorithm at work on a growing system; the paper's names in brackets."""

    def __init__(
        self,
        incidence: Incidence,
        derivative_of: Sequence[int | None],
        start: Matching,
        by_hand: Mapping[int, Sequence[Sequence[int]]],
    ) -> None:
        self.by_hand = dict(by_hand)
        self.variable_count, self.equation_count = incidence.variable_count, incidence.equation_count
        self.var_derivative = list(derivative_of)  # A
        self.eq_derivative: list[int | None] = [None] * incidence.equation_count  # B
        self.augmenter = Augmenter(incidence, start)  # ASSIGN
        for var, derivative in enumerate(derivative_of):
            if derivative is not None:
                self.augmenter.delete(var)  # step 3b-1
        self.unmatched = start.unmatched_eqs

    def run(self) -> Reduction | Singular:
        """Match every equation or a derivative of it.

        Impossible where a derivative given by hand has no variables, as where a loop is locked by its constraint.
        """
        for eq in self.unmatched:
            waiting = [eq]
            while waiting:
                highest = waiting.pop()
                while not self.augmenter.search(highest):  # step 3b-4
                    given = next((e for e in self.augmenter.eqs if self.by_hand.get(e)), None)
                    if given is None and not self.augmenter.vars_of_eq[highest]:
                        return self._without_variables(highest)
                    if given is None:
                        highest = self._differentiate()[highest]
                    else:
                        waiting.append(self._replace(given))
                        if given == highest:
                            break
        return Reduction(
            self.variable_count,
            self.equation_count,
            tuple(self.var_derivative),
            tuple(self.eq_derivative),
            self._matching(),
        )

    def _without_variables(self, eq: int) -> Singular:
        """The fault of a derivative without variables, reported for the equation it was made from."""
        from acausal.structure.dulmage import Part

        source = {derivative: e for e, derivative in enumerate(self.eq_derivative) if derivative is not None}
        while eq in source:
            eq = source[eq]
        return Singular((Part((eq,), ()),), (), tuple(range(self.variable_count)))

    def _differentiate(self) -> dict[int, int]:
        """Steps 3b-5 (i) to (iv): differentiate all that the search coloured; the new equation of each."""
        augmenter = self.augmenter
        new_of_var = {var: augmenter.add_variable() for var in sorted(augmenter.vars)}
        for var, derivative in new_of_var.items():
            self.var_derivative[var] = derivative
            self.var_derivative.append(None)
            augmenter.delete(var)
        new_of_eq = {eq: augmenter.add_equation(self._derivatives_in(eq)) for eq in sorted(augmenter.eqs)}
        for eq, derivative in new_of_eq.items():
            self.eq_derivative[eq] = derivative
            self.eq_derivative.append(None)
        for var, owner in zip(augmenter.vars, augmenter.eqs[1:], strict=True):
            augmenter.pair(new_of_eq[owner], new_of_var[var])
        return new_of_eq

    def _replace(self, eq: int) -> int:
        """Takes the derivative given by hand in place of an equation that was coloured; its number."""
        row, *rest = self.by_hand.pop(eq)
        self.augmenter.retire(eq)
        derivative = self.augmenter.add_equation(row)
        self.eq_derivative[eq] = derivative
        self.eq_derivative.append(None)
        if rest:
            self.by_hand[derivative] = rest
        return derivative

    def _derivatives_in(self, eq: int) -> list[int]:
        """The derivatives of all variables of an equation.

        Its derivative contains the variables themselves too, but these have
        derivatives now and count no more.
        """
        derivatives = [self.var_derivative[var] for var in self.augmenter.vars_of_eq[eq]]
        return [var for var in derivatives if var is not None]

    def _matching(self) -> Matching:
        """The pairs of highest derivatives: those of deleted variables have passed to their derivatives."""
        var_of_eq = [
            var if derivative is None else None
            for var, derivative in zip(self.augmenter.var_of_eq, self.eq_derivative, strict=True)
        ]
        eq_of_var: list[int | None] = [None] * len(self.var_derivative)
        for eq, var in enumerate(var_of_eq):
            if var is not None:
                eq_of_var[var] = eq
        return Matching(tuple(eq_of_var), tuple(var_of_eq))
