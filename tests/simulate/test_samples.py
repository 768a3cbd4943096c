"""Inputs as arrays, series and data frames: as the same values in a CSV file, and as the closed form says."""

from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import UsageError

MODEL = "model M\n  input u, v\n  local x (start=0, fixed=true), w\n  der(x) = u\n  w = v\n  experiment (stop=2)\nend\n"
TIMES = [0.0, 1.0, 1.0, 2.0]
RAMP = [0.0, 1.0, 3.0, 3.0]


class Series:
    """What pandas' has of it that matters."""

    def __init__(self, index: list[float], values: list[float]) -> None:
        self.index, self.values = index, values

    def to_numpy(self) -> np.ndarray:
        return np.array(self.values)

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype)


class Frame:
    """A data frame, with an index or without."""

    def __init__(self, index: list[float] | None, columns: dict[str, list[float]]) -> None:
        self._columns = columns
        if index is not None:
            self.index = index

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    def __getitem__(self, name: str) -> Series:
        return Series([], self._columns[name])


@pytest.fixture
def model(tmp_path: Path) -> acausal.Translation:
    path = tmp_path / "m.mdl"
    path.write_text(MODEL)
    return acausal.translate(path)


@pytest.mark.parametrize(
    "inputs",
    [
        {"u": (TIMES, RAMP), "v": "time"},
        {"u": (np.array(TIMES), np.array(RAMP, dtype=np.float32)), "v": "time"},
        {"u": [TIMES, RAMP], "v": (np.arange(3), np.arange(3))},
        {"u": np.column_stack([TIMES, RAMP]), "v": "time"},
        {"u": Series(TIMES, RAMP), "v": "time"},
        Frame(TIMES, {"u": RAMP, "v": TIMES}),
        Frame(None, {"time": TIMES, "u": RAMP, "v": TIMES}),
        {"time": TIMES, "u": RAMP, "v": np.array(TIMES)},
    ],
)
def test_values_at_times(model: acausal.Translation, inputs: object) -> None:
    """x is t^2/2 up to 1, then 1/2 + 3*(t - 1)."""
    r = model.simulate(inputs=inputs)  # type: ignore[arg-type]  # frames and lists of many libraries
    exact = np.where(r.time < 1, r.time**2 / 2, 0.5 + 3 * (r.time - 1))
    assert np.abs(r["x"] - exact).max() < 1e-5
    assert np.abs(r["w"] - r.time).max() < 1e-12


def test_data_frames_of_pandas(model: acausal.Translation) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"u": RAMP, "v": TIMES}, index=TIMES)
    for inputs in (frame, {"u": frame["u"], "v": frame["v"]}, frame.rename_axis("time").reset_index()):
        assert model.simulate(inputs=inputs)["x"][-1] == pytest.approx(3.5, abs=1e-5)
    durations = pandas.to_timedelta(TIMES, unit="s")
    assert model.simulate(inputs=frame.set_index(durations))["x"][-1] == pytest.approx(3.5, abs=1e-5)
    with pytest.raises(UsageError, match="R007"):
        model.simulate(inputs=frame.set_index(durations + pandas.Timestamp("2026-01-01")))


def test_sweeps_and_results_as_inputs(model: acausal.Translation, tmp_path: Path) -> None:
    first = model.simulate(inputs={"u": "1", "v": "time"})
    again = model.simulate(inputs={"u": (first.time, first["w"]), "v": 0})
    assert again["x"][-1] == pytest.approx(2.0, abs=1e-5)
    first.write(tmp_path / "u.csv", ["w"], units=True)
    named = (tmp_path / "u.csv").read_text().replace("time,w", "time,u", 1)
    (tmp_path / "u.csv").write_text(named)
    assert model.simulate(inputs={"u": tmp_path / "u.csv", "v": 0})["x"][-1] == pytest.approx(2.0, abs=1e-5)


@pytest.mark.parametrize(
    ("value", "code", "words"),
    [
        ((TIMES, RAMP[1:]), "R007", "the input u has 4 times and 3 values"),
        (([0, 1], [1, 2]), "R007", "its times are from 0 to 1, the run from 0 to 2"),
        (([0], [1]), "R007", "cannot be used as input"),
        (([], []), "R007", "it has no rows"),
        (([2, 0], [1, 2]), "R007", "the times of the input u decrease"),
        (([0, 2], [1, np.nan]), "R007", "the values of the input u are not all finite numbers"),
        (([0, 2], ["a", "b"]), "R007", "the values of the input u are not numbers"),
        (([0, 2], np.ones((2, 2))), "R007", "the values of the input u have 2 dimensions"),
        (np.ones(5), "F006", "not a ndarray"),
        (np.ones((5, 3)), "F006", "not a ndarray"),
        ((1, 2, 3), "F006", "not a tuple"),
        ({"a": 1}, "F006", "not a dict"),
        (Frame(TIMES, {"u": RAMP}), "F006", "not a Frame"),
        (None, "F006", "not None"),
        (1j, "F006", "not a complex"),
    ],
)
def test_mistakes(model: acausal.Translation, value: object, code: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        model.simulate(inputs={"u": value, "v": 0})  # type: ignore[dict-item]  # that is the mistake
    told = caught.value.report.diagnostics[0]
    assert told.code == code
    assert words in told.message
