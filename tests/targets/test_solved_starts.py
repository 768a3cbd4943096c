"""A first instant that Newton's method does not solve: exported programs find the solution as the built-in run does."""

import subprocess
from math import sqrt
from pathlib import Path

import pytest

import acausal
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.targets.c.machine import executed
from tests.targets.fmi.importer import Fmu
from tests.targets.test_python_target import loaded

FAR = """model Far
  parameter c = 4, s = 0.5
  local x, y (start=0, fixed=true)
  local a (start=15), b (start=-2)
  local h (start=1.2)
  x^2 = c + y
  der(y) = x
  -13 + (a - s) + ((5 - b)*b - 2)*b = 0
  -29 + (a - s) + ((b + 1)*b - 14)*b = 0
  (h - s/10)^3 - 3*(h - s/10) + 5 = 0
  experiment (stop=1)
end
"""
"""At the guess x = 0 Newton's matrix is singular; dx/dt = 1/2, so that x = 2 + t/2 from the positive solution.

The equations for a and b are those of F. Freudenstein, B. Roth, J. ACM 10 (1963) 550, whose solution is (5 + s, 4):
damped steps are caught at another point. For h they are caught beside a minimum, the solution is -2.279 + s/10.
"""
HILL = -2.2790187861665936
MAIN = """
#include <stdio.h>
#include "deep.h"
static deep_t m;
int main(void)
{
    deep_parameters p;
    deep_out o;
    int status = deep_init(&m, 0.0, NULL, NULL, &o);
    for (int i = 0; i < 100 && status == 0; i++) {
        status = deep_step(&m, NULL, &o);
    }
    printf("%d %.17g %.17g %.17g %.17g\\n", status, o.x, o.a, o.b, o.h);
    deep_default_parameters(&p);
    p.c = 9.0;
    p.s = 2.0;
    status = deep_init(&m, 0.0, &p, NULL, &o);
    printf("%d %.17g %.17g %.17g %.17g\\n", status, o.x, o.a, o.b, o.h);
    p.c = -1.0;
    status = deep_init(&m, 0.0, &p, NULL, &o);
    printf("%d %s\\n", status == DEEP_UNSOLVED, deep_explain(&m));
    return 0;
}
"""


@pytest.fixture(scope="module")
def far() -> acausal.Translation:
    model = acausal.translate(FAR)
    assert [note.code for note in model.simulate().notes] == ["R013"] * 3
    return model


def test_c(far: acausal.Translation, tmp_path: Path) -> None:
    first, second, third = [line.split(maxsplit=5) for line in executed(tmp_path, {"deep": far}, MAIN, 0.01)]
    assert [float(x) for x in first] == pytest.approx([0, 2.5, 5.5, 4, HILL + 0.05], rel=1e-9)
    assert [float(x) for x in second] == pytest.approx([0, 3, 7, 4, HILL + 0.2], rel=1e-9)
    assert third[0] == "1"
    assert third[-1].endswith(" x")


def test_fortran(far: acausal.Translation, tmp_path: Path) -> None:
    far.export("fortran", tmp_path / "far.f90")
    command = ["gfortran", "-std=f2008", "-Wall", "-Wextra", "-Werror", "far.f90", "far.main.f90", "-o", "far"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run(
        ["./far", "--set", "c=9", "--set", "s=3"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    names, *rows = [line.split(",") for line in done.stdout.splitlines()]
    first = [float(rows[0][names.index(name)]) for name in ("x", "a", "b", "h")]
    assert first == pytest.approx([3, 8, 4, HILL + 0.3], rel=1e-9)


def test_python_module(far: acausal.Translation, tmp_path: Path) -> None:
    far.export("python", tmp_path / "far_module.py")
    found = loaded(tmp_path / "far_module.py").simulate(parameters={"c": 5.0, "s": 2.0})
    last = [found.columns[name][-1] for name in ("x", "a", "b", "h")]
    assert last == pytest.approx([sqrt(5.0) + 0.5, 7, 4, HILL + 0.2], rel=1e-6)


def test_fmu_with_a_start_value_as_parameter(far: acausal.Translation, tmp_path: Path) -> None:
    files = fmu_files(far._model, "far", TargetOptions(source_only=True, kind="me"), 3)
    made = Fmu(tmp_path, ("-O0",), files).model_exchange().initialize(y=5.0, s=3.0)
    assert [made.get(name)[0] for name in ("x", "a", "b", "h")] == pytest.approx([3, 8, 4, HILL + 0.3], rel=1e-9)
    made.free()
