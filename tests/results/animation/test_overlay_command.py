"""`acausal animate`: several result files in one picture, and what files must have for it."""

from pathlib import Path

import numpy as np
import pytest

from acausal.cli import main
from acausal.pipeline import translate
from tests.results.animation.scenes import EVEN, data, poses


def test_two_runs_in_one_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tip of an arm of length l that turns with 1 rad/s is at (l cos t, l sin t) in each run."""
    monkeypatch.chdir(tmp_path)
    Path("arm.mdl").write_text(EVEN, encoding="utf-8")
    model = translate(Path("arm.mdl"))
    for name, length in (("short", 2.0), ("long", 3.0)):
        model.simulate(parameters={"l": length}, stop=1).write(f"{name}.npz", ["*"])
    assert main(["animate", "short.npz", "long.npz", "--curves", "arm.q", "-o", "both.html"]) == 0
    runs = data(Path("both.html").read_text(encoding="utf-8"))["runs"]
    assert [run["name"] for run in runs] == ["short", "long"]
    assert [curve["name"] for run in runs for curve in run["curves"]] == ["arm.q", "arm.q"]
    for run, length in zip(runs, (2.0, 3.0), strict=True):
        t = np.array(run["time"])
        places, _ = poses(run, "rod", "shape")
        expected = 0.5 * length * np.array([np.cos(t), np.sin(t), 0 * t]).T
        assert np.abs(places - expected).max() < 1e-6

    model.simulate(stop=0.1).write("few.npz")
    for wrong, code in (
        (["few.npz", "-o", "few.html"], "F015"),
        (["short.npz", "few.npz", "-o", "few.html"], "F015"),
        (["arm.mdl", "-o", "few.html"], "F001"),
        (["none.npz", "-o", "few.html"], "F001"),
        (["short.npz", "-o", "few.txt"], "F008"),
        (["short.npz", "-o", "no/few.html"], "F008"),
        (["short.npz", "--curves", "arm.p", "-o", "few.html"], "F005"),
    ):
        capsys.readouterr()
        assert main(["animate", *wrong]) == 2
        told = capsys.readouterr().err
        assert f"error[{code}]" in told
        assert code != "F015" or "simulate FILE --all -o RESULT.npz" in told
    assert not Path("few.html").exists()
