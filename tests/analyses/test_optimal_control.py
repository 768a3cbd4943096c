"""Optimal control against closed forms; A030 to A033. More: python -m tests.long "optimal control"."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm

import acausal
from acausal.analyses.optimize import ipopt
from acausal.base.diagnostics import ModelError, SimulationError, UsageError
from acausal.cli import main
from acausal.translation import Translation

CART = """model Cart
  input u (unit="N")
  local x (start=0, unit="m"), v (start=0, unit="m/s")
  der(x) = v
  der(v) = u
  experiment (stop=3)
end
"""
CRANE = """model Crane
  input a
  parameter l=5, g=9.81
  local x (start=0), v (start=0), phi (start=0), w (start=0)
  der(x) = v
  der(v) = a
  der(phi) = w
  l*der(w) = -g*phi - a
end
"""
BEAD = """model Bead
  input s
  parameter g=9.81
  local x (start=0), y (start=0), v (start=0)
  der(x) = v*sin(s)
  der(y) = v*cos(s)
  der(v) = g*cos(s)
end
"""


@pytest.fixture(scope="module")
def cart() -> Translation:
    return acausal.translate(CART, cache=False)


@pytest.mark.parametrize("method", ["trust-constr", "ipopt"])
def test_minimum_time(cart: Translation, method: str) -> None:
    """Full force forwards, then backwards: T = 2*sqrt(distance)."""
    if method == "ipopt" and ipopt.library() is None:
        pytest.skip("IPOPT is not installed")
    found = cart.optimize(
        "final(time)",
        subject_to=["final(x) = 1", "final(v) = 0"],
        controls={"u": (-1, 1)},
        stop=(0.1, 10),
        intervals=10,
        method=method,
    )
    assert found.value == pytest.approx(2.0, abs=1e-6)
    assert found.simulated == pytest.approx(found.value)
    assert max(found.gap.values()) < 1e-8
    assert found.result["x"][-1] == pytest.approx(1.0, abs=1e-6)
    _, values = found.controls["u"]
    assert values == pytest.approx([1.0] * 10 + [-1.0] * 10, abs=1e-4)
    assert found.optimum.success


def test_path_constraint(cart: Translation) -> None:
    """With the speed limited to 1/2: T = x/v + v/a, and the limit is a bound, or a constraint of an expression."""
    for limit in ("v <= 0.5", "2*v <= 1"):
        found = cart.optimize(
            "final(time)",
            subject_to=["final(x) = 1", "final(v) = 0", limit],
            controls={"u": (-1, 1)},
            stop=(0.1, 10),
            intervals=10,
        )
        assert found.value == pytest.approx(2.5, abs=1e-5)
        assert found.result["v"].max() < 0.5 + 1e-5


def test_least_energy_of_a_crane() -> None:
    """No residual swing; the least integral of a^2 is d' W^-1 d, with the Gramian W of the linear system."""
    a = np.array([[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, -9.81 / 5, 0]])
    b = np.array([[0.0], [1.0], [0.0], [-0.2]])
    made = expm(6 * np.block([[-a, b @ b.T], [np.zeros((4, 4)), a.T]]))
    gramian = made[4:, 4:].T @ made[:4, 4:]
    least = np.array([10.0, 0, 0, 0]) @ np.linalg.solve(gramian, [10.0, 0, 0, 0])
    found = acausal.translate(CRANE, cache=False).optimize(
        "integral(a^2)",
        subject_to=["final(x) = 10", "final(v) = 0", "final(phi) = 0", "final(w) = 0"],
        controls={"a": None},
        stop=6,
        intervals=20,
    )
    assert found.value == pytest.approx(least, rel=1e-5)
    assert found.simulated == pytest.approx(least, rel=1e-4)
    assert abs(found.result["phi"][-1]) < 1e-5


def test_brachistochrone() -> None:
    """x = r*(a - sin(a)), y = r*(1 - cos(a)), T = a*sqrt(r/g); a solves (a - sin(a))/(1 - cos(a)) = 1."""
    angle = 2.4120111439135253425
    exact = angle * math.sqrt(1 / (1 - math.cos(angle)) / 9.81)
    found = acausal.translate(BEAD, cache=False).optimize(
        "final(time)",
        subject_to=["final(x) = 1", "final(y) = 1"],
        controls={"s": (0, math.pi)},
        stop=(0.1, 10),
        intervals=6,
        guess={"s": 0.8},
    )
    assert found.value == pytest.approx(exact, rel=1e-6)


def test_swing_up_by_the_method_of_scipy() -> None:
    """Undamped backwards: at least 8*b*m*g*l, reached in infinite time; Newton's method ends the search."""
    equations = "input u\n local p (start=0), w (start=0)\n der(p)=w\n der(w)=-w-sin(p)+u"
    found = acausal.translate(f"model M\n {equations}\nend\n", cache=False).optimize(
        minimize="integral(u^2)",
        subject_to=["final(p) = 3.141592653589793", "final(w) = 0"],
        controls={"u": None},
        stop=24,
        intervals=80,
        method="trust-constr",
    )
    assert found.value == pytest.approx(8, rel=1e-4)
    assert found.simulated == pytest.approx(8, rel=1e-4)


