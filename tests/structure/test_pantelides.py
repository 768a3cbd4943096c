"""Pantelides' algorithm on his own examples, and against Pryce's signature method."""

from itertools import product
from random import Random

import pytest

from acausal.ir.graph import Incidence, Reduction, check_matching
from acausal.structure.pantelides import Singular, bases, find_singularity, pantelides
from tests.structure.graphs import differentiated, from_one, pryce_offsets, random_dae, rank


def numbers(*values: int) -> tuple[int | None, ...]:
    """An index map as the paper prints it, counted from one, 0 for none."""
    return tuple(value - 1 if value else None for value in values)


def reduce(incidence: Incidence, derivative_of: tuple[int | None, ...]) -> Reduction:
    result = pantelides(incidence, derivative_of)
    assert isinstance(result, Reduction)
    return result


PENDULUM = from_one([3, 5], [4, 6], [1, 7, 9], [2, 8, 9], [1, 2], variables=9)
"""x' = w, y' = z, w' = T x, z' = T y - g, x^2 + y^2 = L^2; variables x y w z x' y' w' z' T."""


def test_pendulum_pages_222_to_225() -> None:
    result = reduce(PENDULUM, numbers(5, 6, 7, 8, 0, 0, 0, 0, 0))
    assert result.var_derivative == numbers(5, 6, 7, 8, 10, 11, 0, 0, 0, 0, 0)
    assert result.eq_derivative == numbers(7, 8, 0, 0, 6, 9, 0, 0, 0)
    assert result.matching.eq_of_var == numbers(0, 0, 0, 0, 0, 0, 7, 4, 3, 9, 8)
    assert result.differentiations == (1, 1, 0, 0, 2)
    assert result.eq_chain(4) == (4, 5, 8)
    assert result.var_chain(0) == (0, 4, 9)


def test_reactor_pages_225_to_228() -> None:
    """The exothermic reactor with prescribed concentration; variables C T C' T' R Tc."""
    reactor = from_one([1, 3, 5], [2, 4, 5, 6], [1, 2, 5], [1], variables=6)
    result = reduce(reactor, numbers(3, 4, 0, 0, 0, 0))
    assert result.var_derivative == numbers(3, 4, 7, 0, 8, 0, 0, 0)
    assert result.eq_derivative == numbers(6, 0, 7, 5, 8, 0, 0, 0)
    assert result.matching.eq_of_var == numbers(0, 0, 0, 7, 0, 2, 8, 6)
    assert result.differentiations == (1, 0, 1, 2)


def test_index_one_is_left_alone() -> None:
    """R C: C u' = i, u + R i = U."""
    result = reduce(Incidence(((1, 2), (0, 2)), 3), (1, None, None))
    assert result.eq_derivative == (None, None)
    assert result.var_derivative == (1, None, None)


@pytest.mark.parametrize("order", [1, 2, 5, 50])
def test_chain_of_integrators_with_prescribed_output(order: int) -> None:
    """x1' = x2, ..., xn' = u, x1 = f(t): equation i is differentiated n - i + 1 times, the last once n times."""
    rows = [(order + 1 + i, i + 1) for i in range(order)]
    incidence = Incidence((*rows, (0,)), 2 * order + 1)
    derivative_of = (*range(order + 1, 2 * order + 1), *[None] * (order + 1))
    assert reduce(incidence, derivative_of).differentiations == (*range(order - 1, -1, -1), order)


@pytest.mark.parametrize("seed", range(300))
def test_differentiations_are_pryces_smallest_offsets(seed: int) -> None:
    rng = Random(seed)
    incidence, derivative_of, orders = random_dae(rng, rng.randint(1, 8), rng.randint(0, 2))
    result = pantelides(incidence, derivative_of)
    offsets = pryce_offsets(orders)
    if offsets is None:
        assert isinstance(result, Singular)
        return
    assert isinstance(result, Reduction)
    c, d = offsets
    assert list(result.differentiations) == c
    assert [len(result.var_chain(base)) - 1 for base in range(len(d))] == d
    everything = differentiated(incidence, result)
    assert not check_matching(everything, result.matching)
    for own, derivative in zip(result.matching.var_of_eq, result.eq_derivative, strict=True):
        assert (own is None) == (derivative is not None)
    for own, derivative in zip(result.matching.eq_of_var, result.var_derivative, strict=True):
        assert (own is None) == (derivative is not None)


