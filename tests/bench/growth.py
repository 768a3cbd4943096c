"""How translation and simulation grow: processes of their own, so that each has its own peak of memory.

    python -m tests.bench.growth ladder|chain|frames N        one of them: what it took, as JSON

The ladder is that of `tests.bench.ladder`, run for 10 s; the chain of hinges that of `tests.bench.multibody`, whose
accelerations for known torques are wanted: each hinge is placed by one frame, of `frames` by two.
"""

import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time

from acausal.pipeline import translate
from tests.bench.ladder import ladder_text
from tests.bench.measure import Row

Figures = dict[str, float]


def measured(kind: str, size: int) -> Figures:
    """Processor seconds of translation with code, of a step, and the peak of memory in MB."""
    os.environ["ACAUSAL_CACHE"] = "off"  # else machine code of an earlier process would be taken
    with tempfile.TemporaryDirectory() as name:
        file, asked = _model(kind, size, Path(name))
        begin = process_time()
        translation = translate(file, **asked)  # type: ignore[arg-type]  # names as in options
        translation.executable  # noqa: B018  # compiles
    found = {"translation": process_time() - begin}
    found["memory"] = peak_of_memory()
    if kind == "ladder":
        translation.simulate(stop=10)
        begin = process_time()
        steps = translation.simulate(stop=10, interval=10).stats.steps
        found["step"] = (process_time() - begin) / (steps or 1)
    return found


def peak_of_memory() -> float:
    """The peak of memory in MB; that of getrusage holds what the calling process had before, where a system does so."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def _model(kind: str, size: int, folder: Path) -> tuple[Path, dict[str, list[str]]]:
    file = folder / "model.mdl"
    if kind == "ladder":
        file.write_text(ladder_text(size), encoding="utf-8")
        return file, {}
    from tests.bench.multibody import chain, text

    file.write_text(text(chain(size), "mbsdir.lib", 1 if kind == "chain" else 2), encoding="utf-8")
    names = range(1, size + 1)
    return file, {"known": [f"t{k}" for k in names], "outputs": [f"a{k}" for k in names]}


def rows(rounds: int, sizes: dict[str, tuple[int, int]]) -> Iterator[Row]:
    """Exponents from the smaller to the larger size, and the memory of the larger."""
    for kind, (small, large) in sizes.items():
        figures = {size: _medians(kind, size, rounds) for size in (small, large)}
        of = f"{'ladder of cells' if kind == 'ladder' else 'chain of joints'}, {small} to {large}"
        names = {"translation": 1.1} | ({"step": 1.1} if kind == "ladder" else {})
        for name, aim in names.items():
            ratio = figures[large][name] / figures[small][name]
            exponent = math.log(ratio) / math.log(large / small)
            remark = f"{figures[small][name]:.3g} s, {figures[large][name]:.3g} s"
            yield Row(f"{of}: {name}", exponent, aim=aim, number_is="exponent", remark=remark)
        yield Row(f"{of}: peak of memory", figures[large]["memory"], aim=2000, number_is="MB")


def _medians(kind: str, size: int, rounds: int) -> Figures:
    command = [sys.executable, "-m", "tests.bench.growth", kind, str(size)]
    found = [json.loads(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(rounds)]
    return {name: median(f[name] for f in found) for name in found[0]}


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], int(sys.argv[2]))))
