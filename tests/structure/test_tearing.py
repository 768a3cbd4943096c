"""Tearing: every result is valid, known systems need few variables, brute force bounds small ones."""

from itertools import combinations
from random import Random

import pytest

from acausal.ir.graph import Incidence
from acausal.structure.blt import sort_blocks
from acausal.structure.exchange_tears import exchange_tears
from acausal.structure.matching import match
from acausal.structure.tear_reduction import reduce_tears
from acausal.structure.tearing import NOT_SOLVABLE, SOLVABLE, SOLVABLE_WITH_CARE, Tearing, tear
from tests.structure.exact_tearing import least_number
from tests.structure.graphs import random_square

Classes = dict[tuple[int, int], int]


def everywhere(incidence: Incidence, solvability: int = SOLVABLE) -> Classes:
    return {(e, v): solvability for e, row in enumerate(incidence.vars_of_eq) for v in row}


def whole(incidence: Incidence, solvable: Classes, least: int = SOLVABLE_WITH_CARE) -> Tearing:
    result = tear(range(incidence.equation_count), range(incidence.variable_count), incidence, solvable, least)
    check(incidence, range(incidence.equation_count), range(incidence.variable_count), result, solvable, least)
    return result


def check(incidence, eqs, variables, result, solvable, least) -> None:
    known, inside = set(result.tearing_vars), set(variables)
    for eq, var in result.inner:
        assert solvable.get((eq, var), NOT_SOLVABLE) >= least
        assert var not in known
        assert [v for v in incidence.vars_of_eq[eq] if v in inside and v not in known] == [var]
        known.add(var)
    assert known == inside
    assert sorted([eq for eq, _ in result.inner] + list(result.residual_eqs)) == sorted(eqs)
    assert len(result.residual_eqs) == len(result.tearing_vars)


def least_tearing(incidence: Incidence, solvable: Classes) -> int:
    """Brute force: whether all can be assigned does not depend on the order of assignment if all is solvable alike."""
    variables = range(incidence.variable_count)
    for count in range(incidence.variable_count + 1):
        for torn in combinations(variables, count):
            if assignable(incidence, solvable, set(torn), frozenset(range(incidence.equation_count))):
                return count
    raise AssertionError


def assignable(incidence: Incidence, solvable: Classes, known: set[int], eqs: frozenset[int]) -> bool:
    if len(known) == incidence.variable_count:
        return True
    for eq in eqs:
        unknown = [v for v in incidence.vars_of_eq[eq] if v not in known]
        if len(unknown) == 1 and solvable.get((eq, unknown[0]), 0):
            return assignable(incidence, solvable, known | {unknown[0]}, eqs - {eq})
    return False


@pytest.mark.parametrize("seed", range(150))
def test_valid_on_random_blocks(seed: int) -> None:
    rng = Random(seed)
    incidence = random_square(rng, rng.randint(1, 60), 3)
    solvable = {key: rng.choice((0, 1, 2, 2)) for key in everywhere(incidence)}
    least = rng.choice((SOLVABLE_WITH_CARE, SOLVABLE))
    whole(incidence, solvable, least)
    for block in sort_blocks(incidence, match(incidence)):
        result = tear(block.eqs, block.vars, incidence, solvable, least)
        check(incidence, block.eqs, block.vars, result, solvable, least)


def test_near_the_least_number() -> None:
    """On 60 blocks of 3 to 9 equations the sum is within a tenth of the optimum."""
    found = optimum = 0
    for seed in range(60):
        rng = Random(seed)
        incidence = random_square(rng, rng.randint(3, 9), 3)
        solvable = everywhere(incidence)
        count, best = len(whole(incidence, solvable).tearing_vars), least_tearing(incidence, solvable)
        assert count >= best
        found, optimum = found + count, optimum + best
    assert optimum > 30
    assert found <= 1.1 * optimum


def test_docstring_example() -> None:
    incidence = Incidence(((0, 1), (0, 2), (1, 2)), 3)
    assert len(whole(incidence, everywhere(incidence)).tearing_vars) == 1


def test_cellier_electrical_circuit_needs_one_variable() -> None:
    """A source and R1, R2, R3 as in the tearing chapter of Cellier and Kofman: six equations, one residual.

    u1 = R1 i1, u2 = R2 i2, u3 = R3 i3, i1 = i2 + i3, U0 = u1 + u3, u2 = u3.
    """
    u1, i1, u2, i2, u3, i3 = range(6)
    incidence = Incidence(((u1, i1), (u2, i2), (u3, i3), (i1, i2, i3), (u1, u3), (u2, u3)), 6)
    assert len(whole(incidence, everywhere(incidence)).tearing_vars) == 1


def test_a_dense_block_keeps_all_but_one() -> None:
    incidence = Incidence(tuple(tuple(range(8)) for _ in range(8)), 8)
    assert len(whole(incidence, everywhere(incidence)).tearing_vars) == 7


