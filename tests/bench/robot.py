"""The robot: size, accuracy and time by tolerance, against the published points.

    python -m tests.bench.robot [ROUNDS]

Times are those of the processor, the least of all rounds: others on the same machine do not count.
"""

import resource
import subprocess
import sys
from time import process_time

import numpy as np

from acausal.pipeline import translate
from acausal.results.result import Result
from tests.models.test_robot import ANGLES, FOLDER, POINTS, at_points

STOP = 1.8


def error(result: Result, names: list[str]) -> float:
    """The greatest distance from the published points."""
    return max(float(np.abs(at_points(result, name) - POINTS[name]).max()) for name in names)


def cold() -> float:
    """Processor time of one process that translates and simulates."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "acausal", "simulate", str(FOLDER / "robot.mdl")]
    subprocess.run(command, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    robot = translate(FOLDER / "robot.mdl")
    statistics = robot.statistics
    print(f"states {statistics['states']}, equations {statistics['equations']}")
    print(f"linear systems before and after tearing {statistics['linear_blocks']}")
    print(f"cold process {min(cold() for _ in range(rounds)):.2f} s")
    print("tolerance    angles  currents   seconds  times real time   steps  events")
    for tolerance in (1e-4, 1e-5, 1e-6, 1e-8, 1e-10):
        taken = []
        for _ in range(rounds + 1):
            begin = process_time()
            result = robot.simulate(tolerance=tolerance)
            taken.append(process_time() - begin)
        best, stats = min(taken[1:]), result.stats
        errors = f"{error(result, ANGLES):9.1e} {error(result, ['i1', 'i4']):9.1e}"
        print(f"{tolerance:9.0e} {errors} {best:9.4f} {STOP / best:16.0f} {stats.steps:7} {stats.events:7}")


if __name__ == "__main__":
    main()
