"""Whole dialogues with real models, piped in: what they answer is known from formulas."""

import os
import re
import subprocess
import sys
from math import exp
from pathlib import Path

import pytest

from tests.collection import ROOT

SHAFT = """
@rotational.lib
model Shaft
  input tau
  output phi
  local w
  submodel (inertia) J(J=2)
  submodel (damper) d(d=0.5)
  submodel (fixed) wall
  submodel (signaltorque) T
  connect T to J to d to wall
  T.torque = tau
  phi = J.phi
  w = der(phi)
end
"""


def dialogue(folder: Path, *lines: str) -> list[str]:
    """The answers to the lines, from a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "acausal", "repl"],
        input="".join(f"{line}\n" for line in lines),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    answers = []
    rest = done.stdout
    for line in lines:
        head, rest = rest.split(f"> {line}\n", 1)
        answers.append(head)
    return [answer.rstrip("\n") for answer in [*answers[1:], rest]]


def test_a_circuit(tmp_path: Path) -> None:
    load, checked, shown, ran, charge, error, plotted, written, sum_ = dialogue(
        tmp_path,
        f"load {ROOT / 'examples' / 'rc.mdl'}",
        "check",
        "show statistics",
        "simulate tolerance=1e-9",
        "C.u",
        "max(abs(C.u - 10*(1 - exp(-time/1e-3))))",
        "plot C.u R.u figure=charge.png",
        "write charge.csv",
        "max(abs(C.u + R.u - 10)) < 1e-12",
    )
    assert load == "RC loaded"
    assert checked.endswith("rc.mdl: no errors found")
    assert re.search(r"^states +1$", shown, re.MULTILINE)
    assert ran.startswith("RC: 0 to 0.005 s, 501 rows")
    assert charge.startswith("from 0 at t = 0 to 9.9326")
    assert float(error) < 1e-6
    assert (plotted, written, sum_) == ("written: charge.png", "written: charge.csv", "true")
    assert (tmp_path / "charge.png").stat().st_size > 3000
    assert (tmp_path / "charge.csv").read_text().startswith("time,")


def test_a_motor_whose_parameters_change(tmp_path: Path) -> None:
    *_, before, _, _, after, _, misspelled, misnamed, ratio, _, geared = dialogue(
        tmp_path,
        f"load {ROOT / 'examples' / 'dc_motor.mdl'} DcMotor",
        "output sorted equations",
        "simulate",
        "mean(La.i) > 0",
        "set U.V=0",
        "simulate",
        "max(abs(arm.phi))",
        "set U.V=12, n.ratio=20",
        "simulat",
        "set Ra.RR = 2",
        "n.ratio",
        "simulate",
        "max(abs(M.w - 20*arm.w)) < 1e-6",
    )
    assert (before, float(after)) == ("true", 0.0)
    assert "did you mean the command simulate?" in misspelled
    assert "did you mean Ra.R?" in misnamed
    assert ratio == "n.ratio = 20  speed of A for each speed of B (40 in the last result)"
    assert geared == "true"


def test_a_model_asked_the_other_way_round(tmp_path: Path) -> None:
    """2 phi'' + phi'/2 = tau: forwards w tends to 2 tau; backwards phi = t^3 needs 12 t + 1.5 t^2."""
    (tmp_path / "shaft.mdl").write_text(SHAFT)
    answers = dialogue(
        tmp_path,
        "load shaft.mdl",
        "simulate",
        "input tau=1",
        "simulate stop=4, tolerance=1e-10",
        "final(w)",
        "variable known phi",
        "simulate",
        "variable unknown tau",
        "output solved equations",
        "input phi=time^3",
        "simulate stop=2",
        "max(abs(tau - (12*time + 1.5*time^2))) < 1e-9",
        "variable unknown phi",
        "variable known tau",
        "simulate stop=4",
        "final(w) > 1",
        "oops(",
        "quit",
    )
    assert "error[R005]: the input tau has no value" in answers[1]
    assert float(answers[4]) == pytest.approx(2 * (1 - exp(-1)), abs=1e-6)
    assert "error[S001]" in answers[6]
    assert "= note: in this session known: phi" in answers[6]
    assert "tau = " in answers[8]
    assert answers[11] == "true"
    assert answers[13] == "known and unknown variables as in the model"
    assert answers[15] == "true"
    assert "error[P" in answers[16]


def test_sizing_and_a_steady_start(tmp_path: Path) -> None:
    """Which outflow keeps a tank at the level 4 with the inflow 3, and where it rests with the usual one."""
    text = "model Tank\n  parameter k=2\n  local h (start=1)\n  der(h) = 3 - k*sqrt(h)\nend\n"
    (tmp_path / "tank.mdl").write_text(text)
    answers = dialogue(
        tmp_path,
        "load tank.mdl",
        "simulate steady stop=1",
        "final(h)",
        "variable unknown k",
        "simulate",
        "variable known h",
        "input h=4",
        "simulate",
        "final(k)",
        "quit",
    )
    assert float(answers[2]) == pytest.approx(2.25)
    assert "--known h" in answers[4]
    assert answers[5] == "known: h; unknown: k"
    assert float(answers[8]) == pytest.approx(1.5)
