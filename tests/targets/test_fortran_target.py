"""The Fortran target: text, models that it refuses, and, where gfortran is installed, results of the program.

`python -m tests.long.fortran` compiles all examples without events.
"""

import shutil
import subprocess
from math import exp
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import ModelError
from acausal.runtime.blocks.newton import solve_newton
from acausal.runtime.blocks.refined import solve_refined
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.fortran.layout import wrapped
from acausal.runtime.kernel.fortran.printer import procedures

COMPILER = shutil.which("gfortran")
FLAGS = ["-std=f2008", "-Wall", "-Werror", "-ffp-contract=off"]
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
    text = "\n".join(procedures(check_kernels((solve_newton, solve_refined))))
    assert not [
        line for line in text.splitlines() if ".and." in line and "(" in line.partition(".and.")[2] and "(i" in line
    ]


def test_long_lines_go_on() -> None:
    lines = wrapped(" + ".join(["some_long_name"] * 30), 2).splitlines()
    assert len(lines) > 1
    assert all(line.endswith("&") for line in lines[:-1])
    assert " ".join([line.rstrip("& ").strip() for line in lines]) == " + ".join(["some_long_name"] * 30)


def test_events_are_refused_at_their_line() -> None:
    model = acausal.translate("model M\n  local x (start=1, fixed=true)\n  der(x) = if x > 0.5 then -1 else 0\nend\n")
    with pytest.raises(ModelError) as error:
        model.export("fortran", "m.f90")
    assert "F040" in str(error.value)
    assert "the target Fortran does not support events (`x > 0.5`)" in str(error.value)
    assert ":3:" in str(error.value)


def test_compiled_program(files: Path) -> None:
    """Closed form x' = 2 - 3/2 x, and variables that solve their equations; with gfortran where it is installed."""
    if COMPILER is None:
        return
    for name in ("mixed.f90", "mixed.main.f90"):
        subprocess.run([COMPILER, *FLAGS, "-c", name], cwd=files, check=True)
    subprocess.run([COMPILER, "mixed.o", "mixed.main.o", "-o", "mixed"], cwd=files, check=True)
    command = ["./mixed", "--input", "u=2", "--stop", "2", "--tolerance", "1e-8"]
    done = subprocess.run(command, cwd=files, capture_output=True, text=True, check=True)
    head, *rows = done.stdout.splitlines()
    last = dict(zip(head.split(","), map(float, rows[-1].split(",")), strict=True))
    assert len(rows) == 501
    x = 4.0 / 3.0 + (0.4 - 4.0 / 3.0) * exp(-3.0)
    assert last["x"] == pytest.approx(x, rel=1e-8)
    assert last["y"] + last["y"] ** 3 == pytest.approx(x, rel=1e-8)
    assert last["z"] == pytest.approx(np.exp(last["y"]) * np.arctan2(x, 1 + x * x), rel=1e-8)
    assert [x * last["a"] + last["b"], last["a"] - x * last["b"]] == pytest.approx([1.0, last["z"]], rel=1e-8)
    wrong = subprocess.run(["./mixed", "--set", "w=2x"], cwd=files, capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stderr.splitlines()[0]) == (3, "error: not a number: 2x")
