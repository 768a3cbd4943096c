"""Variables by name, between rows, as tables."""

import sys

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.results.formats.columns import Column
from acausal.results.result import Result
from tests.results.made import made
from tests.simulate.models import Model
from tests.simulate.runs import go


def test_values_by_name() -> None:
    r = made()
    assert np.array_equal(r["x"], np.sin(r.time))
    assert np.array_equal(r["a.y"], -np.sin(r.time))
    assert np.array_equal(r["clock"], r.time)
    assert np.array_equal(r["time"], r.time)
    assert r["g"].tolist() == [9.81] * 11
    assert r["k"].tolist() == [0.1] * 11
    assert r.names == ("x", "der(x)", "a.y", "clock", "g", "T[1,2]")
    assert "x" in r
    assert "k" in r
    assert "z" not in r
    assert r.final["T[1,2]"] == 1.0
    assert r.events == ()
    r["x"][0] = 99.0
    assert r["x"][0] == 0.0


@pytest.mark.parametrize(("name", "hint"), [("X", "x"), ("a.yy", "did you mean a.y?"), ("zzzz", "known: x")])
def test_unknown_names(name: str, hint: str) -> None:
    with pytest.raises(KeyError) as caught:
        made()[name]
    assert isinstance(caught.value, UsageError)
    assert caught.value.report.diagnostics[0].code == "F005"
    assert hint in (caught.value.report.diagnostics[0].help or "")
    assert str(caught.value).startswith("error[F005]: ")


def test_patterns() -> None:
    r = made()
    assert r.match(["*x*", "g"]) == ("x", "der(x)", "g")
    assert r.match(["T[1,*]"]) == ("T[1,2]",)
    for missing in ("b*", "xx", "?"):
        with pytest.raises(UsageError):
            r.match([missing])


def test_between_rows() -> None:
    r = made()
    t = 0.4321
    assert r.at(t)["x"] == pytest.approx(np.sin(t), abs=1e-6)
    assert r.at(t)["a.y"] == pytest.approx(-np.sin(t), abs=1e-6)
    assert r.at(t)["der(x)"] == pytest.approx(0.679 * np.cos(0.4) + 0.321 * np.cos(0.5))
    assert r.at(t)["clock"] == t
    assert r.at(t)["g"] == 9.81
    assert r.at(0.5)["T[1,2]"] == 0.25
    assert (r.at(0)["x"], r.at(1)["x"]) == (0.0, np.sin(1.0))
    for outside in (-0.1, 1.1, np.nan):
        with pytest.raises(UsageError):
            r.at(outside)


def test_error_between_rows_falls_with_the_fourth_power() -> None:
    """Cubic Hermite interpolation: halving the interval divides the error by 16."""

    def error(rows: int) -> float:
        return max(abs(made(rows).at(t)["x"] - np.sin(t)) for t in np.linspace(0, 1, 57))

    assert 12 < error(11) / error(21) < 20


def test_both_sides_of_an_event() -> None:
    time = np.array([0.0, 1.0, 1.0, 2.0])
    r = Result("event", time, np.array([[0.0], [1.0], [5.0], [6.0]]), {"x": Column(0)})
    assert (r.at(0.5)["x"], r.at(1.0)["x"], r.at(1.5)["x"]) == (0.5, 5.0, 5.5)


def test_names_signs_and_parameters_of_a_run() -> None:
    model = Model()
    q = model.pool
    k = model.parameter("k", 2.0)
    x = model.state("r1", "q", start=1.0, unit="rad")
    model.slope(x, q.neg(q.mul(k, x)))
    model.variable("minus", q.neg(x))
    model.variable("double", q.mul(q.const(2), k))
    model.variable("now", q.time)
    r = go(model.executable(), {"k": 3.0})
    assert r.names == ("r1.q", "minus", "double", "now", "der(r1.q)")
    assert np.abs(r["r1.q"] - np.exp(-3 * r.time)).max() < 1e-5
    assert np.array_equal(r["minus"], -r["r1.q"])
    assert r["double"].tolist() == [6.0] * 501
    assert r["k"][0] == 3.0
    assert np.array_equal(r["now"], r.time)
    assert r.column("r1.q").unit == "rad"
    assert abs(r.at(0.1234)["r1.q"] - np.exp(-3 * 0.1234)) < 1e-5


def test_what_people_see() -> None:
    r = made()
    assert r.summary.startswith("made: 0 to 1 s, 11 rows")
    assert "6 variables" in repr(r)
    html = r._repr_html_()
    assert html.count("<tr>") == 7
    assert "T[1,2]" in html
    assert dict(r.stats)["rhs_calls"] == 0


def test_pandas_is_asked_for_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError) as caught:
        made().to_pandas()
    assert caught.value.report.diagnostics[0].help == "pip install 'acausal[notebook]'"


def test_pandas() -> None:
    pytest.importorskip("pandas")
    frame = made().to_pandas()
    assert list(frame.columns) == list(made().names)
    assert frame["x"].iloc[-1] == np.sin(1.0)
