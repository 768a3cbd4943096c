"""Dummy derivatives on the pendulum and the paper's linear example, by count and by brute force on random systems."""

from itertools import combinations, permutations
from random import Random

import pytest

from acausal.ir.graph import Incidence, Reduction
from acausal.structure.dummy import select_states
from acausal.structure.pantelides import pantelides
from acausal.structure.state_order import ALWAYS, AVOID, DEFAULT, NEVER, PREFER, ease_of_solving, order_by_preference
from tests.structure.graphs import differentiated, pryce_offsets, random_dae, rank

X, Y, W, Z, DX, DY, DW, DZ, T, DDX, DDY = range(11)
PENDULUM = Incidence(((W, DX), (Z, DY), (X, DW, T), (Y, DZ, T), (X, Y)), 9)
DERIVATIVE_OF = (DX, DY, DW, DZ, None, None, None, None, None)


def reduce(incidence: Incidence, derivative_of: tuple[int | None, ...]) -> tuple[Incidence, Reduction]:
    result = pantelides(incidence, derivative_of)
    assert isinstance(result, Reduction)
    return differentiated(incidence, result), result


@pytest.mark.parametrize(
    ("preference", "states"),
    [
        ({}, (X, W)),
        ({X: PREFER, W: PREFER}, (X, W)),
        ({Y: PREFER, Z: PREFER}, (Y, Z)),
        ({Y: PREFER, DY: PREFER}, (Y, DY)),
        ({Y: ALWAYS, X: PREFER, Z: ALWAYS}, (Y, Z)),
        ({X: AVOID, W: AVOID}, (Y, Z)),
        ({X: NEVER, DX: AVOID, W: AVOID}, (Y, Z)),
    ],
)
def test_pendulum_has_two_states_as_preferred(preference: dict[int, int], states: tuple[int, ...]) -> None:
    everything, reduced = reduce(PENDULUM, DERIVATIVE_OF)
    wanted = [preference.get(v, DEFAULT) for v in range(9)]
    chosen = select_states(everything, reduced, order_by_preference(reduced, wanted))
    assert len(chosen.states) == 2
    assert len([v for v in chosen.states if v in (X, Y)]) == 1
    position, velocity = chosen.states
    assert position == states[0]
    assert velocity in ({W, DX} if states[0] == X else {Z, DY})


def test_mattsson_soderlind_1993_linear_example() -> None:
    """The linear example of the paper's section on the algorithm.

    x1 + x2 + u1 = 0, x1 + x2 + x3 + u2 = 0, x1 + x3' + x4 + u3 = 0, 2 x1'' + x2'' + x3'' + x4' + u4 = 0:
    the first two are differentiated twice, the third once; three dummies on the first level, two on the second.
    """
    x1, x2, x3, x4, dx1, dx2, dx3, dx4, ddx1, ddx2, ddx3 = range(11)
    incidence = Incidence(((x1, x2), (x1, x2, x3), (x1, dx3, x4), (ddx1, ddx2, ddx3, dx4)), 11)
    derivative_of = (dx1, dx2, dx3, dx4, ddx1, ddx2, ddx3, None, None, None, None)
    everything, reduced = reduce(incidence, derivative_of)
    assert reduced.differentiations == (2, 2, 1, 0)
    chosen = select_states(everything, reduced, order_by_preference(reduced, [DEFAULT] * 11))
    assert [len(s.dummies) for s in chosen.selections] == [3, 2]
    assert len(chosen.states) == 2
    check(everything, reduced, chosen)


def check(everything, reduced, chosen) -> None:
    """The equations determine all that is not a state."""
    unknowns = [v for v in range(everything.variable_count) if v not in chosen.states]
    assert len(unknowns) == everything.equation_count
    assert rank(everything.select(range(everything.equation_count), unknowns)) == len(unknowns)
    for var in chosen.states:
        assert reduced.var_derivative[var] not in (None, *chosen.dummies)
    for selection in chosen.selections:
        assert len(selection.eqs) == len(selection.dummies) == rank(everything.select(selection.eqs, selection.dummies))


@pytest.mark.parametrize("seed", range(200))
def test_random_systems(seed: int) -> None:
    """States are as many as degrees of freedom (Pryce 2001: sum d - sum c); each choice is the most preferred one."""
    rng = Random(seed)
    incidence, derivative_of, orders = random_dae(rng, rng.randint(2, 6), 2)
    offsets = pryce_offsets(orders)
    if offsets is None:
        return
    everything, reduced = reduce(incidence, tuple(derivative_of))
    order = list(range(everything.variable_count))
    rng.shuffle(order)
    chosen = select_states(everything, reduced, order)
    check(everything, reduced, chosen)
    assert len(chosen.states) == sum(offsets[1]) - sum(offsets[0])
    for selection in chosen.selections:
        ordered = sorted(selection.candidates, key=order.index)
        best = next(
            subset
            for subset in combinations(ordered, len(selection.eqs))
            if rank(everything.select(selection.eqs, subset)) == len(subset)
        )
        assert selection.dummies == best


def test_easily_solved_derivatives_become_dummies() -> None:
    """x = L sin(phi) with phi declared last: phi stays the state, though the last declared goes otherwise."""
    x, phi, dx, dphi, f, ddx, ddphi = range(7)
    everything, reduced = reduce(
        Incidence(((x, phi), (ddphi, f), (f, ddx)), 7), (dx, dphi, ddx, ddphi, None, None, None)
    )
    easily = (x, dx, ddx)
    solvable = {(e, v): 2 if v in easily else 1 for e, row in enumerate(everything.vars_of_eq) for v in row}
    ease = ease_of_solving(everything, reduced, solvable)
    easy = select_states(everything, reduced, order_by_preference(reduced, [DEFAULT] * 7, ease))
    plain = select_states(everything, reduced, order_by_preference(reduced, [DEFAULT] * 7))
    assert easy.states == (phi, dphi)
    assert plain.states == (x, dx)


def test_order_of_preferences() -> None:
    """Without differentiation nothing is chosen, and the order is that of the preferences."""
    for ranks in permutations((NEVER, AVOID, DEFAULT, PREFER, ALWAYS)):
        incidence = Incidence(tuple((v, v + 5) for v in range(5)), 10)
        everything, reduced = reduce(incidence, (*range(5, 10), *[None] * 5))
        order = order_by_preference(reduced, [*ranks, *[DEFAULT] * 5])
        assert [ranks[v - 5] for v in order] == sorted(ranks)
        assert select_states(everything, reduced, order).states == (0, 1, 2, 3, 4)


def test_incidence_without_derivatives_is_refused() -> None:
    everything, reduced = reduce(PENDULUM, DERIVATIVE_OF)
    emptied = Incidence((*everything.vars_of_eq[:5], *[()] * 4), everything.variable_count)
    with pytest.raises(ValueError, match="lacks derivatives"):
        select_states(emptied, reduced, ())
