"""What a folder keeps of a sweep: an interrupted one goes on, another one is refused."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.pipeline import translate
from acausal.results.read import read
from acausal.sweep.result import SweepInterrupted
from acausal.translation import Translation

DECAY = "model M\n  parameter k=2, a=1\n  local x, y\n  initial x = a\n  der(x) = -k*x\n  y = 2*x\nend\n"
BLOWS_UP = "model M\n  parameter a=2\n  local x\n  initial x = a\n  der(x) = x^2\n  experiment (stop=1)\nend\n"


def model(folder: Path, text: str = DECAY) -> Translation:
    (folder / "m.mdl").write_text(text, encoding="utf-8")
    return translate(folder / "m.mdl")


def stop(done: int, count: int) -> None:
    if done < count:
        raise KeyboardInterrupt


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_sweep_goes_on(tmp_path: Path, jobs: int) -> None:
    t, values = model(tmp_path), {"k": "1:3:3000"}
    whole = t.sweep(values, folder=tmp_path / "whole", jobs=3)
    with pytest.raises(SweepInterrupted) as caught:
        t.sweep(values, folder=tmp_path / "parts", jobs=jobs, progress=stop)
    first = caught.value.result.stats.done
    assert 0 < first < 3000
    (part,) = (tmp_path / "parts" / "parts").iterdir()
    assert part.read_text().count("\n") == 1 + first
    rest = t.sweep(values, folder=tmp_path / "parts", jobs=jobs)
    assert (rest.stats.found, rest.stats.done) == (first, 3000 - first)
    assert np.array_equal(rest["final(x)"], whole["final(x)"])
    assert (tmp_path / "parts" / "runs.csv").read_bytes() == (tmp_path / "whole" / "runs.csv").read_bytes()
    again = t.sweep(values, folder=tmp_path / "whole")
    assert (again.stats.found, again.stats.done) == (3000, 0)
    assert np.array_equal(again["final(x)"], whole["final(x)"])


def test_a_row_cut_off_by_a_crash_is_made_again(tmp_path: Path) -> None:
    t = model(tmp_path)
    whole = t.sweep({"k": "1:3:5"}, folder=tmp_path / "out")
    table = tmp_path / "out" / "runs.csv"
    complete = table.read_bytes()
    for cut in (complete[:-7], complete[: complete.rfind(b"3,") + 4], complete[:9], b""):
        table.write_bytes(cut)
        s = t.sweep({"k": "1:3:5"}, folder=tmp_path / "out")
        assert s.stats.done > 0
        assert np.array_equal(s["final(x)"], whole["final(x)"])
        assert table.read_bytes() == complete


def test_failures_are_kept_too(tmp_path: Path) -> None:
    t = model(tmp_path, BLOWS_UP)
    first, second = (t.sweep({"a": "0.5,2"}, final=["x"], folder=tmp_path / "out") for _ in range(2))
    assert second.stats.done == 0
    assert second.failures[1].code == first.failures[1].code
    assert second.status(1) == first.status(1)
    assert np.isnan(second["final(x)"][1])


def test_whole_results_in_the_folder(tmp_path: Path) -> None:
    t = model(tmp_path)
    s = t.sweep({"k": "1,2"}, folder=tmp_path / "out", trajectories="csv", stop=2.0)
    files = sorted(path.name for path in (tmp_path / "out" / "runs").iterdir())
    assert files == ["run000000.csv", "run000001.csv"]
    r = read(tmp_path / "out" / "runs" / "run000001.csv")
    assert r["y"] == pytest.approx(2 * np.exp(-2 * r.time), abs=1e-5)
    assert np.array_equal(s.runs[1]["y"], r["y"])


def test_another_sweep_is_refused(tmp_path: Path) -> None:
    t, out = model(tmp_path), tmp_path / "out"
    t.sweep({"k": "1:3:5"}, folder=out)
    kept = (out / "runs.csv").read_bytes()
    other = model(tmp_path, DECAY.replace("2*x", "3*x"))
    for translation, values, options, differing in (
        (other, {"k": "1:3:5"}, {}, "model"),
        (t, {"k": "1:3:6"}, {}, "runs"),
        (t, {"a": "1:3:5"}, {}, "runs"),
        (t, {"k": "1:3:5"}, {"stop": 3.0}, "settings"),
        (t, {"k": "1:3:5"}, {"final": ["y"], "stop": 3.0}, "settings and columns"),
        (t, {"k": "1:3:5"}, {"trajectories": "csv"}, "results"),
    ):
        with pytest.raises(UsageError, match=rf"W004.*the {differing} differ") as caught:
            translation.sweep(values, folder=out, **options)  # type: ignore[arg-type]  # names as in sweep
        assert caught.value.report.diagnostics[0].help
    assert (out / "runs.csv").read_bytes() == kept


def test_folders_that_cannot_serve(tmp_path: Path) -> None:
    t = model(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="F008"):
        t.sweep({"k": "1,2"}, folder=tmp_path / "file")
    with pytest.raises(UsageError, match="W004"):
        t.sweep({"k": "1,2"}, folder=tmp_path)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "sweep.json").write_text("{")
    with pytest.raises(UsageError, match="W004"):
        t.sweep({"k": "1,2"}, folder=tmp_path / "broken")
    driven = model(tmp_path, "model M\n  parameter k=2\n  input u\n  local x\n  der(x) = u - k*x\nend\n")
    with pytest.raises(UsageError, match="F006"):
        driven.sweep({"k": "1,2"}, inputs={"u": lambda t: t}, folder=tmp_path / "new")
    assert not (tmp_path / "new").exists()
