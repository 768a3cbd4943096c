"""Whole processes in units of a bare `python -c "import lark, typer"`.

    python -m tests.bench.startup [ROUNDS] [--python PYTHON]

Each round runs every command once, so that all meet the same load of the machine. Compiled
modules are kept, as pip does on installing, in a folder of the benchmark's own. Then the robot, with nothing kept and
again, in processor seconds. PYTHON may be an interpreter with a wheel of ours, which has the object code of kernels.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench.measure import child_seconds

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = "model Decay\n  parameter T=2\n  local x (start=1, fixed=true)\n  T*der(x) = -x\nend\n"
UNIT = ["-c", "import lark, typer"]


def commands(small: Path) -> dict[str, tuple[list[str], float | None]]:
    """What is run, by the name it has in the table, and how many units it may take."""
    motor = str(EXAMPLES / "dc_motor.mdl")
    acausal = ["-m", "acausal"]
    return {
        "python -c 'import lark, typer'": (UNIT, None),
        "acausal --help": ([*acausal, "--help"], 2),
        "acausal check SMALL": ([*acausal, "check", str(small)], 3),
        "acausal check dc_motor.mdl": ([*acausal, "check", motor], None),
        "acausal simulate dc_motor.mdl": ([*acausal, "simulate", motor], 20),
    }


def seconds(python: str, arguments: list[str], environment: dict[str, str]) -> float:
    """One process from start to end."""
    begin = perf_counter()
    subprocess.run([python, *arguments], env=environment, cwd=EXAMPLES, capture_output=True, check=True)
    return perf_counter() - begin


def robot(python: str, environment: dict[str, str], rounds: int) -> tuple[float, float]:
    """Processor seconds of the robot's first and second process, the least of some rounds."""
    command = [python, "-m", "acausal", "simulate", str(EXAMPLES / "robot" / "robot.mdl"), "--quiet"]
    first, second = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            empty = environment | {"ACAUSAL_CACHE": cache}
            first.append(child_seconds(command, empty, EXAMPLES))
            second.append(child_seconds(command, empty, EXAMPLES))
    return min(first), min(second)


def environment_of(folder: Path) -> dict[str, str]:
    """Ours, with compiled modules kept in the folder."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.startup")
    parser.add_argument("rounds", nargs="?", type=int, default=15)
    parser.add_argument("--python", default=sys.executable)
    given = parser.parse_args()
    rounds, python = given.rounds, given.python
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.mdl"
        small.write_text(SMALL, encoding="utf-8")
        rows, environment = commands(small), environment_of(Path(folder))
        for arguments, _ in rows.values():
            seconds(python, arguments, environment)  # fills the caches
        taken = {name: [0.0] * rounds for name in rows}
        for number in range(rounds):
            for name, (arguments, _) in rows.items():
                taken[name][number] = seconds(python, arguments, environment)
        first, second = robot(python, environment, min(rounds, 5))
    unit = taken["python -c 'import lark, typer'"]
    print(f"{'':32}{'least [s]':>10}{'median [s]':>11}{'ratio':>8}{'at most':>9}   of the least times, {rounds} rounds")
    for name, (_, bound) in rows.items():
        least = min(taken[name])
        limit = "" if bound is None else f"{bound:g}"
        print(f"{name:32}{least:10.3f}{median(taken[name]):11.3f}{least / min(unit):8.2f}{limit:>9}")
    print(f"robot, processor seconds: nothing kept {first:.2f} (aim 0.8), second time {second:.2f} (aim 0.3)")


if __name__ == "__main__":
    main()