def is_enough(orders: list[list[int | None]], c: tuple[int, ...]) -> bool:
    """Whether equations differentiated c times have each a highest derivative of its own (by SciPy's matching)."""
    size = len(orders)
    present = [[(i, row[j] + c[i]) for i, row in enumerate(orders) if row[j] is not None] for j in range(size)]
    if not all(present):
        return False
    highest = [max(order for _, order in column) for column in present]
    rows = [tuple(j for j in range(size) if (i, highest[j]) in present[j]) for i in range(size)]
    return rank(Incidence(tuple(rows), size)) == size


@pytest.mark.parametrize("seed", range(60))
def test_fewest_differentiations_by_brute_force(seed: int) -> None:
    """Of all numbers of differentiations up to 4 that are enough those found are the least, equation by equation."""
    rng = Random(1000 + seed)
    incidence, derivative_of, orders = random_dae(rng, rng.randint(1, 4), rng.randint(0, 2))
    enough = [c for c in product(range(5), repeat=len(orders)) if is_enough(orders, c)]
    result = pantelides(incidence, derivative_of)
    if isinstance(result, Singular):
        assert not enough
        return
    assert result.differentiations in enough
    assert all(own <= other for c in enough for own, other in zip(result.differentiations, c, strict=True))


def test_random_systems_are_of_both_kinds() -> None:
    """So that the test above tests both."""
    kinds = [type(pantelides(*random_dae(Random(seed), 5, 2)[:2])) for seed in range(50)]
    assert kinds.count(Singular) > 10
    assert kinds.count(Reduction) > 10


@pytest.mark.parametrize("seed", range(60))
def test_highest_derivatives_first_finds_the_same_faults(seed: int) -> None:
    """The parts do not depend on the matching that they are found from (Dulmage and Mendelsohn)."""
    incidence, derivative_of = random_dae(Random(seed), 8, 2)[:2]
    result = pantelides(incidence, derivative_of)
    fault = find_singularity(incidence, derivative_of)
    assert result == fault if isinstance(result, Singular) else fault is None


def test_singular_systems_name_the_equations() -> None:
    """x' = y, x = 1, y' = 2 has no unknown z of its third equation: one too many for x and y, none for z."""
    incidence = Incidence(((1, 2), (0,), (3,)), 5)
    derivative_of = (1, None, 3, None, None)
    result = pantelides(incidence, derivative_of)
    assert isinstance(result, Singular)
    assert [(part.eqs, part.vars) for part in result.over] == [((0, 1, 2), (0, 2))]
    assert [(part.eqs, part.vars) for part in result.under] == [((), (4,))]
    assert result.base_of_var == (0, 0, 2, 2, 4)


def test_systems_that_are_not_square_are_singular() -> None:
    too_many = pantelides(Incidence(((0,), (0,)), 1), (None,))
    assert isinstance(too_many, Singular)
    assert too_many.over[0].eqs == (0, 1)
    too_few = pantelides(Incidence(((0, 1),), 2), (None, None))
    assert isinstance(too_few, Singular)
    assert too_few.under[0].vars == (0, 1)


def test_too_few_equations_are_differentiated_where_they_may() -> None:
    """x = 1, x' + y = z: y and z have one equation; x is differentiated."""
    incidence, derivative_of = Incidence(((0,), (1, 2, 3)), 4), (1, None, None, None)
    assert isinstance(pantelides(incidence, derivative_of), Singular)
    reduced = pantelides(incidence, derivative_of, underdetermined=True)
    assert not isinstance(reduced, Singular)
    assert reduced.differentiations == (1, 0)


def test_a_derivative_by_hand_without_variables_is_singular() -> None:
    """x = 0 with the derivative 0 = 0 in place of x' = 0, and x' = y."""
    found = pantelides(Incidence(((0,), (1, 2)), 3), (1, None, None), {0: ((),)})
    assert isinstance(found, Singular)
    assert [(part.eqs, part.vars) for part in found.over] == [((0,), ())]


def test_bases() -> None:
    assert bases((2, None, 3, None)) == (0, 1, 0, 0)


def test_many_pendulums() -> None:
    """2,000 copies of the paper's pendulum: every one reduced like the first."""
    copies = 2000
    rows = [tuple(9 * k + v for v in row) for k in range(copies) for row in PENDULUM.vars_of_eq]
    single = numbers(5, 6, 7, 8, 0, 0, 0, 0, 0)
    derivative_of = tuple(None if v is None else 9 * k + v for k in range(copies) for v in single)
    assert reduce(Incidence(tuple(rows), 9 * copies), derivative_of).differentiations == (1, 1, 0, 0, 2) * copies
