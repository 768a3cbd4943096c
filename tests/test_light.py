"""Commands that compute nothing load no library for computing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.collection import EXAMPLES, ROOT

HEAVY = {"numpy", "scipy", "sympy", "llvmlite", "sksundae", "matplotlib", "networkx", "prompt_toolkit", "rich"}
RUN = """
import sys
from acausal.cli import main

code = main(sys.argv[1:])
print(code, *sorted({name.split(".")[0] for name in sys.modules}))
"""
MODULES = RUN.replace('name.split(".")[0]', "name")


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["check", str(EXAMPLES[0])], ["check", "faulty.mdl"], ["explain", "P001"]],
    ids=" ".join,
)
def test_no_heavy_library_is_loaded(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "faulty.mdl").write_text("model A\n  local x\n  x = y\nend\n", encoding="utf-8")
    command, environment = [sys.executable, "-c", RUN, *arguments], {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    code, *loaded = done.stdout.splitlines()[-1].split()
    assert code == ("1" if "faulty.mdl" in arguments else "0"), done.stderr
    assert "acausal" in loaded
    assert HEAVY & set(loaded) == set()


def test_help_imports_no_command(tmp_path: Path) -> None:
    command, environment = [sys.executable, "-c", MODULES, "--help"], {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.splitlines()[-1].split() if name.startswith("acausal.")}
    cli = {"", ".app", ".command_table", ".flags", ".flags.plain_values"}
    cli |= {".process", ".process.exit_codes", ".process.streams"}
    assert loaded == {f"acausal.cli{name}" for name in cli}


NEEDLESS = {
    *("causalize", "elaborate", "units", "codegen.lower.lower", "codegen.llvm.module_text", "codegen.numpy.to_numpy"),
    *("ir.expr", "ir.pool", "ir.flat", "ir.dae", "ir.plan", "ir.events", "ir.show", "symbolic", "results.plot"),
    *("runtime.kernel.check", "runtime.kernel.tree", "runtime.kernel.llvm"),
    *("simulate.failure.interpreter", "simulate.failure.sorted_equations"),
    *("results.formats.mat_format", "results.formats.npz_format", "results.formats.parquet_format"),
}
"""Modules of acausal that no run needs whose translation and code are kept."""


def test_a_run_from_the_cache_loads_no_translator(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MODULES, "simulate", str(ROOT / "examples" / "dc_motor.mdl")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ACAUSAL_CACHE": str(tmp_path / "cache")}
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    code, *loaded = done.stdout.splitlines()[-1].split()
    assert code == "0", done.stderr
    assert {f"acausal.{name}" for name in NEEDLESS} & set(loaded) == set()
