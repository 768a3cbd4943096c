"""A first instant that Newton's method does not solve: exported programs begin where the homotopy has solved it."""

from math import sqrt
from pathlib import Path

import pytest

import acausal
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.targets.c.machine import executed
from tests.targets.fmi.importer import Fmu
from tests.targets.test_python_target import loaded

FLAT = """model Flat
  parameter c = 4
  local x, y (start=0, fixed=true)
  x^2 = c + y
  der(y) = x
  experiment (stop=1)
end
"""
"""At the guess x = 0 Newton's matrix is singular. dx/dt = 1/2, so that x = 2 + t/2 from the positive solution."""
MAIN = """
#include <stdio.h>
#include "flat.h"
static flat_t m;
int main(void)
{
    flat_parameters p;
    flat_out o;
    int status = flat_init(&m, 0.0, NULL, NULL, &o);
    for (int i = 0; i < 100 && status == 0; i++) {
        status = flat_step(&m, NULL, &o);
    }
    printf("%d %.17g\\n", status, o.x);
    flat_default_parameters(&p);
    p.c = 9.0;
    status = flat_init(&m, 0.0, &p, NULL, &o);
    printf("%d %.17g\\n", status, o.x);
    return 0;
}
"""


@pytest.fixture(scope="module")
def flat() -> acausal.Translation:
    model = acausal.translate(FLAT)
    assert [note.code for note in model.simulate().notes] == ["R013"]
    return model


def test_c(flat: acausal.Translation, tmp_path: Path) -> None:
    lines = [line.split() for line in executed(tmp_path, {"flat": flat}, MAIN, 0.01)]
    assert [status for status, _ in lines] == ["0", "0"]
    assert [float(x) for _, x in lines] == pytest.approx([2.5, 3.0], rel=1e-9)


def test_python_module(flat: acausal.Translation, tmp_path: Path) -> None:
    flat.export("python", tmp_path / "flat_module.py")
    found = loaded(tmp_path / "flat_module.py").simulate(parameters={"c": 5.0})
    assert found.columns["x"][-1] == pytest.approx(sqrt(5.0) + 0.5, rel=1e-6)


def test_fmu_with_a_start_value_as_parameter(flat: acausal.Translation, tmp_path: Path) -> None:
    files = fmu_files(flat._model, "flat", TargetOptions(source_only=True, kind="me"), 3)
    made = Fmu(tmp_path, ("-O0",), files).model_exchange().initialize(y=5.0)
    assert made.get("x")[0] == pytest.approx(3.0, rel=1e-9)
    made.free()
