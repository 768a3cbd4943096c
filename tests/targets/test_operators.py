"""Printers of programs against the table of operators: no row can be missing from one of them."""

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acausal.ir.ops import OPS
from acausal.ir.program.program import Program
from acausal.targets.c.function_file import c_function
from acausal.targets.functions.casadi_function import casadi_function
from acausal.targets.python.function_file import python_function
from tests.codegen.plans import PlanMaker, lowered
from tests.codegen.test_operators import applied, expected
from tests.targets.c.machine import WARNINGS, compiler

ROWS = {name: row for name, row in OPS.items() if name != "external"}
"""Calls of FMUs are refused by targets."""
POINTS = ((0.3, 0.7, 0.2), (0.6, 0.6, 0.4), (0.9, 0.1, 0.8))
"""All operators are defined there; relations are true at some and false at others."""
Function = Callable[[np.ndarray], np.ndarray]


@pytest.fixture(scope="module")
def program() -> Program:
    """A function of three inputs with a result for each row."""
    m = PlanMaker()
    inputs = [m.input(f"x{i}") for i in range(3)]
    for row in ROWS.values():
        m.rate(m.state(f"of {row.name}"), applied(m.pool, row, inputs[: row.arity or 3]))
    return lowered(m.plan())


def python_text(program: Program, folder: Path) -> Function:
    names: dict[str, Any] = {"__name__": "rows"}
    exec(python_function(program, "rows", [("x", 3)], (len(ROWS),)), names)  # noqa: S102 - what we have written
    found: Function = names["rows"]
    return found


def c_text(program: Program, folder: Path) -> Function:
    (folder / "rows.c").write_text(c_function(program, "rows", [("x", 3)]), encoding="utf-8")
    command = [compiler(), *WARNINGS, "-shared", "-fPIC", "rows.c", "-lm", "-o", "rows.so"]
    subprocess.run(command, cwd=folder, check=True)
    library = ctypes.CDLL(str(folder / "rows.so"))

    def called(x: np.ndarray) -> np.ndarray:
        p, out = np.zeros(max(1, program.parameter_size)), np.zeros(len(ROWS))
        assert library.rows_complete(ctypes.c_void_p(p.ctypes.data)) == 0
        assert library.rows(*[ctypes.c_void_p(a.ctypes.data) for a in (x, p, out)]) == 0
        return out

    return called


def casadi(program: Program, folder: Path) -> Function:
    function = casadi_function(program, "rows", [("x", 3)], (len(ROWS),))
    return lambda x: np.array(function(x, [])).ravel()


@pytest.mark.parametrize("printer", [python_text, c_text, casadi], ids=lambda f: f.__name__)
def test_every_printer_knows_every_operator(
    printer: Callable[[Program, Path], Function], program: Program, tmp_path: Path
) -> None:
    function = printer(program, tmp_path)
    for point in POINTS:
        wanted = [expected(row, np.array(point)[: row.arity or 3]) for row in ROWS.values()]
        found = dict(zip(ROWS, function(np.array(point)), strict=True))
        assert found == pytest.approx(dict(zip(ROWS, wanted, strict=True)), rel=1e-14, abs=1e-14)
