"""Divisors that no state can make zero are not examined in the rows of a run (`simulate/rows/divisor_bounds`)."""

from pathlib import Path

import pytest

from acausal.pipeline import translate
from acausal.simulate.rows.divisor_bounds import vanishing_divisors
from acausal.simulate.rows.divisors import divisors_of
from tests.simulate.test_jacobian import system_of

TEXT = """
model M
  parameter k = 1, z (tunable=true) = 0
  local q (start=0), x (start=0), w (start=0)
  der(q) = 1
  der(x) = 1/({divisor})
  der(w) = x
end
"""


@pytest.mark.parametrize(
    ("divisor", "vanishes"),
    [
        ("2 + k*sin(q)^2", False),
        ("2 + k*sin(q)*cos(w)*sin(q)", False),
        ("2 + sin(q)*(z*cos(q) + k*sin(q))", False),
        ("2 - k*(3 - sin(q)^2)", True),
        ("2 + 3*k*sin(q)", True),
        ("1e-9 + k*sin(q)^2", True),
        ("1 + k*w^2", True),
        ("1 + k*exp(sin(q))", True),
    ],
)
def test_bounds(tmp_path: Path, divisor: str, vanishes: bool) -> None:
    """By factors that occur twice, which are squares, also beside a term 0; others may vanish."""
    system = system_of(translate(tmp_path / "m.mdl", text=TEXT.format(divisor=divisor)).executable)
    assert len(divisors_of(system.executable).all) == 1
    assert bool(vanishing_divisors(system).all) == vanishes


def test_bounds_follow_parameters(tmp_path: Path) -> None:
    text = TEXT.format(divisor="2 + k*sin(q)^2").replace("k = 1", "k = 0.5")
    model = translate(tmp_path / "m.mdl", text=text)
    system = system_of(model.executable)
    for k, vanishes in ((0.5, False), (-2.5, True), (0.7, False)):
        system.arrays[1][:] = model.suited({"k": k})[1]
        assert bool(vanishing_divisors(system).all) == vanishes
