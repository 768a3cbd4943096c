"""Frequency responses of five netlists beside `.ac` of ngspice 39 (`run_ngspice_ac`).

The worst differ by 4e-7: its constants of nature are those of 2014.
"""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import acausal
from tests.analyses.run_ngspice_ac import FOLDER, OUTPUT

NUMBERS = json.loads(Path(__file__).with_name("ngspice_ac.json").read_text(encoding="utf-8"))["circuits"]


@pytest.mark.parametrize("name", sorted(NUMBERS))
def test_response(name: str) -> None:
    node = OUTPUT.get(name, "out")
    text = (FOLDER / f"{name}.cir").read_text(encoding="utf-8").replace(".end\n", f".print tran v({node})\n.end\n")
    imported = acausal.import_model(f"{name}.cir", text=text)
    plotted = re.search(r"plot=\[(.*?)\]", imported.text)
    assert plotted is not None
    linear = acausal.translate(imported.text).linearize(["Vin.V"], [plotted[1]], at="steady")
    numbers = {key: np.array(values) for key, values in NUMBERS[name].items()}
    expected = numbers["real"] + 1j * numbers["imaginary"]
    found = linear.frequency_response(2 * np.pi * numbers["frequency"])[:, 0, 0]
    assert np.abs(found / expected - 1).max() < 1e-6
