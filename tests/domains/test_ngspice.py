"""Semiconductor circuits beside ngspice: operating points and transient signals.

The netlists stand in circuits.py, the numbers of ngspice and its version in ngspice.json (run_ngspice.py).
"""

import json
from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.translation import Translation
from tests.domains.circuits import CIRCUITS, RING, TUNNEL, Circuit

NUMBERS = json.loads(Path(__file__).with_name("ngspice.json").read_text(encoding="utf-8"))["circuits"]


MADE: dict[str, Translation] = {}


def made(circuit: Circuit, folder: Path) -> Translation:
    """The translated circuit, once for all tests; its units must hold."""
    if circuit.name not in MADE:
        file = folder / "m.mdl"
        file.write_text(circuit.text, encoding="utf-8")
        translation = MADE[circuit.name] = translate(file)
        assert [d.message for d in translation.report.diagnostics if d.code.startswith("U")] == []
    return MADE[circuit.name]


@pytest.mark.parametrize("circuit", CIRCUITS, ids=lambda c: c.name)
def test_circuit(circuit: Circuit, tmp_path: Path) -> None:
    """Operating point, in which the run begins, within 1e-6; transient signals within 1e-3 of their range."""
    translation = made(circuit, tmp_path)
    steady = circuit.at_rest and translation.statistics["states"] != 0
    interval = circuit.stop / 40 or None
    result = translation.simulate(stop=circuit.stop, interval=interval, tolerance=1e-6, steady=steady)
    numbers = NUMBERS[circuit.name]
    for name, value in numbers.get("point", {}).items():
        assert result[name][0] == pytest.approx(value, rel=1e-6, abs=1e-12), name
    for name, values in numbers.get("signals", {}).items():
        ours = np.interp(numbers["time"], np.asarray(result.time), result[name])
        assert np.abs(ours - values).max() < 1e-3 * np.ptp(values), name


def test_reference_can_fail(tmp_path: Path) -> None:
    """Another saturation current is another curve."""
    result = made(RING, tmp_path).simulate(stop=RING.stop, interval=RING.stop / 40, parameters={"MN1.KP": 100e-6})
    numbers = NUMBERS[RING.name]
    values = numbers["signals"]["C1.u"]
    assert np.abs(np.interp(numbers["time"], result.time, result["C1.u"]) - values).max() > 0.1 * np.ptp(values)


def test_oscillators_swing() -> None:
    """The two oscillators' references hold several periods."""
    for circuit, name in ((RING, "C1.u"), (TUNNEL, "D1.v")):
        values = np.array(NUMBERS[circuit.name]["signals"][name])
        assert (np.diff(np.sign(values - values.mean())) != 0).sum() >= 6


@pytest.mark.parametrize(
    ("circuit", "name", "level", "period"),
    [(RING, "C1.u", 2.5, (19.69132e-9 - 1.953924e-9) / 14), (TUNNEL, "D1.v", 0.25, (523.7585e-9 - 115.2173e-9) / 5)],
    ids=["ring", "tunnel diode"],
)
def test_frequency(circuit: Circuit, name: str, level: float, period: float, tmp_path: Path) -> None:
    """From the second crossing of the level upwards to the last; ngspice 39 by `meas`, reltol 1e-6, half the steps."""
    result = made(circuit, tmp_path).simulate(stop=circuit.stop, interval=circuit.stop / 2000, tolerance=1e-7)
    time, u = result.time, result[name] - level
    below = np.flatnonzero((u[:-1] < 0) & (u[1:] >= 0))
    at = time[below] - u[below] * (time[below + 1] - time[below]) / (u[below + 1] - u[below])
    assert (at[-1] - at[1]) / (len(at) - 2) == pytest.approx(period, rel=5e-5)
