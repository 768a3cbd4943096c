"""Loops with parameters regrouped towards the base: masses that are counted elsewhere move nothing else."""

from pathlib import Path

import pytest

from acausal.pipeline import translate
from tests.multibody.test_loops import EXAMPLE, PUBLISHED


@pytest.mark.parametrize("library", ["mbsdir_regrouped", "mbsinv_regrouped"])
def test_spatial_four_bar(tmp_path: Path, library: str) -> None:
    file = tmp_path / "fourbar.mdl"
    file.write_text(EXAMPLE.read_text().replace("@mbsdir.lib", f"@{library}.lib"), encoding="utf-8")
    result = translate(file).simulate(interval=0.1)
    for time, angle in PUBLISHED.items():
        assert result.at(time)["j1.q"] == pytest.approx(angle, abs=1e-4 * PUBLISHED[5.0])
