"""Comparison of results: tubes from closed forms, and what makes results different."""

import json
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.results.compare import compare
from acausal.results.formats.columns import Column
from acausal.results.result import Result
from acausal.results.tube import deviation


def result(time: np.ndarray, **curves: np.ndarray) -> Result:
    columns = {name: Column(k, unit="m") for k, name in enumerate(curves)}
    return Result("r", time, np.column_stack(list(curves.values())), columns)


def step(at: float, height: float = 1.0, end: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    return np.array([0.0, at, at, end]), np.array([0.0, 0.0, height, height])


def test_window_of_a_ramp() -> None:
    """Around y = t the window of +-0.1 is [t - 0.1, t + 0.1]: y = t + 0.25 is 0.15 outside everywhere."""
    t = np.linspace(0.0, 1.0, 11)
    assert deviation((t, t), (t, t + 0.25), 0.1).value == pytest.approx(
        0.25, rel=1e-12
    )  # at the end: no value beyond 1
    inner = deviation((t, t), (t[2:8], t[2:8] + 0.25), 0.1)
    assert inner.value == pytest.approx(0.15, rel=1e-12)


def test_window_of_a_sine_is_that_of_all_points() -> None:
    """Against the maximum of 2000 points in each window; the curves have other instants."""
    random = np.random.default_rng(0)
    t = np.sort(np.concatenate([[0.0, 10.0], random.uniform(0.0, 10.0, 400)]))
    y, s = np.sin(t), np.sort(random.uniform(0.0, 10.0, 57))
    v = np.sin(s) + random.uniform(-0.2, 0.2, 57)
    fine = np.linspace(-0.13, 0.13, 2001)
    at = np.concatenate([s, t[(t >= s[0]) & (t <= s[-1])]])
    values = np.interp(at, s, v)
    windows = np.interp(at[:, None] + fine, t, y)
    expected = np.maximum(np.maximum(values - windows.max(1), windows.min(1) - values), 0.0)
    found = deviation((t, y), (s, v), 0.13)
    assert found.value == pytest.approx(expected.max(), rel=1e-4)
    assert found.time == at[np.argmax(expected)]


def test_a_step_may_come_later_but_not_higher() -> None:
    later, higher = step(1.05), step(1.0, 1.1)
    assert deviation(step(1.0), later, 0.06).value == 0.0
    assert deviation(step(1.0), later, 0.04).value == 1.0
    assert deviation(step(1.0), higher, 0.06).value == pytest.approx(0.1)
    assert deviation(step(1.0), step(1.0), 0.0).value == 0.0


def test_a_spike_between_the_instants_of_the_other_is_found() -> None:
    t = np.array([0.0, 0.49, 0.5, 0.51, 1.0])
    spike = np.array([0.0, 0.0, 1.0, 0.0, 0.0])
    flat = (np.array([0.0, 1.0]), np.array([0.0, 0.0]))
    assert deviation((t, spike), flat, 0.001).value == pytest.approx(0.9)
    assert deviation(flat, (t, spike), 0.001).value == 1.0


def test_values_that_are_not_finite() -> None:
    t = np.array([0.0, 1.0])
    none, large = np.array([np.nan, np.nan]), np.array([np.inf, np.inf])
    assert deviation((t, none), (t, none), 0.0).value == 0.0
    assert deviation((t, large), (t, large), 0.0).value == 0.0
    assert deviation((t, t), (t, none), 0.0).value == np.inf
    assert deviation((t, none), (t, t), 0.0).value == np.inf
    assert deviation((t, t), (t, large), 0.0).value == np.inf


def test_comparison() -> None:
    t = np.linspace(0.0, 1.0, 101)
    a = result(t, x=np.sin(t), y=10.0 + 0.0 * t, z=t)
    b = result(t, x=np.sin(t) + 0.02, y=10.0 + 0.005 + 0.0 * t, w=t)
    found = compare(a, b, 1e-3)
    assert not found.equal
    assert (found.missing, found.additional) == (("z",), ("w",))
    assert [v.name for v in found.variables] == ["x", "y"]
    x, y = found.variables
    assert (x.equal, y.equal) == (False, True)
    assert x.deviation == pytest.approx(0.02 - 0.001 * np.cos(0.0), rel=0.1)
    assert y.allowed == pytest.approx(0.01)
    assert compare(a, b, 1e-3, names=["y"]).equal
    assert compare(a, b, 0.0, absolute=0.02 + 1e-12, names=["x", "y"])
    assert "1 of 2 variables differ" in str(found)
    assert a.compare(a, tolerance=0.0).equal


def test_units_and_durations() -> None:
    t = np.array([0.0, 1.0])
    meters = Result("m", t, np.array([[1.0], [2.0]]), {"x": Column(0, unit="m")})
    millimeters = Result("mm", t, np.array([[1000.0], [2000.0]]), {"x": Column(0, unit="mm")})
    seconds = Result("s", t, np.array([[1.0], [2.0]]), {"x": Column(0, unit="s")})
    assert compare(meters, millimeters, 1e-9).equal
    assert compare(meters, seconds, 1.0).mismatched == ("x",)
    assert not compare(meters, seconds, 1.0).equal
    longer = Result("m", np.array([0.0, 1.5]), np.array([[1.0], [2.5]]), {"x": Column(0, unit="m")})
    assert not compare(meters, longer, 1e-3).equal
    assert "0 to 1 s and 0 to 1.5 s" in str(compare(meters, longer, 1e-3))
    with pytest.raises(UsageError, match="0 or greater"):
        compare(meters, meters, -1.0)
    with pytest.raises(UsageError, match="the result has no variable xx"):
        compare(meters, meters, 1.0, names=["xx"])


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit codes 0, 1 and 2; one JSON object with the deviations."""
    monkeypatch.chdir(tmp_path)
    t = np.linspace(0.0, 1.0, 11)
    result(t, x=t, y=t).write("a.csv")
    result(t, x=t + 1e-4, y=t).write("b.npz")
    assert main(["compare", "a.csv", "b.npz"]) == 0
    assert "2 variables agree" in capsys.readouterr().out
    assert main(["compare", "a.csv", "b.npz", "--tolerance", "1e-6"]) == 1
    assert main(["compare", "a.csv", "b.npz", "y", "--tolerance", "0"]) == 0
    capsys.readouterr()
    assert main(["compare", "a.csv", "b.npz", "--tolerance", "1e-6", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["equal"], data["ok"], data["exit_code"]) == (False, False, 1)
    x = data["variables"][0]
    assert (x["name"], x["equal"], x["deviation"]) == ("x", False, pytest.approx(1e-4, rel=0.02))
    for wrong in (["a.csv"], ["a.csv", "c.csv"], ["a.csv", "b.npz", "z"], ["a.csv", "b.npz", "--tolerance", "-1"]):
        assert main(["compare", *wrong]) == 2
