"""Values of a sweep as typed, tables of runs, and what is wrong with them."""

from collections.abc import Mapping
from math import sqrt
from pathlib import Path

import pytest

from acausal.base.diagnostics import LimitError, ModelError
from acausal.sweep.points.points import Points, Values, make_points
from acausal.sweep.points.ranges import parse_values
from acausal.sweep.points.run_table import read_runs

MOST = 1000


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2.5", (2.5,)),
        ("1,2,5", (1, 2, 5)),
        (" -1e-3 , 4", (-1e-3, 4)),
        ("0:1:3", (0, 0.5, 1)),
        ("5:1:3", (5, 3, 1)),
        ("1:100:3:log", (1, 10, 100)),
        ("-1:-4:3:LOG", (-1, -2, -4)),
        ("0,1:3:2,7", (0, 1, 3, 7)),
        ("2:2:2", (2, 2)),
    ],
)
def test_values_as_typed(text: str, values: tuple[float, ...]) -> None:
    assert parse_values("k", text, MOST) == pytest.approx(values, rel=1e-15)


@pytest.mark.parametrize("text", ["0.1:10:50", "0.1:10:50:log", "3:0.7:11"])
def test_both_ends_are_met_exactly(text: str) -> None:
    found = parse_values("k", text, MOST)
    first, last, count = (float(x) for x in text.split(":")[:3])
    assert (found[0], found[-1], len(found)) == (first, last, count)
    if text.endswith("log"):
        assert all(b == pytest.approx(sqrt(a * c)) for a, b, c in zip(found, found[1:], found[2:], strict=False))
    else:
        assert all(b == pytest.approx((a + c) / 2) for a, b, c in zip(found, found[1:], found[2:], strict=False))


@pytest.mark.parametrize(
    ("text", "marked", "said"),
    [
        ("0.1:10", "0.1:10", "is not a range"),
        ("1:2:3:4", "1:2:3:4", "is not a range"),
        ("1:2:3:log:5", "1:2:3:log:5", "is not a range"),
        ("1:2:x", "1:2:x", "x is not a number"),
        ("1,2,,5", ",", "a value is missing"),
        ("1,two,5", "two", "two is not a number"),
        ("1:2:1", "1:2:1", "1 is not a number of values"),
        ("1:2:2.5", "1:2:2.5", "2.5 is not a number of values"),
        ("0:1:5:log", "0:1:5:log", "equal ratios cannot reach or cross 0"),
        ("-1:1:5:log", "-1:1:5:log", "equal ratios cannot reach or cross 0"),
        ("1,inf", "inf", "not finite"),
        ("1::3", "1::3", "nothing is not a number"),
    ],
)
def test_what_is_not_understood_is_marked(text: str, marked: str, said: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_values("motor.k", text, MOST)
    (told,) = caught.value.report.diagnostics
    assert told.code == "W001"
    assert said in told.message
    assert told.help
    assert told.primary is not None
    assert told.primary.span.text == marked
    assert told.primary.span.file.text == f"motor.k={text}"


def test_all_combinations_the_last_changing_fastest() -> None:
    points = make_points({"a": "1,2", "b": [10.0, 20.0, 30.0], "c": 7}, None)
    assert points.names == ("a", "b", "c")
    assert points.rows == ((1, 10, 7), (1, 20, 7), (1, 30, 7), (2, 10, 7), (2, 20, 7), (2, 30, 7))
    assert points.given(4) == {"a": 2, "b": 20, "c": 7}


def table(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "runs.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_gives_a_run_a_row(tmp_path: Path) -> None:
    path = table(tmp_path, '\ufeffk, "J[1,2]",x\r\n1,2,3\r\n\r\n 4 ,5e-1,"6"\r\n')
    assert read_runs(path, MOST) == {"k": (1, 4), "J[1,2]": (2, 0.5), "x": (3, 6)}
    points = make_points({"b": "8,9"}, path)
    assert points.rows == ((1, 2, 3, 8), (1, 2, 3, 9), (4, 0.5, 6, 8), (4, 0.5, 6, 9))
    assert make_points({}, {"k": [1, 2]}) == Points(("k",), ((1,), (2,)))


@pytest.mark.parametrize(
    ("text", "line", "marked", "said"),
    [
        ("", 1, "", "the table is empty"),
        ("k,m\n", 1, "k", "has no runs"),
        ("k,m\n1,2\n3,\n", 3, "\n", "m has no value in this run"),
        ("k,m,n\n1,2,3\n3\n", 3, "3", "2 of 3 values are missing"),
        ("k,m,n\n1,2\n", 2, "1,2", "1 of 3 values is missing"),
        ("k,m\n1,2,5\n", 2, "5", "one value more than the 2 named columns"),
        ("k,m\n1,2\n1,abc\n", 3, "abc", "the value of m is not a number: abc"),
        ("k,m\n1,nan\n", 2, "nan", "the value of m is not a number"),
        ("k,,m\n1,2,3\n", 1, ",", "a column has no name"),
        ("k,m,k\n1,2,3\n", 1, "k", "two columns are named k"),
        ("1,2\n3,4\n", 1, "1", "the first row contains numbers"),
        ('k,m\n1,"2\n', 2, '"2', "misplaced quotation mark"),
    ],
)
def test_what_is_wrong_in_a_table_is_marked(tmp_path: Path, text: str, line: int, marked: str, said: str) -> None:
    with pytest.raises(ModelError) as caught:
        read_runs(table(tmp_path, text), MOST)
    (told,) = caught.value.report.diagnostics
    assert told.code == "W002"
    assert said in told.message
    assert told.help
    assert told.primary is not None
    assert (told.primary.span.line, told.primary.span.text) == (line, marked)


def test_a_table_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(ModelError, match="F001"):
            read_runs(path, MOST)
    (tmp_path / "b.csv").write_bytes(b"k\n\xff\n")
    with pytest.raises(ModelError, match="not UTF-8 text"):
        read_runs(tmp_path / "b.csv", MOST)


@pytest.mark.parametrize(
    ("parameters", "runs", "code"),
    [
        ({}, None, "W001"),
        ({"k": []}, None, "W001"),
        ({"k": ["a"]}, None, "T014"),
        ({"k": [float("nan")]}, None, "T014"),
        ({"k": 1}, {"k": [1]}, "W002"),
        ({}, {"k": [1], "m": [1, 2]}, "W002"),
        ({}, {"k": []}, "W002"),
    ],
)
def test_values_that_are_none(parameters: Mapping[str, Values], runs: Mapping[str, list[float]], code: str) -> None:
    with pytest.raises(ModelError) as caught:
        make_points(parameters, runs)
    (told,) = caught.value.report.diagnostics
    assert told.code == code
    assert told.help


def test_too_many_runs(tmp_path: Path) -> None:
    """The product is not made, nor a range that is longer than the limit."""
    long = table(tmp_path, "k\n" + "1\n" * 11)
    for parameters, runs in (({"a": "1:2:1e12"}, None), ({"a": "1:2:5", "b": "1:2:3"}, None), ({}, long)):
        with pytest.raises(LimitError, match="W003"):
            make_points(parameters, runs, 10)