def test_nothing_solvable_means_everything_torn() -> None:
    incidence = Incidence(((0, 1), (0, 1)), 2)
    assert whole(incidence, {}).inner == ()
    assert len(whole(incidence, everywhere(incidence, SOLVABLE_WITH_CARE), SOLVABLE).tearing_vars) == 2


def test_the_safe_equation_is_assigned_first() -> None:
    """Both equations could give x; the one with the constant coefficient does."""
    incidence = Incidence(((0,), (0, 1), (0, 1)), 2)
    solvable = {(1, 0): SOLVABLE_WITH_CARE, (2, 0): SOLVABLE}
    result = tear((1, 2), (0, 1), incidence, solvable)
    assert result.tearing_vars == (1,)
    assert result.inner == ((2, 0),)


def test_large_blocks() -> None:
    """A ring of 20,000 and a resistor ladder of 3,000 sections each need one variable."""
    size = 20000
    ring = Incidence(tuple((e, (e + 1) % size) for e in range(size)), size)
    assert len(whole(ring, everywhere(ring)).tearing_vars) == 1
    rows: list[tuple[int, ...]] = []
    sections = 3000
    for k in range(sections):
        voltage, series, shunt = 3 * k, 3 * k + 1, 3 * k + 2
        rows.append((voltage, series, voltage - 3) if k else (voltage, series))
        rows.append((shunt, voltage))
        rows.append((series, shunt, series + 3) if k < sections - 1 else (series, shunt))
    ladder = Incidence(tuple(rows), 3 * sections)
    assert len(whole(ladder, everywhere(ladder)).tearing_vars) == 1


@pytest.mark.parametrize("seed", range(60))
def test_needless_tearing_variables_are_taken_back(seed: int) -> None:
    """Valid, and none of the remaining ones can be left out; from all variables torn as from a heuristic's."""
    chance = Random(seed)
    incidence = random_square(chance, chance.randint(3, 9), 3)
    count = incidence.equation_count
    solvable = {pair: chance.choice([NOT_SOLVABLE, SOLVABLE, SOLVABLE]) for pair in everywhere(incidence)}
    everything = Tearing(tuple(range(count)), tuple(range(count)), ())
    for start in (everything, whole(incidence, solvable, SOLVABLE)):
        found = reduce_tears(start, incidence, solvable, SOLVABLE)
        check(incidence, range(count), range(count), found, solvable, SOLVABLE)
        assert len(found.tearing_vars) <= len(start.tearing_vars)
        assert len(found.tearing_vars) >= least_tearing(incidence, solvable)
        for var in found.tearing_vars:
            known = set(found.tearing_vars) - {var}
            assert not assignable(incidence, solvable, known, frozenset(range(count)))


def test_two_tearing_variables_for_one() -> None:
    """The example of `exchange_tears`: neither variable can be left out, yet a third one alone is enough."""
    incidence = Incidence(((0, 1, 2), (0, 2), (1, 2)), 3)
    solvable = {(0, 2): SOLVABLE, (1, 0): SOLVABLE, (2, 1): SOLVABLE}
    start = Tearing((0, 1), (1, 2), ((0, 2),))
    assert reduce_tears(start, incidence, solvable, SOLVABLE) == start
    assert exchange_tears(start, incidence, solvable, SOLVABLE) == Tearing((2,), (0,), ((2, 1), (1, 0)))


@pytest.mark.parametrize("seed", range(200))
def test_exchanged_tearing_variables(seed: int) -> None:
    """Valid, and no pair of variables can be replaced by one."""
    chance = Random(seed)
    incidence = random_square(chance, chance.randint(4, 9), 3)
    count = incidence.equation_count
    solvable = {pair: chance.choice([NOT_SOLVABLE, SOLVABLE]) for pair in everywhere(incidence)}
    start = reduce_tears(whole(incidence, solvable, SOLVABLE), incidence, solvable, SOLVABLE)
    found = exchange_tears(start, incidence, solvable, SOLVABLE)
    check(incidence, range(count), range(count), found, solvable, SOLVABLE)
    assert len(found.tearing_vars) >= least_tearing(incidence, solvable)
    if found != start:
        assert len(found.tearing_vars) < len(start.tearing_vars)
    for pair in combinations(found.tearing_vars, 2):
        for var in set(range(count)) - set(pair):
            known = set(found.tearing_vars) - set(pair) | {var}
            assert not assignable(incidence, solvable, known, frozenset(range(count)))


@pytest.mark.parametrize("seed", range(10))
def test_exact_tearing(seed: int) -> None:
    """Integer programming, which mechanisms are compared with, finds what brute force does."""
    chance = Random(seed)
    incidence = random_square(chance, 7, 3)
    solvable = {pair: chance.choice([NOT_SOLVABLE, SOLVABLE]) for pair in everywhere(incidence)}
    assert least_number(incidence.vars_of_eq, solvable, SOLVABLE) == least_tearing(incidence, solvable)
