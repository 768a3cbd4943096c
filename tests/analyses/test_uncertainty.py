"""Uncertain parameters: samples, quantiles, bands and Sobol indices against closed forms."""

from math import exp, pi, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import acausal
from acausal.base.diagnostics import UsageError
from acausal.cli import main

DECAY = """model Decay
  parameter k (unit="1/s") = 1, x0=2
  local x (start=x0, fixed=true)
  der(x) = -k*x
  experiment (stop=1, interval=0.25, tolerance=1e-9, plot=[x])
end
"""
ISHIGAMI = """model Ishigami
  parameter a=7, b=0.1, x1=0.5, x2=0.5, x3=0.5
  local y, z (start=0)
  y = sin(x1) + a*sin(x2)^2 + b*x3^4*sin(x1)
  der(z) = y - z
  experiment (stop=1e-3, plot=[y])
end
"""
G_FUNCTION = """model G
  parameter x1=0.3, x2=0.3, x3=0.3
  local y, z (start=0)
  y = (abs(4*x1 - 2))*(abs(4*x2 - 2) + 1)/2*(abs(4*x3 - 2) + 9)/10
  der(z) = y - z
  experiment (stop=1e-3, plot=[y])
end
"""


@pytest.fixture(scope="module")
def decay() -> acausal.Translation:
    return acausal.translate(DECAY, cache=False)


def test_quantiles_and_bands(decay: acausal.Translation) -> None:
    """x = x0 exp(-k t) with k uniform: quantiles of x are those of k, in the opposite order."""
    found = decay.uncertainty({"k": "uniform(0.5, 1.5)"}, outputs={"end": "x", "low": "min(x)"}, bands=["x"], n=512)
    for share in (0.05, 0.25, 0.5, 0.95):
        assert found.quantile("end", share) == pytest.approx(2 * exp(-(1.5 - share)), abs=3e-3)
        assert found.quantile("low", share) == pytest.approx(found.quantile("end", share), rel=1e-12)
    assert found.mean("end") == pytest.approx(2 * (exp(-0.5) - exp(-1.5)), rel=1e-3)
    bands = found.bands["x"]
    assert bands.time == pytest.approx(np.linspace(0, 1, 5))
    for level, row in zip(bands.levels, bands.values, strict=True):
        assert row == pytest.approx(2 * np.exp(-(1.5 - level / 100) * bands.time), abs=3e-3)
    assert found.picture().panels[0].curves[0].y == pytest.approx(bands.values[2])


def test_worst_cases_and_repetition(decay: acausal.Translation) -> None:
    """The worst case reproduces its value; the same seed gives the same bits, another seed other samples."""
    first = decay.uncertainty({"k": ("uniform", 0.5, 1.5)}, n=32)
    assert list(first.outputs) == ["final(x)"]
    largest, smallest = first.worst("final(x)")[0], first.worst("final(x)", smallest=True)[0]
    assert largest["k"] == first.samples["k"].min()
    assert smallest["k"] == first.samples["k"].max()
    assert decay.simulate(parameters=largest)["x"][-1] == pytest.approx(first.outputs["final(x)"].max(), rel=1e-8)
    again, other = [decay.uncertainty({"k": "uniform(0.5, 1.5)"}, n=32, seed=seed) for seed in (1, 2)]
    assert again.outputs["final(x)"].tolist() == first.outputs["final(x)"].tolist()
    assert other.samples["k"].tolist() != first.samples["k"].tolist()


@pytest.mark.parametrize(
    ("given", "exact"),
    [
        ("uniform(1, 3)", stats.uniform(1, 2)),
        (("loguniform", 0.1, 10), stats.loguniform(0.1, 10)),
        ("normal(2, 0.1)", stats.norm(2, 0.1)),
        ("lognormal(2, 1.5)", stats.lognorm(np.log(1.5), scale=2)),
        ("triangular(1, 1.5, 3)", stats.triang(0.25, 1, 2)),
        (stats.beta(2, 3), stats.beta(2, 3)),
    ],
    ids=["uniform", "loguniform", "normal", "lognormal", "triangular", "beta"],
)
def test_distributions(decay: acausal.Translation, given: object, exact: stats.rv_continuous) -> None:
    """Samples of 256 points of a low-discrepancy sequence are within 1/256 of the distribution."""
    found = decay.uncertainty({"k": given}, n=256)  # type: ignore[dict-item]
    shares = exact.cdf(np.sort(found.samples["k"]))
    assert np.abs(shares - (np.arange(256) + 0.5) / 256).max() < 1.0 / 256


