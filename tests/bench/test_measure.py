"""The table of speed: what is missing does not count as met."""

from itertools import pairwise
from time import process_time

from tests.bench.measure import SAMPLE, Row, compared, medians, show


def test_verdicts() -> None:
    assert Row("w", 1.0, "p", 6.0, 5.0).verdict == "met"
    assert Row("w", 1.0, "p", 4.0, 5.0).verdict == "MISSED"
    assert Row("w", 1.0, "p", None, 5.0).verdict == "not measured"
    assert Row("w", 1.0, "p", 4.0).verdict == ""
    assert Row("w", 1.05, aim=1.1, number_is="exponent").verdict == "met"
    assert Row("w", 1.15, aim=1.1, number_is="exponent").verdict == "MISSED"


def test_a_row_of_the_table() -> None:
    assert show(Row("work", 0.002, "peer", 0.005, 3.0)).split() == "work 2 ms peer 5 ms 2.50 >=3 MISSED".split()
    assert show(Row("work", 0.002, "peer", None, 3.0)).split() == "work 2 ms peer missing >=3 not measured".split()
    assert show(Row("work", 1.25, aim=2.0, number_is="MB")).split() == "work 1.25 MB <=2 met".split()


def test_a_missing_peer_keeps_its_row() -> None:
    rows = compared("work", {"ours": lambda: None, "here": lambda: None, "away": None}, {"away": 2.0}, 2)
    assert [(row.peer, row.theirs is None, row.verdict) for row in rows] == [
        ("here", False, ""),
        ("away", True, "not measured"),
    ]


def test_rounds_go_in_turns() -> None:
    calls: list[str] = []
    short = {name: (lambda name=name: calls.append(name)) for name in "ab"}
    medians(short, rounds=2)
    changes = [calls[0], *[b for a, b in pairwise(calls) if a != b]]
    assert changes == ["a", "b"] * 3
    assert calls.count("a") > 3


def test_what_takes_long_is_called_once_a_round() -> None:
    calls = 0

    def spin() -> None:
        nonlocal calls
        calls += 1
        end = process_time() + 1.1 * SAMPLE
        while process_time() < end:
            pass

    taken = medians({"long": spin}, rounds=2)["long"]
    assert calls == 3
    assert taken >= SAMPLE
