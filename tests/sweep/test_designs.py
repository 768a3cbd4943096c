"""Designs of experiments, and sweeps over initial values and inputs."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.pipeline import translate
from acausal.sweep.points.designs import Design, design_of, latin_hypercube, sobol_points
from acausal.sweep.points.points import make_points
from acausal.translation import Translation

LAG = "model M\n  parameter k=2\n  input u\n  local x (start=1)\n  der(x) = -k*x + u\n  experiment (stop=1)\nend\n"


def lag(folder: Path) -> Translation:
    (folder / "m.mdl").write_text(LAG)
    return translate(folder / "m.mdl")


def test_each_interval_of_a_latin_hypercube_has_one_point() -> None:
    """The definition: McKay, Beckman, Conover 1979, section 2."""
    found = latin_hypercube(50, 3, seed=4)
    for column in (found * 50).astype(int).T:
        assert sorted(column.tolist()) == list(range(50))
    assert not np.array_equal(found, latin_hypercube(50, 3, seed=5))


def test_sobol_points_are_equidistributed() -> None:
    """256 points of the first two coordinates, a (0, 8, 2)-net: a shift moves each box of 16 x 16 as a whole."""
    shift = np.random.default_rng(3).random(2)
    unshifted = (sobol_points(256, 2, seed=3) - shift) % 1.0
    boxes, counts = np.unique(np.floor(unshifted * 16 + 1e-9).astype(int) % 16, axis=0, return_counts=True)
    assert (len(boxes), set(counts.tolist())) == (256, {1})


def test_ranges_and_distributions_of_a_design() -> None:
    spans = {"a": "2:4", "b": "1:100:log", "c": "normal(5, 0.1)"}
    points = make_points(spans, None, design=Design("lhs", 1000, 7))
    a, b, c = np.array(points.rows).T
    assert (points.names, len(points)) == (("a", "b", "c"), 1000)
    assert 2.0 < a.min() < 2.002 < 3.998 < a.max() < 4.0
    assert np.median(b) == pytest.approx(10.0, rel=0.01)
    assert (c.mean(), c.std()) == (pytest.approx(5.0, abs=1e-3), pytest.approx(0.1, rel=0.02))


def test_points_of_a_design_with_a_table_and_a_limit() -> None:
    points = make_points({"a": "0:1"}, {"b": [1.0, 2.0]}, design=Design("sobol", 3, 1))
    assert [row[0] for row in points.rows] == [1.0] * 3 + [2.0] * 3
    assert points.rows[0][1] == points.rows[3][1]
    with pytest.raises(Exception, match="W003"):
        make_points({"a": "0:1"}, {"b": [1.0, 2.0]}, most=5, design=Design("sobol", 3, 1))


@pytest.mark.parametrize("span", ["0:1:5", "1,2", "1", "1:2:lin", [1.0, 2.0]])
def test_values_that_are_no_range(span: object) -> None:
    with pytest.raises(UsageError, match="W001") as caught:
        make_points({"a": span}, None, design=Design("lhs", 3, 1))  # type: ignore[dict-item]  # as users may
    assert caught.value.report.diagnostics[0].help


@pytest.mark.parametrize("span", ["2:1", "0:1:log", "normal(1)", "x:1"])
def test_ranges_that_are_no_distribution(span: str) -> None:
    with pytest.raises(UsageError, match=r"W005|T014"):
        make_points({"a": span}, None, design=Design("lhs", 3, 1))


def test_unknown_designs() -> None:
    for asked in (("monte carlo", 5, 1), ("grid", 5, 1), ("lhs", 0, 1)):
        with pytest.raises(UsageError, match="F006"):
            design_of(*asked)


def test_initial_values_and_inputs(tmp_path: Path) -> None:
    """Closed form: x = u/k + (x0 - u/k) exp(-k t)."""
    s = lag(tmp_path).sweep({"k": [1.0, 3.0]}, initial={"x": "0:2:3"}, inputs={"u": [0.0, 6.0, 3.0]})
    assert list(s.table) == ["k", "initial(x)", "u", "final(x)"]
    assert len(s) == 18
    k, first, u = s["k"], s["initial(x)"], s["u"]
    assert s["final(x)"] == pytest.approx(u / k + (first - u / k) * np.exp(-k), rel=1e-5, abs=1e-5)
    assert s.given(16) == {"k": 3.0, "initial(x)": 2.0, "u": 6.0}
    assert s.runs[16]["x"][0] == 2.0


def test_inputs_that_are_expressions_and_files(tmp_path: Path) -> None:
    t = lag(tmp_path)
    (tmp_path / "u.csv").write_text("0,2\n1,2\n")
    inputs = {"u": ["time", str(tmp_path / "u.csv")]}
    s = t.sweep(inputs=inputs, folder=tmp_path / "out")
    ramp = 0.5 - 0.25 + 1.25 * np.exp(-2.0)
    assert s["u"].tolist() == [1.0, 2.0]
    assert s["final(x)"] == pytest.approx([ramp, 1.0], rel=1e-5)
    (tmp_path / "u.csv").write_text("0,3\n1,3\n")
    with pytest.raises(UsageError, match=r"W004.*the inputs differ"):
        t.sweep(inputs=inputs, folder=tmp_path / "out")
    assert t.sweep(inputs={"u": "0:4:3"})["u"].tolist() == [0.0, 2.0, 4.0]
    with pytest.raises(UsageError, match="F001"):
        t.sweep(inputs={"u": ["0", str(tmp_path / "none.csv")]})
