"""Blocks of constant coefficients of which tearing leaves many unknowns: eliminated, to the last digits."""

from fractions import Fraction

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.translation import Translation

LINES, LOADS = 24, 3
GRID = f"""@electrical.lib
model Grid
  constant N={LINES}, M={LOADS}
  parameter r=0.001, s=0.01, Rl=100
  submodel (source) U(V=600)
  submodel (ground) G
  submodel (resistor) primary[N](R=r), secondary[N*M](R=s), load[N*M](R=Rl)
  connect G - U - primary[1]
  for i = 1 to N-1
    connect primary[i] - primary[i+1]
  endfor
  for i = 1 to N
    connect primary[i] - secondary[(i-1)*M+1]
    for j = 1 to M-1
      connect secondary[(i-1)*M+j] - secondary[(i-1)*M+j+1]
    endfor
    for j = 1 to M
      connect secondary[(i-1)*M+j] - load[(i-1)*M+j] - G
    endfor
  endfor
end
"""


@pytest.fixture(scope="module")
def grid() -> Translation:
    """Lines of loads behind a line, all equations in one block."""
    return translate("grid.mdl", text=GRID)


def test_no_unknown_is_left(grid: Translation) -> None:
    """The network is a tree: the block needs no system of equations at run time."""
    assert [left for _, left in grid.statistics["linear_blocks"]] == [1]


@pytest.mark.parametrize("given", [{}, {"Rl": 1.0, "s": 1.0, "r": 1.0}, {"Rl": 1e-3, "s": 10.0}])
def test_voltages(grid: Translation, given: dict[str, float]) -> None:
    """Every load's voltage by series and parallel connection, in fractions, also far from the translated values.

    Where next to nothing arrives, to 1e-14 of the source's voltage.
    """
    r, s, load = (Fraction(given.get(name, value)) for name, value in (("r", 0.001), ("s", 0.01), ("Rl", 100.0)))
    line = _conductances(s, [1 / load] * LOADS)
    main = _conductances(r, [1 / (s + 1 / line[0])] * LINES)
    result = grid.simulate(stop=1, interval=1, parameters=given)
    voltage = Fraction(600)
    for i in range(LINES):
        voltage /= 1 + r * main[i]
        inner = voltage
        for j in range(LOADS):
            inner /= 1 + s * line[j]
            found = result[f"load[{i * LOADS + j + 1}].u"][-1]
            np.testing.assert_allclose(found, float(inner), rtol=1e-13, atol=6e-12)


def _conductances(resistance: Fraction, loads: list[Fraction]) -> list[Fraction]:
    """Of a line from each of its nodes on, the loads at the nodes included."""
    found = [loads[-1]]
    for load in reversed(loads[:-1]):
        found.insert(0, load + 1 / (resistance + 1 / found[0]))
    return found
