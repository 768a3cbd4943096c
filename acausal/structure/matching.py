"""Maximum matching: which equation is solved for which variable.

    0: x y          0: [x] y
    1: x        ->  1: x
    2: y z          2: [y] z     equation 1 has no variable, or equation 0 has none

A cheap assignment leaves few equations unmatched (Karp and Sipser 1981), the
phases of Hopcroft and Karp (1973) match what can be matched.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from acausal.ir.graph import Incidence, Matching
from acausal.structure.augment import Augmenter

_Map = list[int | None]


@dataclass(frozen=True, slots=True)
class Completion:
    """A matching completed by chosen equations.

    `chosen` and `rejected` are the optional equations in the order in which they
    were tried. An equation is rejected because the variables that could be
    matched to it are all determined by equations preferred to it;
    `conflict` finds which.
    """

    chosen: tuple[int, ...]
    rejected: tuple[int, ...]
    matching: Matching


@dataclass(frozen=True, slots=True)
class Conflict:
    """`eqs` are one more than the variables `vars` that occur in them."""

    eqs: tuple[int, ...]
    vars: tuple[int, ...]


def match(incidence: Incidence, start: Matching | None = None) -> Matching:
    """A matching of largest size; what is matched in `start` stays matched (perhaps otherwise).

    Deterministic. O(edges * sqrt(equations)), in practice linear.
    Source: R. M. Karp, M. Sipser, FOCS 1981, p. 364; J. E. Hopcroft, R. M. Karp, SIAM J. Comput. 2(4), 1973, p. 225.
    """
    eq_of_var: _Map = [None] * incidence.variable_count
    var_of_eq: _Map = [None] * incidence.equation_count
    if start is not None:
        eq_of_var[:] = start.eq_of_var
        var_of_eq[:] = start.var_of_eq
    if None in var_of_eq and None in eq_of_var and not _assign_lone(incidence.vars_of_eq, eq_of_var, var_of_eq):
        _assign_cheaply(incidence, eq_of_var, var_of_eq)
    while None in var_of_eq and _augment_phase(incidence.vars_of_eq, eq_of_var, var_of_eq):
        pass
    return Matching(tuple(eq_of_var), tuple(var_of_eq))


def match_with_priority(incidence: Incidence, class_of_var: Sequence[int]) -> Matching:
    """A matching of largest size that uses variables of low class as far as possible.

    As many variables as possible of the lowest class are matched, then as many
    as possible of the next, and so on: in a transversal matroid taking the best
    first is best altogether (Edmonds, Fulkerson 1965). One `match` a class.
    """
    matching = Matching((None,) * incidence.variable_count, (None,) * incidence.equation_count)
    for bound in sorted(set(class_of_var)):
        rows = (tuple([v for v in row if class_of_var[v] <= bound]) for row in incidence.vars_of_eq)
        matching = match(Incidence(tuple(rows), incidence.variable_count), matching)
    return matching


def complete(
    incidence: Incidence, mandatory: int, order: Iterable[int] | None = None, start: Matching | None = None
) -> Completion:
    """Choose from optional equations those that complete the matching, the preferred ones first.

    Equations 0 to `mandatory - 1` are matched first and together; the others
    are tried one by one in `order` (by number if None), and each is chosen that can
    be matched besides all before it. No other choice has a preferred
    equation in place of one of these (the greedy rule of transversal matroids).
    A mandatory equation that is left unmatched is redundant or contradicts the others.
    `start` is a matching of the first of the mandatory equations to begin with.
    """
    if start is not None:
        start = Matching(start.eq_of_var, start.var_of_eq + (None,) * (mandatory - len(start.var_of_eq)))
    first = match(Incidence(incidence.vars_of_eq[:mandatory], incidence.variable_count), start)
    unmatched = (None,) * (incidence.equation_count - mandatory)
    augmenter = Augmenter(incidence, Matching(first.eq_of_var, first.var_of_eq + unmatched))
    chosen: list[int] = []
    rejected: list[int] = []
    for eq in range(mandatory, incidence.equation_count) if order is None else order:
        (chosen if augmenter.search(eq) else rejected).append(eq)
    return Completion(tuple(chosen), tuple(rejected), augmenter.matching())


def conflict(incidence: Incidence, matching: Matching, eq: int) -> Conflict:
    """Why an equation is unmatched in a matching of largest size: the equations it competes with, itself first."""
    augmenter = Augmenter(incidence, matching)
    if matching.var_of_eq[eq] is not None or augmenter.search(eq):
        raise ValueError(f"equation {eq} can be matched")
    return Conflict(tuple(augmenter.eqs), tuple(augmenter.vars))


def _assign_lone(vars_of_eq: Sequence[Sequence[int]], eq_of_var: _Map, var_of_eq: _Map) -> bool:
    """Match all equations if each has one free variable of its own, as start values have; else none, which is False."""
    found: dict[int, int] = {}
    for eq, var in enumerate(var_of_eq):
        if var is None:
            free = [v for v in vars_of_eq[eq] if eq_of_var[v] is None]
            if len(free) != 1 or free[0] in found:
                return False
            found[free[0]] = eq
    for var, eq in found.items():
        eq_of_var[var], var_of_eq[eq] = eq, var
    return True


def _assign_cheaply(incidence: Incidence, eq_of_var: _Map, var_of_eq: _Map) -> None:
    """Match vertices of degree one while there are any, else the next equation to its rarest variable."""
    vars_of_eq, eqs_of_var = incidence.vars_of_eq, incidence.eqs_of_var()
    eq_degree, var_degree = _free_degrees(vars_of_eq, eqs_of_var, var_of_eq)
    lone_eqs = [eq for eq, degree in enumerate(eq_degree) if degree == 1]
    lone_vars = [var for var, degree in enumerate(var_degree) if degree == 1]
    lone_eqs.reverse()
    lone_vars.reverse()
    following = iter(range(len(vars_of_eq)))
    while True:
        if not lone_eqs and lone_vars:
            var = lone_vars.pop()
            if eq_of_var[var] is not None:
                continue
            eq = _rarest(eqs_of_var[var], var_of_eq, eq_degree)
        else:
            eq = lone_eqs.pop() if lone_eqs else next(following, -1)
            if eq < 0:
                return
            if var_of_eq[eq] is not None:
                continue
            var = _rarest(vars_of_eq[eq], eq_of_var, var_degree)
        if eq < 0 or var < 0:
            continue
        eq_of_var[var], var_of_eq[eq] = eq, var
        for other in vars_of_eq[eq]:
            degree = var_degree[other] = var_degree[other] - 1
            if degree == 1:
                lone_vars.append(other)
        for other in eqs_of_var[var]:
            degree = eq_degree[other] = eq_degree[other] - 1
            if degree == 1:
                lone_eqs.append(other)


def _free_degrees(
    vars_of_eq: Sequence[Sequence[int]], eqs_of_var: Sequence[Sequence[int]], var_of_eq: _Map
) -> tuple[list[int], list[int]]:
    """Degrees in the graph without the vertices that are matched already."""
    eq_degree = list(map(len, vars_of_eq))
    var_degree = list(map(len, eqs_of_var))
    for eq, var in enumerate(var_of_eq):
        if var is not None:
            for other in vars_of_eq[eq]:
                var_degree[other] -= 1
            for other in eqs_of_var[var]:
                eq_degree[other] -= 1
    return eq_degree, var_degree


def _rarest(candidates: Sequence[int], partner: _Map, degree: list[int]) -> int:
    """The unmatched candidate of least degree, the first of equals; -1 if all are matched."""
    best, least = -1, 1 << 62
    for candidate in candidates:
        if partner[candidate] is None and degree[candidate] < least:
            best, least = candidate, degree[candidate]
    return best


def _augment_phase(vars_of_eq: Sequence[Sequence[int]], eq_of_var: _Map, var_of_eq: _Map) -> bool:
    """Augment along disjoint shortest paths; False when there is no path left."""
    layers = _Layers(vars_of_eq, eq_of_var, var_of_eq)
    return layers.reaches_unmatched_var and layers.augment()


class _Layers:
    """Breadth-first layers from the unmatched equations, up to the first unmatched variable."""

    __slots__ = ("depth_of_eq", "eq_of_var", "reaches_unmatched_var", "roots", "var_of_eq", "vars_of_eq")

    def __init__(self, vars_of_eq: Sequence[Sequence[int]], eq_of_var: _Map, var_of_eq: _Map) -> None:
        self.vars_of_eq, self.eq_of_var, self.var_of_eq = vars_of_eq, eq_of_var, var_of_eq
        self.roots = [eq for eq, var in enumerate(var_of_eq) if var is None]
        self.depth_of_eq: dict[int, int] = dict.fromkeys(self.roots, 0)
        self.reaches_unmatched_var = False
        layer, depth = self.roots, 0
        while layer and not self.reaches_unmatched_var:
            depth += 1
            layer = self._next_layer(layer, depth)

    def _next_layer(self, layer: list[int], depth: int) -> list[int]:
        following = []
        for eq in layer:
            for var in self.vars_of_eq[eq]:
                owner = self.eq_of_var[var]
                if owner is None:
                    self.reaches_unmatched_var = True
                elif owner not in self.depth_of_eq:
                    self.depth_of_eq[owner] = depth
                    following.append(owner)
        return following

    def augment(self) -> bool:
        """A path through the layers from each root that still has one."""
        branches = {eq: iter(self.vars_of_eq[eq]) for eq in self.depth_of_eq}
        found = False
        for root in self.roots:
            path, through = [root], list[int]()
            while path:
                eq = path[-1]
                for var in branches[eq]:
                    owner = self.eq_of_var[var]
                    if owner is None or self.depth_of_eq.get(owner, 0) == self.depth_of_eq[eq] + 1:
                        break
                else:
                    path.pop()
                    if through:
                        through.pop()
                    continue
                through.append(var)
                if owner is None:
                    found = True
                    for matched_eq, matched_var in zip(path, through, strict=True):
                        self.eq_of_var[matched_var], self.var_of_eq[matched_eq] = matched_eq, matched_var
                    break
                path.append(owner)
        return found
