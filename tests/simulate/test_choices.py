"""Choices of states are judged alike with and without matrices."""

from itertools import product
from math import inf, nan

import numpy as np
import pytest
from scipy.linalg import qr

from acausal.ir.program import ChoiceSlot, ChoiceTable
from acausal.simulate.choices import POOR, poor

NUMBERS = (0.0, -1e-3, 0.19, -0.21, 1.0, -7.0)


@pytest.mark.parametrize("row", list(product(NUMBERS, repeat=3)))
def test_one_constraint(row: tuple[float, ...]) -> None:
    for dummy in range(3):
        slot = ChoiceSlot(((("x",), 0),) * 3, (dummy,), (0.0,) * 3, 1)
        found = poor(ChoiceTable((slot,)), np.array([9.0, *row, 9.0]))
        assert found == (abs(row[dummy]) < POOR * max(map(abs, row)))


@pytest.mark.parametrize("bad", [nan, inf, -inf])
@pytest.mark.parametrize("place", [0, 1])
def test_what_is_no_number_is_not_judged(bad: float, place: int) -> None:
    row = [0.0, 0.0]
    row[place] = bad
    assert not poor(ChoiceTable((ChoiceSlot(((("x",), 0),) * 2, (0,), (0.0, 0.0), 0),)), np.array(row))


def test_two_constraints() -> None:
    slot = ChoiceSlot(((("x",), 0),) * 3, (0, 1), (0.0,) * 3, 0)
    table = ChoiceTable((slot,))
    assert not poor(table, np.array([1.0, 0.0, 0.0, 0.0, 1.0, 1.0]))
    assert poor(table, np.array([1.0, 0.0, 0.0, 0.0, 0.1, 1.0]))


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_against_scipy(rows: int) -> None:
    chance = np.random.default_rng(rows)
    verdicts = []
    for _ in range(200):
        matrix = chance.normal(size=(rows, rows + 2)) * chance.choice([0.0, 0.1, 1.0, 10.0], size=rows + 2)
        best = abs(np.prod(np.diag(qr(matrix, mode="r", pivoting=True)[0])))
        mine = abs(np.linalg.det(matrix[:, :rows]))
        if best == 0.0 or abs(mine / best - POOR) > 1e-9:
            slot = ChoiceSlot(((("x",), 0),) * (rows + 2), tuple(range(rows)), (0.0,) * (rows + 2), 0)
            verdicts.append(poor(ChoiceTable((slot,)), matrix.ravel()))
            assert verdicts[-1] == (mine < POOR * best)
    assert {True, False} == set(verdicts)
