"""Ideal diodes that leak little beside inductors: their voltage when open is a current divided by the leakage.

What was no error of the current hid all voltages: the diode never conducted again (Goff = 1e-12), or switched up to 5e6
times before it did (1e-9).
"""

import numpy as np
import pytest

from acausal.runs import RunError
from acausal.translation import Translation
from tests.branches.test_dead_centers import made

TEXT = """@switches.lib
@electrical.lib

model Rectifier
  parameter Goff=1e-9
  submodel (sinevoltage) U(amplitude=10, f=50)
  submodel (idealdiode) D(Ron=1e-3, Goff=Goff)
  submodel (inductor) L(L=1e-2)
  submodel (resistor) R(R=1)
  submodel (ground) G
  connect G - U - D - L - R - G
  experiment (stop=0.1, interval=1e-4)
end
"""


@pytest.fixture(scope="module")
def rectifier(tmp_path_factory: pytest.TempPathFactory) -> Translation:
    return made(tmp_path_factory.mktemp("leakage"), TEXT)


def current(t: np.ndarray) -> np.ndarray:
    """The diode conducts from each period's begin on until the current is back at zero; both are at rest there."""
    w, resistance, inductance = 100 * np.pi, 1.001, 1e-2
    phase, size = np.arctan2(w * inductance, resistance), 10 / np.hypot(resistance, w * inductance)
    u = np.mod(t + 1e-12, 0.02)
    found = size * (np.sin(w * u - phase) + np.sin(phase) * np.exp(-u * resistance / inductance))
    return np.where((found > 0) & (u < 0.0199), found, 0.0)


@pytest.mark.parametrize("leakage", [1e-5, 1e-7, 1e-9, 1e-10])
def test_a_rectifier_with_an_inductor(leakage: float, rectifier: Translation) -> None:
    for solver, tolerance in (("cvode", 1e-4), ("cvode", 1e-6), ("cvode", 1e-8), ("radau", 1e-6)):
        r = rectifier.simulate(solver=solver, tolerance=tolerance, parameters={"Goff": leakage})
        assert np.abs(r["L.i"] - current(r.time)).max() < 1000 * tolerance + 11 * leakage
        assert 9 <= len(r.events) < 60


@pytest.mark.parametrize("leakage", [1e-12, 1e-15])
def test_a_leakage_whose_time_constant_is_no_time(leakage: float, rectifier: Translation) -> None:
    """L*Goff is 1e-14 s and less: the run is right or ends with a message that says what to change."""
    for tolerance in (1e-4, 1e-6):
        code = ""
        try:
            r = rectifier.simulate(tolerance=tolerance, parameters={"Goff": leakage})
        except RunError as error:
            r, (found, *_) = error.result, error.report.diagnostics
            code = found.code
            if code == "R002":
                assert found.help == "increase D.Goff or L.L, to which the time constant of R.u is proportional"
        assert code in ("", "R002", "E011", "E013")
        assert np.abs(r["L.i"] - current(r.time)).max() < 1000 * tolerance


@pytest.mark.parametrize("jobs", [1, 2])
def test_runs_of_a_sweep_have_tolerances_of_their_own(jobs: int, rectifier: Translation) -> None:
    """In whatever order: they followed from the first run of a thread."""
    values = [1e-9, 1e-5, 1e-7, 1e-4, 1e-8]
    singles = {goff: rectifier.simulate(parameters={"Goff": goff}, stop=0.035) for goff in values}
    for order in (values, values[::-1]):
        found = rectifier.sweep({"Goff": order}, final=["L.i"], maximum=["L.i"], stop=0.035, jobs=jobs)
        assert not found.failures
        for i, goff in enumerate(order):
            assert found["final(L.i)"][i] == singles[goff]["L.i"][-1]
            assert found["max(L.i)"][i] == singles[goff]["L.i"].max()
