"""A sweep on a Dask cluster; skipped where distributed is not installed (pip install 'acausal[sweep]')."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.pipeline import translate

MAIN = "@shared/parts.lib\nmodel M\n  parameter a=1\n  submodel (Part) p(k=2)\n  initial p.x = a\nend\n"
PARTS = 'model class Part\n  parameter k\n  terminal x\n  der(x) = -k*x*table("gain.csv", time)\nend\n'
GAIN = "0,1\n100,1\n"


def files(folder: Path) -> Path:
    """A model with an included file in a folder and a table beside that."""
    (folder / "shared").mkdir()
    (folder / "m.mdl").write_text(MAIN)
    (folder / "shared" / "parts.lib").write_text(PARTS)
    (folder / "shared" / "gain.csv").write_text(GAIN)
    return folder / "m.mdl"


def test_without_distributed_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    t = translate(files(tmp_path))
    with pytest.raises(UsageError, match="F007") as caught:
        t.sweep({"p.k": "1,2"}, cluster="tcp://nowhere:8786")
    assert caught.value.report.diagnostics[0].help == "pip install 'acausal[sweep]'"
    with pytest.raises(UsageError, match="F006"):
        t.sweep({"p.k": "1,2"}, cluster="local", keep=True)
    data: dict[str, object] = {"time": [0.0, 1.0], "p.x": [1.0, 0.4]}
    with pytest.raises(UsageError, match="F007"):
        t.fit(data, {"p.k": (0.1, 5)}, starts=3, cluster="tcp://nowhere:8786")
    with pytest.raises(UsageError, match="several starts"):
        t.fit(data, {"p.k": (0.1, 5)}, cluster="tcp://nowhere:8786")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


@pytest.mark.filterwarnings("ignore")
def test_the_same_as_in_threads(cluster: Any, tmp_path: Path) -> None:
    """With files that the workers do not have, runs that fail, and values that need another translation."""
    t = translate(files(tmp_path))
    values = {"p.k": "0.5:3:4", "a": "0,1,2"}
    here = t.sweep(values, final=["p.x"], maximum=["p.x"])
    there = t.sweep(values, final=["p.x"], maximum=["p.x"], cluster=cluster.scheduler_address)
    for column in here.table:
        assert np.array_equal(here[column], there[column])
    assert here["final(p.x)"] == pytest.approx(here["a"] * np.exp(-here["p.k"]), rel=1e-5)
    (tmp_path / "blow.mdl").write_text("model M\n  parameter a=2\n  local x\n  initial x = a\n  der(x) = x^2\nend\n")
    blow = translate(tmp_path / "blow.mdl").sweep({"a": "0.5,2"}, final=["x"], cluster=cluster.scheduler_address)
    assert sorted(blow.failures) == [1]
    assert blow.failures[1].code in ("R002", "R004")


@pytest.mark.filterwarnings("ignore")
def test_starts_of_a_fit(cluster: Any, tmp_path: Path) -> None:
    """Two minima: the costs of all starts as in threads, with files that the workers do not have."""
    (tmp_path / "wave.mdl").write_text(
        "model M\n  parameter w=2\n  input u\n  local x (start=0)\n  der(x) = u*cos(w*time)\nend\n"
    )
    (tmp_path / "u.csv").write_text("time,u\n0,1\n10,1\n")
    t = translate(tmp_path / "wave.mdl")
    time = np.linspace(0.0, 4.0, 30)
    data: dict[str, object] = {"time": time, "x": np.sin(5 * time) / 5}
    common: dict[str, Any] = {"starts": 5, "inputs": {"u": tmp_path / "u.csv"}}
    here = t.fit(data, {"w": (1, 9)}, **common)
    there = t.fit(data, {"w": (1, 9)}, **common, cluster=cluster.scheduler_address)
    assert there.costs == here.costs
    assert there["w"] == here["w"] == pytest.approx(5, rel=1e-4)
    assert here.costs[-1] > 1e-2 > here.costs[0]
    with pytest.raises(UsageError, match="F006"):
        t.fit(data, {"w": (1, 9)}, starts=5, inputs={"u": lambda _: 1.0}, cluster=cluster.scheduler_address)


@pytest.mark.filterwarnings("ignore")
def test_uncertain_parameters(cluster: Any, tmp_path: Path) -> None:
    t = translate(files(tmp_path))
    common: dict[str, Any] = {"outputs": {"end": "final(p.x)"}, "n": 32, "indices": True}
    here = t.uncertainty({"p.k": "uniform(1, 3)", "a": "uniform(0.5, 1)"}, **common)
    there = t.uncertainty({"p.k": "uniform(1, 3)", "a": "uniform(0.5, 1)"}, **common, cluster=cluster.scheduler_address)
    assert np.array_equal(here.outputs["end"], there.outputs["end"])
    assert here.indices["end"].total == there.indices["end"].total


@pytest.mark.filterwarnings("ignore")
def test_a_lost_worker_loses_no_finished_run(cluster: Any, tmp_path: Path) -> None:
    from distributed import Client

    with Client(cluster) as client:
        pids = sorted(client.run(os.getpid).values())
    killed: list[int] = []
    counts: list[int] = []

    def kill(done: int, count: int) -> None:
        counts.append(done)
        if not killed and done < count:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    t = translate(files(tmp_path))
    address, out = cluster.scheduler_address, tmp_path / "out"
    s = t.sweep({"p.k": "0.5:3:300"}, final=["p.x"], cluster=address, folder=out, progress=kill)
    assert killed
    assert counts == sorted(counts)
    assert counts[-1] == 300
    assert not s.failures
    assert s["final(p.x)"] == pytest.approx(np.exp(-s["p.k"]), rel=1e-5)
    assert (out / "runs.csv").read_text().count("\n") == 301
    again = t.sweep({"p.k": "0.5:3:300"}, final=["p.x"], cluster=address, folder=out)
    assert (again.stats.found, again.stats.done) == (300, 0)
