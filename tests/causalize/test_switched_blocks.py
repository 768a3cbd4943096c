"""Blocks whose coefficients switch at run time: torn to their physical size, and right in every position."""

from pathlib import Path

import numpy as np
import pytest

from acausal.causalize.solve.definite_sign import Signs
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool
from acausal.pipeline import translate

BREAKERS = """@electrical.lib
model class (twopin) breaker
  parameter Imax=1, Gopen=1e-6, Gclosed=1e6
  discrete boolean open
  i = (if open then Gopen else Gclosed)*u
  when i > Imax then
    new(open) = true
  endwhen
end
model M
  constant N={}
  parameter imax[N]=[{}]
  submodel (signalcurrent) J
  submodel (conductor) G0(G=1), G[N](G=1)
  submodel (breaker) B[N](Imax=imax)
  submodel (ground) gnd
  node n
  local y (start=0, fixed=true)
  der(y) = 3*(N + 1) - y
  J.j = y
  connect J at (gnd, n), G0 at (n, gnd)
  for i = 1 to N
    connect B[i]:A at n, B[i]:B at G[i]:A, G[i]:B at gnd
  endfor
end
"""


@pytest.mark.parametrize("count", [12, 20, 80])
def test_breakers_in_parallel(tmp_path: Path, count: int) -> None:
    """One node voltage is left of 2*N + 1 equations; it is the current over the conductances of the moment."""
    limits = [1 + 0.05 * k if k < 5 else 1e9 for k in range(count)]
    model = translate(_file(tmp_path, BREAKERS.format(count, ", ".join(map(repr, limits)))))
    assert model.statistics["linear_blocks"] == [[2 * count + 1, 1]]
    r = model.simulate(stop=3, tolerance=1e-8)
    conductance = np.ones(len(r.time))
    for k in range(count):
        g = np.where(r[f"B[{k + 1}].open"] > 0.5, 1e-6, 1e6)
        conductance += g / (1 + g)
    assert r[f"B[{5}].open"][-1] == 1
    np.testing.assert_allclose(r["J.j"] / conductance, np.abs(r["J.u"]), rtol=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_random_networks_with_switches(tmp_path: Path, seed: int) -> None:
    """Trees of conductors, every other one switched, with meshes: nodal analysis of each position by NumPy."""
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(20, 60))
    edges = [(int(rng.integers(0, k)), k) for k in range(1, nodes)]
    edges += [tuple(sorted(map(int, rng.choice(nodes, 2, replace=False)))) for _ in range(int(rng.integers(0, 3)))]
    numbers = rng.uniform(0.1, 10, (len(edges), 2))
    at = rng.uniform(0.1, 0.9, len(edges))
    text = ["@electrical.lib", "model class (twopin) switched", "parameter a, b, t"]
    text += ["i = (if time > t then a else b)*u", "end", "model M"]
    text += ["submodel (currentsource) J(I=1)", "submodel (ground) gnd", f"node n[{nodes}]"]
    for k, ((a, b), (off, on), t) in enumerate(zip(edges, numbers.tolist(), at.tolist(), strict=True)):
        kind = f"(switched) c{k}(a={on!r}, b={off!r}, t={t!r})" if k % 2 else f"(conductor) c{k}(G={off!r})"
        text += [f"submodel {kind}", f"connect c{k} at (n[{a + 1}], n[{b + 1}])"]
    text += [f"connect gnd at n[1], J at (n[1], n[{nodes}])", "end"]
    r = translate(_file(tmp_path, "\n".join(text) + "\n")).simulate(stop=1, interval=0.1)
    for row, time in enumerate(r.time):
        if np.abs(at - time).min() < 1e-9:
            continue
        laplacian, current = np.zeros((nodes, nodes)), np.zeros(nodes)
        current[-1] = 1
        for k, (a, b) in enumerate(edges):
            g = numbers[k, 1] if k % 2 and time > at[k] else numbers[k, 0]
            laplacian[[a, b, a, b], [a, b, b, a]] += [g, g, -g, -g]
        voltage = np.concatenate([[0], np.linalg.solve(laplacian[1:, 1:], current[1:])])
        for k, (a, b) in enumerate(edges):
            assert r[f"c{k}.u"][row] == pytest.approx(voltage[a] - voltage[b], rel=1e-9, abs=1e-12)


def test_what_cannot_vanish() -> None:
    """Proofs or nothing: a switch to zero, a difference and a variable may vanish."""
    pool = Pool()
    a, b, minus = (pool.parameter((n,)) for n in ("a", "b", "minus"))
    x, c = pool.variable(("x",)), pool.frozen(("c",))
    values = {a: 2.0, b: 3.0, minus: -1.5}
    signs = Signs(lambda e: values.get(e, e.number if e.op == "const" else 0.3))
    switch = pool.if_(c, a, b)
    assert signs.sign(pool.add(pool.one, switch)) == 1
    assert signs.sign(pool.pow(pool.add(a, switch), pool.const(-1))) == 1
    assert signs.sign(pool.mul(minus, switch)) == -1
    assert signs.sign(pool.pow(minus, pool.const(2))) == 1
    unknown: list[Expr] = [x, pool.if_(c, a, pool.zero), pool.if_(c, a, minus), pool.sub(a, switch), pool.add(x, a)]
    assert [signs.sign(e) for e in unknown] == [0] * 5
    assert list(signs.samples(switch))[:2] == [2.0, 3.0]


def _file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "m.mdl"
    file.write_text(text)
    return file
