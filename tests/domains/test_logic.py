"""Classes of logic.lib against truth tables and sequences written by hand; all in one run."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from acausal.results.result import Result
from tests.domains.examples import run

BODY = """
submodel (clock) a(period=8, t0=4), b(period=4, t0=2), c(period=2, t0=1)
submodel (andgate) A(n=3)
submodel (nandgate) NA(n=3)
submodel (orgate) O(n=3)
submodel (norgate) NO(n=3)
submodel (xorgate) X(n=3)
submodel (notgate) N
submodel (truthtable) T(n=3, rows=[0, 1, 1, 0, 0, 0, 1, 0])
A.u = [a.y, b.y, c.y]
NA.u = A.u
O.u = A.u
NO.u = A.u
X.u = A.u
T.u = A.u
connect c:exit - N
submodel (tflipflop) F1
submodel (dflipflop) F2(y0=true)
submodel (jkflipflop) F3
submodel (rsflipflop) F4
F1.t = true
F1.c = c.y
F2.d = F1.y
F2.c = c.y
F3.j = a.y
F3.k = b.y
F3.c = c.y
F4.s = c.y
F4.r = b.y
submodel (booleantable) p(n=4, times=[1.2, 2.2, 4.2, 7.2]), q(n=1, times=[3.3], y0=true)
submodel (booleanstep) h(t0=5.1)
submodel (risingedge) R(T=0.75)
submodel (fallingedge) D(T=0.75)
submodel (ondelay) on(T=1.5)
submodel (offdelay) off(T=1.5)
submodel (stopwatch) W
connect join (p:exit, R:entry, D:entry, on:entry, off:entry, W:entry)
submodel (clock) e(period=0.5, t0=0.25), f(period=0.8, t0=0.4)
submodel (counter) C(modulus=5, limit=3), K
submodel (updowncounter) U
C.u = e.y
K.u = e.y
K.reset = h.y
U.up = e.y
U.down = f.y
submodel (above) L(limit=0.5)
submodel (asnumber) M(high=2, low=-3)
submodel (selector) S
connect L - M
L.u = sin(3*time)
S.u = h.y
S.a = time
S.b = -time
"""
MIDDLES = np.arange(8) + 0.5
INPUTS = np.array(list(product((0, 1), repeat=3)))
"""a, b, c in the seconds 0 to 7: the binary numbers 0 to 7."""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return run("logic", BODY, tmp_path_factory.mktemp("logic"), 8.0)


def at(result: Result, name: str, times: np.ndarray) -> list[float]:
    return [float(result.at(t)[name]) for t in times]


def test_gates(result: Result) -> None:
    expected = {
        "A.y": INPUTS.all(axis=1), "NA.y": ~INPUTS.all(axis=1), "O.y": INPUTS.any(axis=1),
        "NO.y": ~INPUTS.any(axis=1), "X.y": INPUTS.sum(axis=1) % 2, "N.y": 1 - INPUTS[:, 2],
        "T.y": np.array([0, 1, 1, 0, 0, 0, 1, 0]),
    }  # fmt: skip
    assert {name: at(result, name, MIDDLES) for name in expected} == {k: list(v * 1.0) for k, v in expected.items()}


def test_flip_flops(result: Result) -> None:
    """c rises at 1, 3, 5, 7; b is true from 2 to 4 and from 6 to 8, a from 4 to 8."""
    assert at(result, "F1.y", MIDDLES) == [0, 1, 1, 0, 0, 1, 1, 0]
    assert at(result, "F2.y", MIDDLES) == [1, 0, 0, 1, 1, 0, 0, 1]  # F1 before the edge
    assert at(result, "F2.ny", MIDDLES) == [0, 1, 1, 0, 0, 1, 1, 0]
    assert at(result, "F3.y", MIDDLES) == [0, 0, 0, 0, 0, 1, 1, 0]  # nothing, reset, set, change
    assert at(result, "F4.y", MIDDLES) == [0, 1, 0, 0, 0, 1, 0, 0]


def test_sources_and_timers(result: Result) -> None:
    """The signal p is true from 1.2 to 2.2 and from 4.2 to 7.2."""
    time = np.asarray(result.time)
    away = np.abs(np.subtract.outer(time, [1.2, 1.95, 2.2, 2.95, 3.3, 3.7, 4.2, 4.95, 5.1, 5.7, 7.2, 7.95]))
    smooth = away.min(axis=1) > 1e-6

    def spans(*ends: float) -> np.ndarray:
        return (np.searchsorted(ends, time[smooth]) % 2).astype(float)

    expected = {
        "p.y": spans(1.2, 2.2, 4.2, 7.2), "q.y": spans(-1, 3.3), "h.y": spans(5.1), "R.y": spans(1.2, 1.95, 4.2, 4.95),
        "D.y": spans(2.2, 2.95, 7.2, 7.95), "on.y": spans(5.7, 7.2), "off.y": spans(1.2, 3.7, 4.2),
    }  # fmt: skip
    for name, values in expected.items():
        assert (result[name][smooth] == values).all(), name
    stopped = np.where(time[smooth] < 3, time[smooth] - 1.2, time[smooth] - 4.2) * expected["p.y"]
    assert np.abs(result["W.y"][smooth] - stopped).max() < 1e-9


def test_counters(result: Result) -> None:
    """e rises at 0.25, 0.75, ...; f at 0.4, 1.2, ...; the reset comes at 5.1."""
    times = np.arange(0.15, 8, 0.5)
    counted = np.arange(len(times))
    assert at(result, "C.y", times) == list(counted % 5)
    assert at(result, "C.full", times) == list((counted % 5 >= 3) * 1.0)
    assert at(result, "K.y", times) == [0.0 if t > 5.1 else float(k) for k, t in enumerate(times)]
    down = np.floor((times - 0.4) / 0.8 + 1)
    assert at(result, "U.y", times) == list(counted - down)


def test_numbers(result: Result) -> None:
    time = np.asarray(result.time)
    sine = np.sin(3 * time)
    clear = np.abs(sine - 0.5) > 1e-6
    assert (result["M.y"][clear] == np.where(sine[clear] > 0.5, 2, -3)).all()
    clear = np.abs(time - 5.1) > 1e-6
    assert np.abs(result["S.y"] - np.where(time > 5.1, time, -time))[clear].max() < 1e-12


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("submodel (clock) c(period=0)", "below its minimum"),
        ("submodel (booleantable) b(n=2, times=[2, 1])", "instants must rise"),
        ("submodel (truthtable) t(n=1, rows=[0, 2])\nt.u = [true]", "above its maximum"),
    ],
)
def test_parameters_out_of_range(line: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=text):
        run("logic", line, tmp_path, 0.0)
