"""Many runs of the double pendulum: threads beside one after the other.

    python -m tests.bench.sweep [RUNS [ROUNDS]]

Each round makes the same runs one after the other and in threads, so that both meet the same load of the machine; the
table gives medians over the rounds, of times and of the ratio within a round. The first line does the same with work
that needs no interpreter at all: more than its ratio the machine does not give while others use it. Processes of their
own make the same runs as well, which share no lock: what these gain is what the machine gives to this very work. CPU
seconds are those of the process; they tell more than the clock then.
"""

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from acausal.pipeline import translate
from acausal.sweep.start import processors
from acausal.translation import Translation

MODEL = Path(__file__).parents[2] / "examples" / "double_pendulum.mdl"
SINGLE = 30
"""Calls of `simulate`, to compare with."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Milliseconds a run, by the clock and of the processor."""

    clock: float
    cpu: float


def swept(model: Translation, runs: int, jobs: int, *, rows: bool) -> Taken:
    """A sweep over mass and damping; with `rows` the largest values are asked for, for which all rows are needed."""
    columns = {"final": ["j1.q", "j2.q"], "maximum": ["j1.q", "j2.q"] if rows else []}
    values = {"m": f"1:3:{runs // 10}", "d.d": "0.05:0.5:10"}
    begin, cpu = perf_counter(), process_time()
    result = model.sweep(values, jobs=jobs, **columns)
    assert not result.failures
    assert len(result) == runs // 10 * 10
    return Taken((perf_counter() - begin) / len(result) * 1e3, (process_time() - cpu) / len(result) * 1e3)


def hashed(count: int, jobs: int) -> Taken:
    """Digests of a megabyte, which Python computes without its lock."""
    data = bytes(1_000_000)
    begin, cpu = perf_counter(), process_time()
    with ThreadPoolExecutor(jobs) as pool:
        for _ in pool.map(lambda _: hashlib.sha256(data).digest(), range(count)):
            pass
    return Taken((perf_counter() - begin) / count * 1e3, (process_time() - cpu) / count * 1e3)


class Processes:
    """As many as there are processors, each with a translation of its own."""

    def __init__(self, jobs: int) -> None:
        command = [sys.executable, "-m", "tests.bench.sweep", "serve"]
        pipe = subprocess.PIPE
        self._all = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(jobs)]
        self.swept(20)

    def swept(self, runs: int) -> Taken:
        """The same sweep in each at the same time, one run after the other; the last tells how long it took."""
        for process in self._all:
            print(runs, file=process.stdin, flush=True)
        taken = [Taken(*map(float, next(process.stdout or iter(())).split())) for process in self._all]
        return Taken(max(t.clock for t in taken) / len(taken), sum(t.cpu for t in taken) / len(taken))


def serve() -> None:
    """One of the processes: for each number read so many runs, then what they took."""
    model = translate(MODEL)
    for line in sys.stdin:
        taken = swept(model, int(line), 1, rows=False)
        print(taken.clock, taken.cpu, flush=True)


def single(model: Translation) -> Taken:
    """Single runs, each with a whole result."""
    begin, cpu = perf_counter(), process_time()
    for number in range(SINGLE):
        model.simulate(parameters={"m": 1.0 + number / SINGLE})
    return Taken((perf_counter() - begin) / SINGLE * 1e3, (process_time() - cpu) / SINGLE * 1e3)


def main() -> None:
    """Print the table."""
    runs, rounds = [int(a) for a in (*sys.argv[1:], *("1000", "5")[len(sys.argv) - 1 :])]
    model, jobs = translate(MODEL), processors()
    swept(model, 20, 1, rows=True)
    processes = Processes(jobs)
    kinds = {
        "digests, one after the other": lambda: hashed(runs, 1),
        f"digests, {jobs} threads": lambda: hashed(runs, jobs),
        "simulate, one after the other": lambda: single(model),
        "sweep, final values, one after the other": lambda: swept(model, runs, 1, rows=False),
        f"sweep, final values, {jobs} threads": lambda: swept(model, runs, jobs, rows=False),
        f"sweep, final values, {jobs} processes": lambda: processes.swept(runs),
        "sweep, largest values, one after the other": lambda: swept(model, runs, 1, rows=True),
        f"sweep, largest values, {jobs} threads": lambda: swept(model, runs, jobs, rows=True),
    }
    taken: dict[str, list[Taken]] = {name: [] for name in kinds}
    for _ in range(rounds):
        for name, measure in kinds.items():
            taken[name].append(measure())
    print(
        f"{runs} runs, medians of {rounds} rounds{'':17}{'ms a run':>10}{'CPU ms':>9}{'times faster':>14}{'least':>7}"
    )
    alone: list[Taken] = []
    for name, rows in taken.items():
        if name.endswith("one after the other"):
            alone = rows
        ratios = [] if rows is alone else [a.clock / b.clock for a, b in zip(alone, rows, strict=True)]
        told = f"{median(ratios):14.2f}{min(ratios):7.2f}" if ratios else ""
        print(f"{name:46}{median(r.clock for r in rows):10.3f}{median(r.cpu for r in rows):9.3f}{told}")


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        main()
