"""Poles of derivatives that a solver steps over end the run before them; divisors that only look like poles do not."""

from math import sin, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad

from acausal import translate
from acausal.cli import main
from acausal.runs import RunError
from acausal.simulate.run import row_stream

STATES = "local x (start=0, fixed=true), p (start=0, fixed=true)\nder(x) = 1\n"
POLES = {
    "stiff before, unstable behind": STATES + "der(p) = 100*(cos(time) - p)/(1 - x)",
    "of a time": STATES + "der(p) = 100*(cos(time) - p)/(1 - time)",
    "in a product": STATES + "der(p) = 100*(cos(time) - p)/((3 + x)*(1 - x))",
    "of second order": STATES + "der(p) = 1e-9/(x - 1)^2",
    "of a parameter": "parameter a=2\n" + STATES + "der(p) = 100*(cos(time) - p)/(2 - a*x)",
    "assigned": STATES + "local d\nd = 1 - x^3\nder(p) = 100*(cos(time) - p)/d",
    "of a sine": STATES + "der(p) = 100*(cos(time) - p)/cos(pi/2*x)",
    "of itself": STATES + "der(p) = 1/(sqrt(2) - p)",
}
"""All at t = 1."""


def made(text: str):
    return translate(f"model M\n{text}\nend", cache=False)


@pytest.mark.parametrize("interval", [0.01, 0.3, 0.5])
@pytest.mark.parametrize("name", POLES)
def test_the_run_ends_before_a_pole(name: str, interval: float) -> None:
    with pytest.raises(RunError) as caught:
        made(POLES[name]).simulate(stop=3, interval=interval)
    (found,) = caught.value.report.diagnostics
    assert found.code in ("R019", "R002")
    assert found.primary.span.text.startswith("der(p)")
    poles = (1.0, 3.0) if name == "of a sine" else (1.0,)  # a row at t = 1 may lie on the solution that goes on there
    assert any(pole - interval <= caught.value.result.time[-1] <= pole + 1e-6 for pole in poles)


@pytest.mark.parametrize(("solver", "interval"), [("cvode", 0.2), ("adams", 0.1), ("adams", 0.5)])
def test_leaps_over_the_end_of_a_solution(solver: str, interval: float) -> None:
    """p = sqrt(2) - sqrt(2 - 2t) ends at t = 1; CVODE went on with the derivative it had last, to p = -2e7 and 6e38."""
    with pytest.raises(RunError) as caught:
        made(POLES["of itself"]).simulate(stop=3, interval=interval, solver=solver)
    (found,) = caught.value.report.diagnostics
    assert found.code in ("R019", "R002")
    assert caught.value.result.time[-1] <= 1.0


def test_a_short_pulse_is_no_leap() -> None:
    """A power of 2500 W for about 8 ms, between rows and beside the least speed: w^2 = 4 - 2 t + 2 W, W = 20 J*pi^0.5.

    Some rates on the way do not show it.
    """
    text = "local w (start=2, fixed=true)\nder(w) = (2500*exp(-((time - 1.094)/0.008)^2) - 1)/w"
    r = made(text).simulate(stop=1.5, interval=0.25)
    assert r["w"][-1] == pytest.approx(sqrt(4 - 2 * 1.5 + 2 * 2500 * 0.008 * sqrt(np.pi)), rel=1e-5)
    assert r["w"][4] < r["w"][3] and r["w"][5] > 8


def test_the_message_names_the_divisor() -> None:
    with pytest.raises(RunError) as caught:
        made(POLES["stiff before, unstable behind"]).simulate(stop=3, interval=0.3)
    text = str(caught.value)
    assert "R019" in text and "between t = 0.9 and t = 1.2: der(p) is infinite" in text
    assert "the divisor is x - 1" in text or "the divisor is 1 - x" in text


LAG = "der(p) = 100*(cos(time) - p)"
SHAPES = {
    "of an input": f"input u\n{LAG}/(u - x)",
    "of a relation": f"{LAG}/(if x > 0.5 then 1 - x else 1 + x)",
    "of linear equations": f"local a, b\na + x*b = 2\nb - x*a = x - 1\n{LAG}/(a - x)",
    "twice": f"{LAG}/((x - 1)^2 - 1e-6)",
    "of a nonlinear block": f"local y\ny^3 + y = 2*x\n{LAG}/(1 - y)",
    "without a change of its sign": f"{LAG}/(1 - sin(pi/2*x))",
}
"""Divisors that are zero at t = 1, or beside it: in `of linear equations` a = (2 - x^2 + x)/(1 + x^2)."""


