"""Matching against SciPy, networkx and brute force."""

from itertools import combinations
from random import Random

import networkx as nx
import pytest

from acausal.ir.graph import Incidence, Matching, check_incidence, check_matching, show
from acausal.structure.matching import complete, conflict, match, match_with_priority
from tests.structure.graphs import bipartite, from_one, random_incidence, random_square, rank


@pytest.mark.parametrize("seed", range(150))
def test_largest_size(seed: int) -> None:
    rng = Random(seed)
    incidence = random_incidence(rng, rng.randint(1, 60), rng.randint(1, 60), rng.randint(1, 5))
    matching = match(incidence)
    assert not check_incidence(incidence)
    assert not check_matching(incidence, matching)
    assert matching.size == rank(incidence)
    oracle = nx.bipartite.hopcroft_karp_matching(
        bipartite(incidence), [("e", e) for e in range(incidence.equation_count)]
    )
    assert matching.size == len(oracle) // 2


@pytest.mark.parametrize("seed", range(40))
def test_start_stays_matched(seed: int) -> None:
    rng = Random(seed)
    incidence = random_incidence(rng, 40, 40, 3)
    eq_of_var: list[int | None] = [None] * 40
    var_of_eq: list[int | None] = [None] * 40
    for eq in rng.sample(range(40), 15):
        free = [v for v in incidence.vars_of_eq[eq] if eq_of_var[v] is None]
        if free:
            eq_of_var[free[0]], var_of_eq[eq] = eq, free[0]
    start = Matching(tuple(eq_of_var), tuple(var_of_eq))
    matching = match(incidence, start)
    assert matching.size == rank(incidence)
    assert not check_matching(incidence, matching)
    assert all(matching.var_of_eq[e] is not None for e, v in enumerate(var_of_eq) if v is not None)
    assert all(matching.eq_of_var[v] is not None for v, e in enumerate(eq_of_var) if e is not None)


def test_phases_alone_find_what_greedy_missed() -> None:
    """Start from the worst pairs of a chain: each equation must move by one along a path of 5,000."""
    size = 5000
    incidence = Incidence((*[(e, e + 1) for e in range(size - 1)], (0,)), size)
    start = Matching((*range(size - 1), None), (*range(size - 1), None))
    assert match(incidence, start).is_perfect


def test_many_equations() -> None:
    incidence = random_square(Random(1), 20000, 3)
    matching = match(incidence)
    assert matching.is_perfect
    assert not check_matching(incidence, matching)


def test_priority_of_variables_is_optimal() -> None:
    for seed in range(60):
        rng = Random(seed)
        incidence = random_incidence(rng, 6, 9, 3)
        classes = [rng.randrange(3) for _ in range(9)]
        matching = match_with_priority(incidence, classes)
        assert not check_matching(incidence, matching)
        assert matching.size == rank(incidence)
        for bound in range(3):
            low = [v for v in range(9) if classes[v] <= bound]
            used = sum(matching.eq_of_var[v] is not None for v in low)
            assert used == rank(incidence.select(range(6), low))


def test_complete_chooses_the_preferred() -> None:
    """Brute force: no independent completion beats the greedy one at its first difference."""
    for seed in range(60):
        rng = Random(seed)
        incidence = random_incidence(rng, 10, 6, 3)
        mandatory, order = 4, rng.sample(range(4, 10), 6)
        completion = complete(incidence, mandatory, order)
        assert sorted((*completion.chosen, *completion.rejected)) == sorted(order)
        base = rank(incidence.select(range(mandatory), range(6)))
        fitting = [
            tuple(order.index(eq) for eq in extra)
            for count in range(7)
            for extra in combinations(order, count)
            if rank(incidence.select([*range(mandatory), *extra], range(6))) == base + count
        ]
        best = min(c for c in fitting if len(c) == max(map(len, fitting)))
        assert tuple(order.index(eq) for eq in completion.chosen) == best
        assert not check_matching(incidence, completion.matching)


@pytest.mark.parametrize("seed", range(30))
def test_complete_chooses_the_same_from_any_start(seed: int) -> None:
    """What is chosen is a question of ranks alone, hence the same whatever the first equations are matched to."""
    incidence = random_incidence(Random(seed), 16, 10, 3)
    started = complete(incidence, 7, start=match(Incidence(incidence.vars_of_eq[:4], 10)))
    assert not check_matching(incidence, started.matching)
    tried, chosen = list(range(7)), []
    for eq in range(7, 16):
        if rank(incidence.select([*tried, eq], range(10))) > rank(incidence.select(tried, range(10))):
            tried.append(eq)
            chosen.append(eq)
    assert started.chosen == tuple(chosen)


def test_complete_initial_values_of_a_pendulum() -> None:
    """Model 0, 1 fix two of x y vx vy; the guesses are tried in order and one position is enough."""
    incidence = Incidence(((0, 1), (0, 1, 2, 3), (0,), (1,), (2,), (3,)), 4)
    completion = complete(incidence, 2)
    assert completion.chosen == (2, 4)
    assert completion.rejected == (3, 5)
    clash = conflict(incidence, completion.matching, 3)
    assert sorted(clash.eqs) == [0, 2, 3]
    assert sorted(clash.vars) == [0, 1]


def test_conflict_has_one_equation_too_many() -> None:
    for seed in range(40):
        incidence = random_incidence(Random(seed), 20, 15, 3)
        matching = match(incidence)
        for eq in matching.unmatched_eqs:
            clash = conflict(incidence, matching, eq)
            occurring = {v for e in clash.eqs for v in incidence.vars_of_eq[e]}
            assert occurring == set(clash.vars)
            assert len(clash.eqs) == len(clash.vars) + 1
    with pytest.raises(ValueError, match="can be matched"):
        conflict(Incidence(((0,),), 1), match(Incidence(((0,),), 1)), 0)


def test_show_and_check() -> None:
    incidence = from_one([1, 2], [2], variables=2)
    matching = match(incidence)
    assert show(incidence, matching) == "0: [0] 1\n1: [1]"
    wrong = Matching((1, 0), (1, 0))
    assert check_matching(incidence, wrong) == ("equation 1 is matched to variable 0, which it does not contain",)
    assert check_incidence(Incidence(((0, 0), (5,)), 2)) == (
        "equation 0 names a variable twice",
        "equation 1 has a variable out of range",
    )
