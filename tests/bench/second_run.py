"""A second run of a kept model beside the first: whole processes, processor seconds."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.measure import Row, child_seconds
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
                taken[0].append(child_seconds(command, environment))
                taken[1].append(child_seconds(command, without))
        first, second = median(taken[1][1:]), median(taken[0][1:])
        yield Row(f"acausal simulate {name}, second run", second, "without the cache", first)
