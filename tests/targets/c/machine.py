"""Models as C, compiled and executed: all of a test in one program."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import acausal

WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off")


def compiler() -> str:
    """A C compiler."""
    found = shutil.which("gcc") or shutil.which("clang")
    assert found, "a C compiler is needed: gcc or clang"
    return found


def executed(
    folder: Path,
    models: Mapping[str, acausal.Translation],
    main: str,
    step: float,
    method: str = "rk4",
    *,
    single: bool = False,
) -> list[str]:
    """The lines that a `main` prints, which includes the headers of the models by their names."""
    for name, model in models.items():
        model.export("c", folder / f"{name}.c", step=step, method=method, single=single)
    (folder / "main.c").write_text(main, encoding="utf-8")
    sources = ["main.c", *[f"{name}.c" for name in models]]
    command = [compiler(), *WARNINGS, *sources, "-lm", "-o", "program"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = subprocess.run([folder / "program"], capture_output=True, text=True, check=True, timeout=60)
    return found.stdout.splitlines()
