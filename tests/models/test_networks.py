"""Random series/parallel networks, written with `-` and `//`, against nodal analysis in NumPy."""

from pathlib import Path

import pytest

from acausal.pipeline import translate
from tests.models.network import Network


@pytest.mark.parametrize("seed", range(300))
def test_random_network(seed: int, tmp_path: Path) -> None:
    network = Network(seed)
    path = tmp_path / "network.mdl"
    path.write_text(network.text(12))
    result = translate(path).simulate(stop=1, interval=1)
    expected = network.currents(12)
    scale = max(map(abs, expected.values()))
    for name, current in expected.items():
        assert result[f"{name}.i"][-1] == pytest.approx(current, abs=1e-9 * scale), name