@pytest.mark.parametrize("solver", ["cvode", "BDF"])
@pytest.mark.parametrize("name", SHAPES)
def test_divisors_of_all_kinds(name: str, solver: str) -> None:
    """Both solvers step over these."""
    given = {"u": 1.0} if "input" in name else None
    with pytest.raises(RunError) as caught:
        made(STATES + SHAPES[name]).simulate(stop=2.95, interval=0.3, solver=solver, inputs=given)
    (found,) = caught.value.report.diagnostics
    assert found.code == "R019"
    assert caught.value.result.time[-1] == pytest.approx(0.9)


BEHIND = {
    "of a block moved by time": f"local y\ny*exp(y) = time*exp(1)\n{LAG}/(1 - y^2)",
    "of a delay": f"{LAG}/(0.65 - delay(x, 0.35))",
    "of an input beside a delay": f"input u\nlocal q (start=0)\nder(q) = delay(x, 0.35)\n{LAG}/(u - x)",
    "of a block behind a delay": f"local y\ny^3 + y = 2*delay(x, 0.35) + 0.7\n{LAG}/(1 - y)",
}


@pytest.mark.parametrize("name", BEHIND)
def test_divisors_behind_blocks_and_delays(name: str) -> None:
    """CVODE steps over these."""
    given = {"u": 1.0} if "input" in name else None
    with pytest.raises(RunError) as caught:
        made(STATES + BEHIND[name]).simulate(stop=2.95, interval=0.3, inputs=given)
    (found,) = caught.value.report.diagnostics
    assert found.code == "R019"
    assert caught.value.result.time[-1] == pytest.approx(0.9)


@pytest.mark.parametrize("solver", ["cvode", "BDF"])
def test_the_determinant_of_linear_equations(solver: str) -> None:
    """The matrix E - x/4*ones(4, 4), with rows and columns scaled, has the determinant 1 - x."""
    scales, sums = [1.0, 2.5, 0.4, 3.0], []
    for row, scale in enumerate(scales):
        terms = [f"{scale}*{s + 0.5}*({float(row == column)} - x/4)*z{column}" for column, s in enumerate(scales)]
        sums.append(" + ".join(terms) + (" = cos(time) - p" if row == 0 else " = 0"))
    text = "local z0, z1, z2, z3\n" + "\n".join(sums) + "\nder(p) = 100*z0"
    with pytest.raises(RunError) as caught:
        made(STATES + text).simulate(stop=2.95, interval=0.3, solver=solver)
    assert caught.value.report.diagnostics[0].code in ("R019", "R003")
    assert caught.value.result.time[-1] == pytest.approx(0.9)
    assert "z0, z1" in str(caught.value)


def test_the_message_names_the_solution_of_a_block() -> None:
    with pytest.raises(RunError) as caught:
        made(STATES + SHAPES["of a nonlinear block"]).simulate(stop=2.95, interval=0.3)
    text = str(caught.value)
    assert "between t = 0.9 and t = 1.2: der(p) is infinite" in text and "the divisor is y - 1" in text


def test_a_divisor_that_only_comes_near_to_zero() -> None:
    r = made(STATES + f"{LAG}/((x - 1)^2 + 1e-4)").simulate(stop=3, interval=0.3)
    assert r["p"][-1] == pytest.approx(np.cos(3) + 0.04 * np.sin(3), abs=3e-3)  # T = 0.04 s, an error of T^2


@pytest.mark.parametrize("reduction", [{"final": ["p"]}, {"maximum": ["p"]}])
@pytest.mark.parametrize("event", ["", "discrete k (start=1)\nwhen time > 0.5 then\n  new(k) = 2\nendwhen\n"])
def test_a_sweep_tells_of_a_pole(event: str, reduction: dict[str, list[str]]) -> None:
    """x passes 1 in the last two runs."""
    text = f"parameter a=2\nlocal x (start=0, fixed=true), p (start=1, fixed=true)\n{event}der(x) = a\n{LAG}/(1 - x)"
    found = made(text).sweep({"a": [0.2, 0.3, 0.6, 1.3]}, stop=2, interval=0.1, **reduction)
    assert sorted(found.failures) == [2, 3]
    assert {failure.code for failure in found.failures.values()} <= {"R019", "R002"}


def test_a_sweep_examines_runs_whose_divisors_may_vanish() -> None:
    """2 + k*sin(q) has bounds while k is small; zero it is, or only might be, in runs between others without."""
    states = "local q (start=0, fixed=true), p (start=1, fixed=true)"
    model = made(f"parameter k=1, w=1\n{states}\nder(q) = w\n{LAG}/(2 + k*sin(q))")
    points = {"k": [0.5, 3, 2.5, 1, 2.5, -1.5], "w": [2, 2, 0.1, 2, 2, 2]}
    found = model.sweep(runs=points, stop=3, interval=0.1, final=["p"], jobs=1)
    assert sorted(found.failures) == [1, 4]
    assert {failure.code for failure in found.failures.values()} <= {"R019", "R002"}
    for number in (0, 2, 3, 5):
        single = model.simulate(stop=3, interval=0.1, parameters={name: x[number] for name, x in points.items()})
        assert found["final(p)"][number] == single["p"][-1]


