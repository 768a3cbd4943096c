"""The Fortran target: text, what it refuses, and, where gfortran is installed, results of the program.

`python -m tests.long.trajectories fortran` compiles all examples.
"""

import shutil
import subprocess
from math import exp, sqrt
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.runtime.blocks.newton import solve_newton
from acausal.runtime.blocks.pivots import PIVOTS, PivotRecord
from acausal.runtime.blocks.refined import solve_refined
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.fortran.layout import wrapped
from acausal.runtime.kernel.fortran.printer import procedures
from acausal.runtime.kernel.signature import fields

COMPILER = shutil.which("gfortran")
FLAGS = ["-std=f2008", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
BALL = """model Ball
  local h (start=1, fixed=true), v (start=0, fixed=true), impulse
  discrete bounces, samples
  der(h) = v
  der(v) = -10
  impulse = 3*v
  when h < 0 then
    init(impulse) = -0.5*impulse
    new(bounces) = bounces + 1
  endwhen
  when sample(0.05, 0.1) then
    new(samples) = samples + 1
  endwhen
end
"""
LATE = """model Late
  parameter tau = 1
  local x (start=1, fixed=true), z (start=0, fixed=true)
  discrete count
  der(x) = -delay(x, tau)
  der(z) = if delay(time, 0.25) > 0.45 then 1 else 0
  when delay(x, tau) < 0.2 then
    new(count) = count + 1
  endwhen
  experiment (stop=2.5)
end
"""
MIXED = """
model Mixed
  parameter k = 3, w = k/2
  input u
  local x (start=0.4, fixed=true), y (start=0.3), z, a, b
  der(x) = u - w*x + noevent(if x > 10 and z > 1 then 1 else 0)
  y + y^3 = x
  z = exp(y)*atan2(x, 1 + x^2)
  x*a + b = 1
  a - x*b = z
end
"""
SPRING = """
model Spring
  local x (start=1, fixed=true), v (start=-0.1, fixed=true), f
  der(x) = v
  der(v) = -f
  f + f^3 = x
end
"""
PIVOTS_OF_RUN = """program pivots
  use spring_model
  implicit none
  type(model_type), target, save :: m
  integer :: status
  call set_defaults(m)
  status = set_parameters(m) + initialize(m, 0.0_dp) + advance_to(m, 0.5_dp)
  write (*, "(2(es25.16e3, :, a))") m%y(PLACE_X), ",", m%m(PLACE)
  stop status
end program pivots
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fortran")
    written = acausal.translate(MIXED).export("fortran", folder / "mixed.f90")
    assert [path.name for path in written] == ["mixed.f90", "mixed.main.f90"]
    return folder


def test_text_is_readable(files: Path) -> None:
    text = (files / "mixed.f90").read_text(encoding="utf-8")
    assert "! <text>:6: der(x) = u - w*x" in text
    assert "function solve_newton(" in text
    assert max(map(len, text.splitlines())) <= 132


def test_kernels_have_no_operands_that_must_not_be_evaluated() -> None:
    """Fortran may evaluate all parts of `and`: an element behind it is looked at in a block of its own."""
    text = "\n".join(procedures(check_kernels((solve_newton, solve_refined)))).replace("is_equal(", "same(")
    assert not [
        line for line in text.splitlines() if ".and." in line and "(" in line.partition(".and.")[2] and "(i" in line
    ]


def test_long_lines_go_on() -> None:
    lines = wrapped(" + ".join(["some_long_name"] * 30), 2).splitlines()
    assert len(lines) > 1
    assert all(line.endswith("&") for line in lines[:-1])
    assert " ".join([line.rstrip("& ").strip() for line in lines]) == " + ".join(["some_long_name"] * 30)


def compiled(folder: Path, name: str) -> Path:
    """The program, without a warning."""
    assert COMPILER is not None
    subprocess.run([COMPILER, *FLAGS, f"{name}.f90", f"{name}.main.f90", "-o", name], cwd=folder, check=True)
    return folder / name


def last_row(program: Path, *options: str) -> tuple[dict[str, float], int, str]:
    """The last row of a run by names, the number of rows, and what it said."""
    done = subprocess.run([program, *options], capture_output=True, text=True, check=True)
    head, *rows = done.stdout.splitlines()
    return dict(zip(head.split(","), map(float, rows[-1].split(",")), strict=True)), len(rows), done.stderr.strip()


def test_events_of_a_compiled_program(tmp_path: Path) -> None:
    """Bounces at sqrt(0.2) and twice that later, samples, and `init` of a variable that is no state."""
    if COMPILER is None:
        return
    acausal.translate(BALL).export("fortran", tmp_path / "ball.f90", step=0.01)
    program = compiled(tmp_path, "ball")
    first = sqrt(0.2)
    last, rows, said = last_row(program, "--stop", "0.8", "--interval", "0.1")
    t, v = 0.8 - first, 0.5 * 10 * first
    assert (rows, said) == (9, "9 events")
    assert last["h"] == pytest.approx(v * t - 5 * t * t, abs=1e-9)
    assert last["v"] == pytest.approx(v - 10 * t, abs=1e-9)
    assert (last["bounces"], last["samples"]) == (1.0, 8.0)
    implicit, *_ = last_row(program, "--stop", "0.8", "--step", "1e-5", "--method", "implicit-euler")
    assert implicit["v"] == pytest.approx(v - 10 * t, abs=1e-3)


def test_delays(tmp_path: Path) -> None:
    """x' = -x(t - 1) from 1: polynomials (the method of steps); a jump that comes through a delay is an event."""
    if COMPILER is None:
        return
    acausal.translate(LATE).export("fortran", tmp_path / "late.f90", step=0.01)
    program = compiled(tmp_path, "late")
    last, _, said = last_row(program, "--stop", "2.5", "--interval", "0.5")
    assert last["x"] == pytest.approx(1.0 - 2.5 + 1.5**2 / 2 - 0.5**3 / 6, abs=1e-9)
    assert (last["z"], last["count"]) == (pytest.approx(2.5 - 0.7, abs=1e-9), 1.0)
    assert said.endswith("events")
    short = subprocess.run([program, "--step", "1e-4"], capture_output=True, text=True, check=False)
    assert (short.returncode, short.stderr.splitlines()[0]) == (3, "error: the delay history is full")


def test_compiled_program(files: Path) -> None:
    """Closed form x' = 2 - 3/2 x, and variables that solve their equations; with gfortran where it is installed."""
    if COMPILER is None:
        return
    program = compiled(files, "mixed")
    last, rows, said = last_row(program, "--input", "u=2", "--stop", "2")
    assert (rows, said) == (501, "")
    x = 4.0 / 3.0 + (0.4 - 4.0 / 3.0) * exp(-3.0)
    assert last["x"] == pytest.approx(x, rel=1e-8)
    assert last["y"] + last["y"] ** 3 == pytest.approx(x, rel=1e-8)
    assert last["z"] == pytest.approx(np.exp(last["y"]) * np.arctan2(x, 1 + x * x), rel=1e-8)
    assert [x * last["a"] + last["b"], last["a"] - x * last["b"]] == pytest.approx([1.0, last["z"]], rel=1e-8)
    wrong = subprocess.run([program, "--set", "w=2x"], capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stderr.splitlines()[0]) == (3, "error: not a number: 2x")


def test_pivots_of_a_compiled_program(tmp_path: Path) -> None:
    """The run notes the factor of f + f^3 = x, 1 + 3*f^2, as a share of the largest one, that of the first instant."""
    if COMPILER is None:
        return
    translation = acausal.translate(SPRING)
    program = translation.program
    translation.export("fortran", tmp_path / "spring.f90", step=0.01)
    place = program.work + fields(PivotRecord)["least"][0] - PIVOTS
    state = [slot.symbol[0] for slot in program.state_slots].index(("x",))
    text = PIVOTS_OF_RUN.replace("PLACE_X", str(state)).replace("PLACE", str(place))
    (tmp_path / "pivots.f90").write_text(text, encoding="utf-8")
    subprocess.run([COMPILER, "spring.f90", "pivots.f90", "-o", "pivots"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "pivots"], capture_output=True, text=True, check=True)
    x, share = map(float, done.stdout.split(","))
    least, largest = [1.0 + 3.0 * _root_of_cubic(known) ** 2 for known in (x, 1.0)]
    assert 0.7 < x < 0.9
    assert share == pytest.approx(least / largest, rel=1e-6)


def _root_of_cubic(x: float) -> float:
    """The real y of y + y^3 = x, by Cardano's formula."""
    root = sqrt(x * x / 4.0 + 1.0 / 27.0)
    return float(np.cbrt(x / 2.0 + root) + np.cbrt(x / 2.0 - root))
