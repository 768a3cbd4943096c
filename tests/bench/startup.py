"""Whole processes in units of a bare `python -c "import lark, typer"`.

    python -m tests.bench.startup [ROUNDS]

Each round runs every command once, so that all meet the same load of the machine. Compiled
modules are kept, as pip does on installing, in a folder of the benchmark's own.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

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


def seconds(arguments: list[str], environment: dict[str, str]) -> float:
    """One process from start to end."""
    begin = perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=True)
    return perf_counter() - begin


def environment_of(folder: Path) -> dict[str, str]:
    """Ours, with compiled modules kept in the folder."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def main() -> None:
    """Print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.mdl"
        small.write_text(SMALL, encoding="utf-8")
        rows, environment = commands(small), environment_of(Path(folder))
        for arguments, _ in rows.values():
            seconds(arguments, environment)  # fills the caches
        taken = {name: [0.0] * rounds for name in rows}
        for number in range(rounds):
            for name, (arguments, _) in rows.items():
                taken[name][number] = seconds(arguments, environment)
    unit = taken["python -c 'import lark, typer'"]
    print(f"{'':32}{'least [s]':>10}{'median [s]':>11}{'ratio':>8}{'at most':>9}   of the least times, {rounds} rounds")
    for name, (_, bound) in rows.items():
        least = min(taken[name])
        limit = "" if bound is None else f"{bound:g}"
        print(f"{name:32}{least:10.3f}{median(taken[name]):11.3f}{least / min(unit):8.2f}{limit:>9}")


if __name__ == "__main__":
    main()
