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
