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
AT_REST = [c for c in CIRCUITS if c.at_rest]
MOVING = [c for c in CIRCUITS if c.stop]


def made(circuit: Circuit, folder: Path) -> Translation:
    """The translated circuit; its units must hold."""
    file = folder / "m.mdl"
    file.write_text(circuit.text, encoding="utf-8")
    translation = translate(file)
    assert [d.message for d in translation.report.diagnostics if d.code.startswith("U")] == []
    return translation


@pytest.mark.parametrize("circuit", AT_REST, ids=lambda c: c.name)
def test_operating_point(circuit: Circuit, tmp_path: Path) -> None:
    """1e-6 relative."""
    translation = made(circuit, tmp_path)
    result = translation.simulate(stop=0.0, steady=translation.statistics["states"] != 0)
    for name, value in NUMBERS[circuit.name]["point"].items():
        assert result[name][0] == pytest.approx(value, rel=1e-6, abs=1e-12), name


@pytest.mark.parametrize("circuit", MOVING, ids=lambda c: c.name)
def test_transient(circuit: Circuit, tmp_path: Path) -> None:
    """1e-3 of each signal's range."""
    result = made(circuit, tmp_path).simulate(
        stop=circuit.stop, interval=circuit.stop / 40, tolerance=1e-6, steady=circuit.at_rest
    )
    numbers = NUMBERS[circuit.name]
    for name, values in numbers["signals"].items():
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
