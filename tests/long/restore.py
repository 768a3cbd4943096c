"""Restore: every example stopped at 20 random times and continued, commands killed: `python -m tests.long.restore`.

Each part of a chain of 20 is computed again from its state, written to a file, by a translation that has run nothing
before: rows and states are the same to the last bit. A command with checkpoints is killed (SIGKILL) five times; it goes
on from the last checkpoint, at most one interval before, and ends with the bytes of one that was not interrupted.
Exit code 1 if anything differs. Runs that go on from `result.state(t)` instead are shown beside the whole run, in
tolerances, with the error of the whole run itself.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import acausal
from acausal.base.options import SimulateOptions
from acausal.pipeline import translate
from tests.hybrid.restored import check_chain, deviation

EXAMPLES = Path(__file__).parents[2] / "examples"
KILLED = ("rc", "house", "slider_crank", "robot_brakes")
"""Examples whose commands are killed, each so long that this hits them within."""
KILLS, CHECKPOINTS = 5, 40


def main() -> int:
    """All examples, or those that are named."""
    names = sys.argv[1:] or [file.stem for file in sorted(EXAMPLES.glob("*.mdl"))]
    failed = 0
    for name in names:
        for line, is_wrong in (*_chain(name), *(_killed(name) if name in KILLED else ())):
            failed += is_wrong
            print(f"{name:20}{line}", flush=True)
    print(f"{len(names)} examples, {failed} failures")
    return 1 if failed else 0


def _chain(name: str) -> Iterator[tuple[str, bool]]:
    file, rng = EXAMPLES / f"{name}.mdl", Random(name)
    begin = perf_counter()
    with TemporaryDirectory() as folder:
        try:
            check_chain(lambda: translate(file), SimulateOptions(), rng, Path(folder) / "state.npz")
        except AssertionError as error:
            yield f"FAILED: {error}", True
            return
    yield f"20 parts, the same bits ({perf_counter() - begin:.0f} s)", False
    worst, own = deviation(translate(file), SimulateOptions(), rng)
    yield f"start_from: {worst:.3g} tolerances, error of the whole run {own:.3g}", False


def _killed(name: str) -> Iterator[tuple[str, bool]]:
    """The command killed at random times and begun again, and one beside it that is not."""
    file, rng = EXAMPLES / f"{name}.mdl", Random(f"kill {name}")
    experiment = acausal.translate(file).program.experiment
    span = experiment.stop - experiment.start
    stop = experiment.start + 20 * span
    interval = 20 * span / CHECKPOINTS
    with TemporaryDirectory() as folder:
        place = Path(folder)
        asked = ["--stop", str(stop), "--checkpoint", "run.npz", "--checkpoint-interval", str(interval)]
        command = [sys.executable, "-m", "acausal", "simulate", str(file.resolve()), *asked]
        subprocess.run([*command, "--output", "whole.csv"], cwd=place, check=True, capture_output=True)
        kills = 0
        for _ in range(KILLS):
            process = subprocess.Popen([*command, "--output", "parts.csv"], cwd=place, stdout=-3, stderr=-3)
            while not (place / "run.npz").exists() and process.poll() is None:
                sleep(0.002)
            sleep(rng.uniform(0, 0.1))
            kills += process.poll() is None
            process.kill()
            process.wait()
        last = subprocess.run([*command, "--output", "parts.csv"], cwd=place, check=True, capture_output=True)
        same = (place / "whole.csv").read_bytes() == (place / "parts.csv").read_bytes()
        yield f"killed {kills} times: {'the same bytes' if same else f'OTHER BYTES {last.stderr!r}'}", not same


if __name__ == "__main__":
    sys.exit(main())
