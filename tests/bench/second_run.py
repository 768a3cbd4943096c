"""A second run of a kept model beside the first: whole processes, processor seconds."""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.measure import Row
from tests.bench.startup import environment_of

EXAMPLES = Path(__file__).parents[2] / "examples"


def rows(rounds: int) -> Iterator[Row]:
    """The motor and the robot."""
    for name, file in {"dc_motor": EXAMPLES / "dc_motor.mdl", "robot": EXAMPLES / "robot" / "robot.mdl"}.items():
        command = [sys.executable, "-m", "acausal", "simulate", str(file), "--quiet"]
        with tempfile.TemporaryDirectory() as folder:
            environment = environment_of(Path(folder)) | {"ACAUSAL_CACHE": folder}
            without = environment | {"ACAUSAL_CACHE": "off"}
            taken: tuple[list[float], list[float]] = ([], [])
            for _ in range(rounds + 1):
                taken[0].append(_seconds(command, environment))
                taken[1].append(_seconds(command, without))
        first, second = median(taken[1][1:]), median(taken[0][1:])
        yield Row(f"acausal simulate {name}, second run", second, "without the cache", first)


def _seconds(command: list[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
