"""The table of `python -m tests.bench` for two versions in turns: how much slower each row has become.

    python -m tests.bench.pairs OLD [--minutes 9] [WORD ...]

OLD is the folder of a worktree of the other version with an environment `.venv` of its own. Each turn runs the quick
table of both, in alternating order, in processes of their own; rows are compared by the least and by the median of the
ratios of all turns. Translations and code are kept in folders made for this.
"""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from time import monotonic

HERE = Path(__file__).parents[2]
NAME, OURS = 48, 62
"""Columns of a line at which the name and our time end."""
UNITS = {"s": 1.0, "ms": 1e-3}
Times = dict[str, float]


def table(tree: Path, words: list[str], cache: str) -> Times:
    """Our seconds by row, in a process of a version."""
    python = tree / ".venv" / "bin" / "python"
    environment = os.environ | {"ACAUSAL_CACHE": cache, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    command = [str(python), "-m", "tests.bench", "--quick", *words]
    lines = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False).stdout
    found: Times = {}
    for line in lines.splitlines():
        number, _, unit = line[NAME:OURS].strip().partition(" ")
        if unit in UNITS:
            found.setdefault(line[:NAME].strip(), float(number) * UNITS[unit])
    return found


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pairs")
    parser.add_argument("old", type=Path)
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("words", nargs="*", metavar="WORD")
    given = parser.parse_args()
    trees = {"old": given.old.resolve(), "new": HERE}
    turns: list[dict[str, Times]] = []
    begin = monotonic()
    with tempfile.TemporaryDirectory() as folder:
        lasted = 0.0
        while not turns or monotonic() - begin + lasted < 60 * given.minutes:
            start = monotonic()
            order = ("old", "new") if len(turns) % 2 else ("new", "old")
            turns.append({name: table(trees[name], given.words, f"{folder}/{name}") for name in order})
            lasted = monotonic() - start
    print(f"{len(turns)} turns in {monotonic() - begin:.0f} s; seconds of the processor, new / old")
    print(f"{'work':48}{'old':>12}{'new':>12}{'of least':>10}{'median':>10}")
    for row in turns[0]["new"]:
        both = [(turn["old"][row], turn["new"][row]) for turn in turns if row in turn["old"] and row in turn["new"]]
        if both:
            old, new = (min(column) for column in zip(*both, strict=True))
            middle = median([b / a for a, b in both])
            print(f"{row:48}{old * 1e3:9.3f} ms{new * 1e3:9.3f} ms{new / old:10.3f}{middle:10.3f}")


if __name__ == "__main__":
    main()
