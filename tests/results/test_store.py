"""Files: what was written is read again, and other programs can read it too."""

import csv
import sys
from pathlib import Path

import numpy as np
import pytest

from acausal.diagnostics import UsageError
from acausal.results.columns import Column
from acausal.results.result import Result
from acausal.results.store import read
from tests.results.made import made

KINDS = ("csv", "npz", "mat", "parquet")


@pytest.mark.parametrize("kind", KINDS)
def test_round_trip(tmp_path: Path, kind: str) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    r = made(101)
    path = tmp_path / f"r.{kind}"
    r.write(path)
    again = read(path)
    assert again.names == r.names
    assert np.array_equal(again.time, r.time)
    for name in r.names:
        assert np.array_equal(again[name], r[name]), name
    assert again.at(0.1234)["x"] == pytest.approx(np.sin(0.1234), abs=1e-9)


def test_csv_is_plain(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    made(2).write(path)
    assert path.read_bytes() == (
        b'time,x,der(x),a.y,clock,g,"T[1,2]"\n'
        b"0.0,0.0,1.0,-0.0,0.0,9.81,0.0\n"
        b"1.0,0.8414709848078965,0.5403023058681398,-0.8414709848078965,1.0,9.81,1.0\n"
    )
    with path.open(newline="") as file:
        assert next(csv.reader(file))[-1] == "T[1,2]"


@pytest.mark.parametrize("kind", ["csv", "npz", "mat"])
def test_few_rows_and_columns(tmp_path: Path, kind: str) -> None:
    for rows in (0, 1, 2):
        for names in ([], ["x"]):
            r = Result("small", np.arange(float(rows)), np.ones((rows, 1)), {n: Column(0) for n in names})
            path = tmp_path / f"r.{kind}"
            r.write(path)
            again = read(path)
            assert (len(again), list(again.names)) == (rows, names)


def test_numbers_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    stored = np.array([[np.nan, np.inf], [-np.inf, 1e-300]])
    Result("odd", np.array([0.0, 0.0]), stored, {"a": Column(0), "b": Column(1, sign=-1.0)}).write(path)
    again = read(path)
    assert np.array_equal(again["a"], stored[:, 0], equal_nan=True)
    assert np.array_equal(again["b"], -stored[:, 1])


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("missing.csv", None, "F001"),
        ("r.txt", "time\n0\n", "F001"),
        ("r.csv", "", "F001"),
        ("r.csv", "x,y\n1,2\n", "F001"),
        ("r.csv", "time,x\n0,1,2\n", "F001"),
        ("r.csv", "time,x\n0,one\n", "F001"),
        ("r.npz", "nonsense", "F001"),
        ("r.mat", "nonsense", "F001"),
    ],
)
def test_files_that_hold_no_result(tmp_path: Path, name: str, text: str | None, code: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(UsageError) as caught:
        read(tmp_path / name)
    assert caught.value.report.diagnostics[0].code == code


@pytest.mark.parametrize("name", ["r.xyz", "r", "nowhere/r.csv", "nowhere/r.npz"])
def test_places_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        made().write(tmp_path / name)
    assert caught.value.report.diagnostics[0].code == "F008"


def test_parquet_is_asked_for_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError) as caught:
        made().write(tmp_path / "r.parquet")
    assert caught.value.report.diagnostics[0].code == "F007"
