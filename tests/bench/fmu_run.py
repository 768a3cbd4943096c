"""Co-Simulation of the robot next to `simulate`: processor seconds of a run with the same times of communication.

    python -m tests.bench.fmu_run [ROUNDS]

The FMU is called by ctypes, without reading variables; times are medians of runs in turns, with instantiation.
"""

import sys
import tempfile
from pathlib import Path

from acausal.pipeline import translate
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.bench.measure import medians
from tests.models.test_robot import FOLDER
from tests.targets.fmi.importer import OK, Fmu

ROWS = 500


def main() -> None:
    """Print the two times and their ratio."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    robot = translate(FOLDER / "robot.mdl")
    stop = robot.program.experiment.stop
    assert stop is not None
    step = stop / ROWS
    files = fmu_files(robot._model, "robot", TargetOptions(source_only=True, kind="cs"), 3)
    with tempfile.TemporaryDirectory() as folder:
        fmu = Fmu(Path(folder), ("-O2",), files)

        def unit() -> None:
            made = fmu.co_simulation().initialize(stop)
            for i in range(ROWS):
                assert made.step(i * step, step)[0] == OK
            made.free()

        times = medians({"FMU": unit, "simulate": lambda: robot.simulate(interval=step)}, rounds)
    ratio = times["FMU"] / times["simulate"]
    print(f"robot: FMU {times['FMU']:.4f} s, simulate {times['simulate']:.4f} s, {ratio:.2f} of it (aim: at most 1.5)")


if __name__ == "__main__":
    main()
