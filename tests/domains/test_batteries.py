"""Classes of batteries.lib against integrals of the current, exponentials of the branches and the balance of energy."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from acausal.runs import RunError
from tests.domains.examples import GROUND, run

SOCS, VOLTS = [0, 0.3, 1], [3.0, 3.6, 4.1]
TABLE = f"points=3, socs={SOCS}, volts={VOLTS}"


def test_discharge_and_branches(tmp_path: Path) -> None:
    """Constant 3 A from two rows of four cells of 1.5 A.h, for 20 minutes; two branches lag behind."""
    body = f"""
{GROUND}
submodel (rcbattery) B({TABLE}, Q=1.5, series=4, parallel=2, R0=0.03, n=2, R=[0.01, 0.02], C=[1000, 20000]) (ic soc=0.9)
submodel (battery) D({TABLE}, Q=1.5, R0=0.03, Tref=300, dUdT=2e-4, alpha=1e-3) (ic soc=0.9)
submodel (currentsource) I(I=3), J(I=1.5)
connect G - B - I - G, G - D - J - G
"""
    result = run("batteries", body, tmp_path, 1200.0)
    time = np.asarray(result.time)
    soc = 0.9 - 1.5 * time / (3600 * 1.5)
    branches = 1.5 * (-0.01 * np.expm1(-time / 10) - 0.02 * np.expm1(-time / 400))
    table = np.interp(soc, SOCS, VOLTS)
    assert np.abs(result["B.soc"] - soc).max() < 1e-9
    assert np.abs(result["B.Vb"] - 4 * (table - 0.03 * 1.5 - branches)).max() < 1e-6
    assert np.abs(result["D.Vb"] - (table - 0.03 * 1.5)).max() < 1e-6
    assert np.abs(result["D.P"] - (0.03 * 1.5**2 - 1.5 * 300 * 2e-4)).max() < 1e-9


def test_energy(tmp_path: Path) -> None:
    """The energy of the open-circuit voltage is in the load, in the branches' capacitors and as heat in a body."""
    given = f"{TABLE}, R0=0.1, alpha=-2e-3, Tref=300"
    body = f"""
{GROUND}
submodel (heatingrcbattery) A({given}, n=2, R=[0.05, 0.1], C=[100, 3000]) (ic soc=0.9)
submodel (heatingbattery) B({given}, series=3, parallel=2) (ic soc=0.9)
submodel (resistor) R(R=1), S(R=2)
submodel (heatcapacitor) C(C=50) (ic T=300), D(C=50) (ic T=300)
connect G - A - R - G, G - B - S - G, A:heat at C, B:heat at D
local EA (unit="J", start=0, fixed=true), EB (unit="J", start=0, fixed=true)
der(EA) = (A.ocv - A.Vb)*A.j
der(EB) = 6*(B.ocv - B.Vb/3)*B.j
"""
    result = run("batteries thermal", body, tmp_path, 600.0)
    stored = 100 / 2 * result["A.v[1]"] ** 2 + 3000 / 2 * result["A.v[2]"] ** 2
    for energy, left in (
        (result["EA"], stored + 50 * (result["C.T"] - 300)),
        (result["EB"], 50 * (result["D.T"] - 300)),
    ):
        assert energy[-1] > 100
        assert np.abs(energy - left).max() < 1e-6 * energy[-1]


def test_cells_in_rows_are_a_larger_battery(tmp_path: Path) -> None:
    """Six cells in two rows of three on 3 Ohm, and one cell on 2 Ohm, discharge alike."""
    body = f"""
{GROUND}
submodel (battery) A({TABLE}, series=3, parallel=2) (ic soc=0.9), B({TABLE}) (ic soc=0.9)
submodel (resistor) R(R=3), S(R=2)
connect G - A - R - G, G - B - S - G
"""
    result = run("batteries", body, tmp_path, 3000.0)
    assert result["A.soc"][-1] < 0.5
    np.testing.assert_allclose(result["A.soc"], result["B.soc"], atol=1e-9)
    np.testing.assert_allclose(result["A.Vb"], 3 * result["B.Vb"], rtol=1e-8)


def test_empty_and_full(tmp_path: Path) -> None:
    """A battery may rest at 1; it stops the run where it is empty or overcharged."""
    text = f"{GROUND}\nsubmodel (battery) B(Q=0.1) (ic soc={{}})\nsubmodel (currentsource) I(I={{}})\n"
    text += "connect G - B - I - G"
    assert run("batteries", text.format(1, 0), tmp_path, 10.0)["B.soc"][-1] == 1
    with pytest.raises(RunError, match=r"at t = 180.*is empty"):
        run("batteries", text.format(0.5, 1), tmp_path, 1000.0)
    with pytest.raises(RunError, match=r"at t = 180.*is overcharged"):
        run("batteries", text.format(0.5, -1), tmp_path, 1000.0)


@pytest.mark.parametrize(
    ("given", "start", "text"),
    [
        ("Q=0", 0.5, "Q must be positive"),
        ("R0=-0.1", 0.5, "below its minimum"),
        ("series=0", 0.5, "below its minimum"),
        ("Q=1", 1.2, "overcharged"),
    ],
)
def test_parameters_out_of_range(given: str, start: float, text: str, tmp_path: Path) -> None:
    body = f"{GROUND}\nsubmodel (battery) B({given}) (ic soc={start})\nsubmodel (resistor) R(R=1)\n"
    body += "connect G - B - R - G"
    with pytest.raises((ModelError, RunError), match=text):
        run("batteries", body, tmp_path, 1.0)