def _within(found: object, exact: dict[str, float]) -> bool:
    return all(found[name].low <= value <= found[name].high for name, value in exact.items())  # type: ignore[index]


def test_ishigami() -> None:
    """Indices of T. Ishigami, T. Homma (1990) for a = 7, b = 0.1 by their formulas, within the intervals."""
    model = acausal.translate(ISHIGAMI, cache=False)
    given = dict.fromkeys(("x1", "x2", "x3"), f"uniform({-pi}, {pi})")
    found = model.uncertainty(given, outputs=["y"], n=512, indices=True).indices["y"]
    a, b = 7, 0.1
    variance = a**2 / 8 + b * pi**4 / 5 + b**2 * pi**8 / 18 + 0.5
    first, second = 0.5 * (1 + b * pi**4 / 5) ** 2 / variance, a**2 / 8 / variance
    both = b**2 * pi**8 * 8 / 225 / variance
    assert found is not None
    assert _within(found.first, {"x1": first, "x2": second, "x3": 0.0})
    assert _within(found.total, {"x1": first + both, "x2": second, "x3": both})


def test_g_function() -> None:
    """Indices of the g-function of I. M. Sobol with a = 0, 1, 9: products of (1 + V_i), V_i = 1/(3 (1 + a_i)^2)."""
    model = acausal.translate(G_FUNCTION, cache=False)
    given = dict.fromkeys(("x1", "x2", "x3"), "uniform(0, 1)")
    result = model.uncertainty(given, outputs=["y"], n=512, indices=True)
    found = result.indices["y"]
    v = [1 / (3 * (1 + a) ** 2) for a in (0, 1, 9)]
    variance = np.prod([1 + x for x in v]) - 1
    assert found is not None
    assert _within(found.first, {f"x{k + 1}": v[k] / variance for k in range(3)})
    total = {f"x{k + 1}": v[k] * np.prod([1 + v[i] for i in range(3) if i != k]) / variance for k in range(3)}
    assert _within(found.total, total)
    assert result.standard_deviation("y") == pytest.approx(sqrt(variance), rel=0.02)
    assert result.problem["dists"] == ["unif"] * 3


def test_failed_runs_are_counted(decay: acausal.Translation) -> None:
    """Runs that an assertion ends have no value, and say why."""
    text = DECAY.replace("  experiment", '  assert(k < 1.25, "too fast")\n  experiment')
    found = acausal.translate(text, cache=False).uncertainty({"k": "uniform(0.5, 1.5)"}, n=64)
    assert len(found.failures) == 16
    assert np.isnan(found.outputs["final(x)"]).sum() == 16
    assert "too fast" in str(next(iter(found.failures.values())))
    assert len(found.values("final(x)")) == 48


@pytest.mark.parametrize(
    ("given", "arguments", "message"),
    [
        ({"k": "unifrm(1, 2)"}, {}, "W005.*unknown distribution unifrm"),
        ({"k": "uniform(2, 1)"}, {}, "W005.*low value is not below"),
        ({"k": "normal(2, 0)"}, {}, "W005.*deviation is not positive"),
        ({"k": "uniform(1)"}, {}, "W005.*uniform has 2 values"),
        ({"k": "uniform(1 V, 2 V)"}, {}, "U005"),
        ({"k": 3}, {}, "F006"),
        ({}, {}, "W005.*no parameter is uncertain"),
        ({"j": "uniform(1, 2)"}, {}, "F005.*unknown parameter j"),
        ({"k": "uniform(1, 2)"}, {"outputs": ["y"]}, "F005"),
        ({"k": "uniform(1, 2)"}, {"outputs": ["mx(x)"]}, "F006.*unknown quantity"),
        ({"k": "uniform(1, 2)"}, {"n": 100, "indices": True}, "F006.*power of two"),
        ({"k": "uniform(1, 2)"}, {"bands": ["x"], "folder": "f"}, "F006.*trajectories"),
    ],
)
def test_mistakes(
    decay: acausal.Translation, given: dict[str, str], arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=f"(?s){message}"):
        decay.uncertainty(given, **arguments)  # type: ignore[arg-type]


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decay.mdl").write_text(DECAY)
    command = ["uncertainty", "decay.mdl", "--vary", "k=uniform(0.5, 1.5)", "-n", "16", "--outputs", "max(x),x"]
    assert main([*command, "-o", "runs.csv"]) == 0
    assert "max(x)" in capsys.readouterr().out
    lines = (tmp_path / "runs.csv").read_text().splitlines()
    assert lines[0] == "run,k,max(x),x"
    assert len(lines) == 17
    assert main([*command, "--figure", "f.png"]) == 2
    assert "--bands" in capsys.readouterr().err