def test_terms_and_kinds(cart: Translation) -> None:
    """For x(1) = 1 from rest the least integral of u^2 is 3; `max` and `mean` parts of an objective."""
    found = cart.optimize("integral(u^2) + 0*final(v)", subject_to=["1 = final(x)"], controls={"u": None}, stop=1)
    assert found.value == pytest.approx(3.0, rel=1e-6)
    found = cart.optimize("max(u)", subject_to=["final(x) >= 1", "min(u) >= -1"], controls={"u": None}, stop=1)
    assert found.value == pytest.approx(2.0, rel=1e-6)  # constant force
    found = cart.optimize(maximize="final(x)", controls={"u": (-1, 3)}, stop=2, initial={"v": 1}, intervals=5)
    assert found.value == pytest.approx(2.0 + 3 * 2.0, rel=1e-6)


def test_errors(cart: Translation) -> None:
    def code(error: type[Exception], **options: object) -> str:
        arguments = {"minimize": "final(time)", "controls": {"u": (-1, 1)}, "stop": 1, **options}
        with pytest.raises(error) as found:
            cart.optimize(**arguments)  # type: ignore[arg-type]  # wrong on purpose
        return found.value.report.diagnostics[0].code  # type: ignore[attr-defined,no-any-return]  # our errors

    assert code(UsageError, controls={"w": (0, 1)}) == "F005"
    assert code(UsageError, minimize="final(z)") == "F005"
    assert code(UsageError, guess={"z": 1}) == "F005"
    assert code(UsageError, minimize="x^2") == "F010"
    assert code(UsageError, subject_to=["final(x)"]) == "F010"
    assert code(UsageError, subject_to=["x = final(x)"]) == "F010"
    assert code(UsageError, minimize="integral(sign(u))") == "F010"
    assert code(UsageError, maximize="final(x)") == "F006"
    assert code(UsageError, controls={"u": (1, -1)}) == "F006"
    assert code(UsageError, stop=-1) == "F006"
    assert code(UsageError, method="newton") == "F006"
    assert code(ModelError, subject_to=["x >= 1"]) == "A033"
    assert code(SimulationError, subject_to=["final(x) = 5"]) == "A032"


def test_models_that_are_not_smooth() -> None:
    text = "model M\n  input u\n  local x (start=0)\n  der(x) = if x > 1 then u else 2*u\nend\n"
    with pytest.raises(ModelError) as found:
        acausal.translate(text, cache=False).optimize("final(x)", controls={"u": (0, 1)}, stop=1)
    (diagnostic,) = found.value.report.diagnostics
    assert diagnostic.code == "A030"
    assert diagnostic.primary is not None
    text = "model M\n  input u\n  local x (start=0), y\n  der(x) = der(u) - x\n  y = u\nend\n"
    with pytest.raises(ModelError) as found:
        acausal.translate(text, cache=False).optimize("final(x)", controls={"u": (0, 1)}, stop=1)
    assert found.value.report.diagnostics[0].code == "A031"


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cart.mdl").write_text(CART)
    words = "--minimize final(time) --subject-to final(x)=1 --subject-to final(v)=0 --control u=-1:1 --stop 0.1:10"
    target = tmp_path / "run.csv"
    run = ["optimize", str(tmp_path / "cart.mdl"), *words.split(), "--intervals", "10", "-o", str(target), "--json"]
    assert main(run) == 0
    found = json.loads(capsys.readouterr().out)["optimize"]
    assert found["value"] == pytest.approx(2.0, abs=1e-5)
    assert target.read_text().startswith("time,")
    assert main(["optimize", str(tmp_path / "cart.mdl"), "--minimize", "final(time)", "--control", "u=x"]) == 2


@pytest.mark.parametrize("method", ["trust-constr", "ipopt"])
def test_a_saddle_is_no_optimum(method: str) -> None:
    """x^2 is stationary where the search begins; around an obstacle in the middle the way straight through is."""
    if method == "ipopt" and ipopt.library() is None:
        pytest.skip("IPOPT is not installed")
    text = "model M\n input u\n local x (start=0)\n der(x) = u\n experiment (stop=1)\nend\n"
    found = acausal.translate(text, cache=False).optimize(
        maximize="final(x)^2", controls={"u": (-1, 1)}, intervals=5, method=method
    )
    assert found.value == pytest.approx(1, rel=1e-6)
    text = "model M\n input u\n local y (start=0)\n der(y) = u\n experiment (stop=1)\nend\n"
    around = acausal.translate(text, cache=False).optimize(
        "integral(u^2) + 8*integral(exp(-20*(y^2 + (time - 0.5)^2)))", subject_to=["final(y) = 0"],
        controls={"u": (-5, 5)}, intervals=10, method=method,
    )  # fmt: skip
    straight = 8 * math.sqrt(math.pi / 20) * math.erf(math.sqrt(5))
    assert around.value < 0.5 * straight
