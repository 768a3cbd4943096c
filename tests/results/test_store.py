"""Files: what was written is read again, and other programs can read it too."""

import csv
import sys
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.results import write as store
from acausal.results.formats.columns import Column
from acausal.results.read import read
from acausal.results.result import Result
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


@pytest.mark.parametrize("kind", KINDS)
def test_units_and_descriptions(tmp_path: Path, kind: str) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    columns = {
        "a": Column(0, unit="rad/s", description="speed of the \N{GREEK SMALL LETTER OMEGA} [rotor]"),
        "b": Column(1, description="a place [1]"),
        "c": Column(0, sign=-1.0, unit="kg*m^2/(s^3*A)"),
        "d": Column(None, 2.5, unit="V", description='says "x", y'),
        "e": Column(1),
    }
    path = tmp_path / f"r.{kind}"
    Result("r", np.arange(3.0), np.ones((3, 2)), columns).write(path, units=True)
    again = read(path)
    assert again.column("time").unit == "s"
    for name, column in columns.items():
        assert (again.column(name).unit, again.column(name).description) == (column.unit, column.description), name


def test_csv_with_a_second_header_row(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    made(2).write(path, ["x", "der(x)", "T*"], units=True)
    assert path.read_text().splitlines()[:2] == ['time,x,der(x),"T[1,2]"', "[s],place [m],,[N.m]"]


def test_names_and_patterns_select_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    r = made()
    r.write(path, ["T*", "k", "time", "a.y"])
    assert read(path).names == ("T[1,2]", "k", "a.y")
    with pytest.raises(UsageError) as caught:
        r.write(path, ["a.*", "b.*"])
    assert caught.value.report.diagnostics[0].code == "F005"
    assert read(path).names == ("T[1,2]", "k", "a.y")


def test_files_are_written_in_portions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the size of a portion, the file is the same."""
    for kind in ("csv", "npz", "mat"):
        made(50).write(tmp_path / f"one.{kind}")
        monkeypatch.setattr(store, "AT_ONCE", 7)
        made(50).write(tmp_path / f"many.{kind}")
        monkeypatch.undo()
        assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"many.{kind}").read_bytes()


def test_two_files_of_one_result_are_equal(tmp_path: Path) -> None:
    for kind in ("csv", "npz", "mat"):
        for name in ("a", "b"):
            made().write(tmp_path / f"{name}.{kind}")
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_csv_with_a_row_of_bare_units(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("time,angle,count\ns,deg,\n0,1,2\n1,3,4\n", encoding="utf-8")
    found = read(path)
    assert [found.columns[name].unit for name in ("angle", "count")] == ["deg", None]
    assert found["angle"].tolist() == [1, 3]


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
            assert (len(again.time), list(again.names)) == (rows, names)


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
        ("r.mat", "", "F001"),
        ("r.csv", "time,x\n[s],[V],[A]\n0,1\n", "F001"),
        ("folder.csv", None, "F001"),
    ],
)
def test_files_that_hold_no_result(tmp_path: Path, name: str, text: str | None, code: str) -> None:
    (tmp_path / "folder.csv").mkdir()
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