def test_a_sweep_tells_of_a_pole_of_a_block() -> None:
    """y passes 1 where x does, in the last two runs."""
    states = "local x (start=0, fixed=true), p (start=1, fixed=true), y"
    text = f"parameter a=2\n{states}\nder(x) = a\ny^3 + y = 2*x\n{LAG}/(1 - y)"
    found = made(text).sweep({"a": [0.2, 0.3, 0.6, 1.3]}, stop=2, interval=0.1, final=["p"])
    assert sorted(found.failures) == [2, 3]
    assert {failure.code for failure in found.failures.values()} <= {"R019", "R002"}


BOUNDED = {
    "sin(x - 1)/(x - 1)": lambda x: sin(x - 1) / (x - 1) if x != 1 else 1.0,
    "(x^2 - 1)/(x - 1)": lambda x: x + 1,
    "1/sqrt(sqrt((x - 1)^2))": lambda x: 1 / sqrt(abs(x - 1)),
    "x/(2 + cos(3*x))": lambda x: x / (2 + np.cos(3 * x)),
}
"""Derivatives that are bounded, or integrable, where a divisor vanishes."""


OF_BLOCKS = {
    "y^3 + y = 2*x": ("(x - 1)/(y - 1)", lambda y: (y**2 + y + 2) / 2 * (3 * y**2 + 1) / 2, 2.0),
    "y^5 + y = 2*x": ("sin(y - 1)/(y - 1)", lambda y: np.sinc((y - 1) / np.pi) * (5 * y**4 + 1) / 2, 1.5),
    "y = 2*delay(x, 0.35)": ("(y - 1.3)/(x - 1)", lambda y: 1.0, 2.0),
}
"""The equation of y, a derivative that is bounded where y passes 1, and dp/dy; x is (y^3 + y)/2 and (y^5 + y)/2.

In the last one p grows by 2 from x = 0.35 on, and before by -1.3/(x - 1).
"""


@pytest.mark.parametrize("equation", OF_BLOCKS)
def test_a_bounded_derivative_with_a_block_or_a_delay(equation: str) -> None:
    slope, by_y, last = OF_BLOCKS[equation]
    if "delay" in equation:
        x, expected = 2.95, -1.3 * np.log(0.65) + 2 * (2.95 - 0.35)
    else:
        x, expected = (last ** (5 if "y^5" in equation else 3) + last) / 2, quad(by_y, 0, last)[0]
    r = made(STATES + f"local y\n{equation}\nder(p) = {slope}").simulate(stop=x, interval=0.33)
    assert r["p"][-1] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("slope", BOUNDED)
def test_a_bounded_derivative_goes_on(slope: str) -> None:
    r = made(STATES + f"der(p) = {slope}").simulate(stop=2.97, interval=0.33)
    expected = quad(BOUNDED[slope], 0, 2.97, points=[1.0])[0]
    assert r["p"][-1] == pytest.approx(expected, rel=1e-3)


def test_a_sign_that_an_event_changes() -> None:
    """The divisor jumps from 1 to -1 at t = 1, without a zero."""
    r = made(
        "discrete k (start=1)\nlocal p (start=0, fixed=true)\nder(p) = 1/(k + 0*time + 0.001*p)\n"
        "when time > 1 then\n  new(k) = -1\nendwhen"
    ).simulate(stop=2, interval=0.3)
    assert abs(r["p"][-1]) < 0.01


def test_a_solution_through_a_singular_point() -> None:
    """(1 - t) y' = -y, y(0) = 1: y = 1 - t, whose derivative is -1 everywhere."""
    r = made("local y (start=1, fixed=true)\nder(y) = -y/(1 - time)").simulate(stop=3, interval=0.7)
    assert r["y"] == pytest.approx(1 - r.time, abs=1e-9)


@pytest.mark.parametrize("text", [POLES["stiff before, unstable behind"], STATES + SHAPES["of a nonlinear block"]])
@pytest.mark.parametrize("portion", [1 << 20, 1])
def test_a_pole_between_two_portions_of_rows(
    portion: int, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rows that have been handed on before the pole still count."""
    monkeypatch.setattr(row_stream, "PORTION", portion)
    file = tmp_path / "m.mdl"
    file.write_text(f"model M\n{text}\nend\n", encoding="utf-8")
    arguments = ["simulate", str(file), "-o", str(tmp_path / "m.csv"), "--stop", "3", "--interval", "0.3"]
    assert main([*arguments, "--solver", "BDF"]) == 3
    assert "between t = 0.9 and t = 1.2: der(p) is infinite" in capsys.readouterr().err
    last = (tmp_path / "m.csv").read_text(encoding="utf-8").splitlines()[-1]
    assert float(last.split(",")[0]) == pytest.approx(0.9)
