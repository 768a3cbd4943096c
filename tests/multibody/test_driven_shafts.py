"""Sources of speeds and angles that agree are redundant: torques of minimum norm by `numpy.linalg.lstsq`."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from tests.multibody.models import made, removed

SHAFTS = """@rotational.lib
model M
  submodel ({kind}) s1({first}), s2({second})
  submodel (inertia) J(J=1), K(J=3)
  submodel (gear) g(ratio=2)
  submodel (sinetorque) T(amplitude=5, f=0.3)
  connect s1 - J - g - K - s2, T at K:A
end
"""
GIVEN = {
    "speedsource": ("W=4", "W=2", "W=2.5"),
    "sinespeed": ("amplitude=4, f=0.5", "amplitude=2, f=0.5", "amplitude=2, f=0.4"),
    "sineangle": ("amplitude=4, f=0.5", "amplitude=2, f=0.5", "amplitude=2, f=0.4"),
    "rampspeed": ("height=4, t0=0.3, duration=1", "height=2, t0=0.3, duration=1", "height=1, t0=0.3, duration=1"),
}


@pytest.mark.parametrize("kind", GIVEN)
def test_two_sources_joined_by_a_gear_of_their_ratio(tmp_path: Path, kind: str) -> None:
    """Two shafts, three constraints of rank 2: s1 and s2 carry what the gear leaves."""
    first, second, _ = GIVEN[kind]
    model = made(tmp_path, SHAFTS.format(kind=kind, first=first, second=second))
    assert np.linalg.matrix_rank(np.array([[1, 0], [0, 1], [1, -2]])) == 2
    assert removed(model) == 1
    r = model.simulate(stop=2, tolerance=1e-8, interval=0.1)
    turned = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 2, 1]])  # torques on J, on K, and those of the gear
    names = ["s1.tau", "s2.tau", "g.ta", "g.tb"]
    for k, time in enumerate(r.time):
        load = np.array([-r["J.a"][k], 5 * np.sin(0.6 * np.pi * time) - 3 * r["K.a"][k], 0])
        wanted = np.linalg.lstsq(turned, load, rcond=None)[0]
        assert [r[name][k] for name in names] == pytest.approx(list(wanted), abs=1e-9)
    np.testing.assert_allclose(r["J.w"], 2 * r["K.w"], atol=1e-12)


@pytest.mark.parametrize("kind", GIVEN)
def test_sources_that_contradict(tmp_path: Path, kind: str) -> None:
    first, _, second = GIVEN[kind]
    with pytest.raises(ModelError, match="over-determine") as raised:
        made(tmp_path, SHAFTS.format(kind=kind, first=first, second=second))
    assert raised.value.report.diagnostics[0].code == "S001"
