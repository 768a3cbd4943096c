"""All that speed is measured by, as one table: ours, the peer's, their ratio, the aim, growth.

    python -m tests.bench [--quick] [WORD ...]        only sections whose name holds one of the words
    python -m tests.bench scale                       families of models over decades of size

Times are processor seconds, medians of 5 runs in turns (--quick: one run, smaller models). Optional peers come with
`pip install '.[bench]'`; what is missing counts as not measured. Further benchmarks have commands of their own:
`tests.bench.derivative` (operations a cycle), `multibody` (Pinocchio, MuJoCo), `ngspice`, `robot`, `startup`.
"""

import argparse
from collections.abc import Callable, Iterable
from time import process_time

from acausal.pipeline import translate
from tests.bench import events_each, gradients, growth, peers, second_run
from tests.bench.measure import HEAD, Row, medians, show
from tests.bench.scale.rows import rows as scale_rows
from tests.models.test_robot import FOLDER

ROUNDS = 5
SIZES = {"ladder": (1_000, 10_000), "chain": (100, 500)}
ON_REQUEST = ("scale",)
"""Sections that take many minutes: only those asked for by a word are made."""
SMALLER = {"ladder": (500, 2_000), "chain": (25, 50)}


def robot_rows(rounds: int) -> list[Row]:
    """Seconds of the robot's motion beside seconds of the processor."""
    robot = translate(FOLDER / "robot.mdl")
    taken = medians({"ours": robot.simulate}, rounds)["ours"]
    return [Row("robot: simulation", taken, "real time", 1.8, 50.0)]


def sections(quick: bool) -> dict[str, Callable[[int], Iterable[Row]]]:
    """By name what makes the rows."""
    sizes = SMALLER if quick else SIZES
    return {
        "ladder": peers.ladder_rows,
        "double pendulum": peers.pendulum_rows,
        "simulation": peers.simulation_rows,
        "robot": robot_rows,
        "events": lambda rounds: events_each.rows(rounds, smaller=quick),
        "gradients and fits": lambda rounds: gradients.rows(rounds, quick),
        "cache": second_run.rows,
        "growth": lambda rounds: growth.rows(rounds, sizes),
        "scale": lambda _: scale_rows(quick),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--quick", action="store_true", help="one run of each, smaller models")
    parser.add_argument("words", nargs="*", metavar="WORD")
    arguments = parser.parse_args()
    rounds = 1 if arguments.quick else ROUNDS
    begin, rows = process_time(), []
    print(f"processor seconds, medians of {rounds}; ratio: theirs / ours", HEAD, sep="\n")
    for name, make in sections(arguments.quick).items():
        if any(word in name for word in arguments.words) or not (arguments.words or name in ON_REQUEST):
            for row in make(rounds):
                rows.append(row)
                print(show(row), flush=True)
    verdicts = [row.verdict for row in rows if row.verdict]
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in ("met", "MISSED", "not measured"))
    print(f"aims: {counts}; the table took {process_time() - begin:.0f} s of this process")


if __name__ == "__main__":
    main()
