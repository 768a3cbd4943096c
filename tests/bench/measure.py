"""One row of the table of `python -m tests.bench`, and the medians it is made of."""

import gc
import resource
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

Run = Callable[[], object]

SAMPLE = 0.02
"""Processor seconds that a sample takes at least, if a call takes less."""
MOST_CALLS = 1000


@dataclass(frozen=True, slots=True)
class Row:
    """What was done, ours and the peer's number (None: the peer is missing), and what the ratio is to be.

    Seconds are compared as theirs / ours, at least `aim` (None: no aim). A `number` has no peer: it is to be at most
    `aim`, with `number_is` as its unit.
    """

    work: str
    ours: float
    peer: str = ""
    theirs: float | None = None
    aim: float | None = None
    number_is: str = ""
    remark: str = ""

    @property
    def ratio(self) -> float | None:
        """Theirs by ours; None for a number and where the peer is missing."""
        return None if self.theirs is None or self.number_is else self.theirs / self.ours

    @property
    def verdict(self) -> str:
        """Whether the aim is met."""
        if self.aim is None:
            return ""
        if self.number_is:
            return "met" if self.ours <= self.aim else "MISSED"
        if self.ratio is None:
            return "not measured"
        return "met" if self.ratio >= self.aim else "MISSED"


def medians(runs: Mapping[str, Run], rounds: int, warm: int = 1) -> dict[str, float]:
    """Processor seconds of a call of each, all in turns in each round; others on the same machine hardly count.

    What takes little time is called several times in a row, as `timeit` does.
    """
    calls = {name: _calls(run, warm) for name, run in runs.items()}
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            gc.collect()
            begin = process_time()
            for _ in range(calls[name]):
                run()
            taken[name].append((process_time() - begin) / calls[name])
    return {name: median(times) for name, times in taken.items()}


def _calls(run: Run, warm: int) -> int:
    """How many calls in a row take long enough to be measured, by the last of the first ones."""
    last = SAMPLE
    for _ in range(warm):
        begin = process_time()
        run()
        last = process_time() - begin
    return max(1, round(SAMPLE / max(last, SAMPLE / MOST_CALLS)))


def child_seconds(command: Sequence[str], environment: Mapping[str, str], folder: Path | None = None) -> float:
    """Processor seconds of a process, which must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, cwd=folder, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compared(work: str, runs: Mapping[str, Run | None], aims: Mapping[str, float], rounds: int) -> list[Row]:
    """A row for each peer; the first of the runs is ours, a peer that is None is missing."""
    found = medians({name: run for name, run in runs.items() if run is not None}, rounds)
    mine, *peers = runs
    return [Row(work, found[mine], name, found.get(name), aims.get(name)) for name in peers]


def show(row: Row) -> str:
    """A line of the table."""
    if row.number_is:
        cells = [f"{row.ours:.3g} {row.number_is}", row.peer, "", "", _aim(row, "<=")]
    else:
        theirs = "" if not row.peer else "missing" if row.theirs is None else seconds(row.theirs)
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        cells = [seconds(row.ours), row.peer, theirs, ratio, _aim(row, ">=")]
    widths = (14, 26, 10, 8, 8)
    numbers = "".join(f"{c:>{w}}" for c, w in zip(cells, widths, strict=True))
    return f"{row.work:48}{numbers}  {row.verdict:12} {row.remark}".rstrip()


HEAD = f"{'work':48}{'ours':>14}{'peer':>26}{'theirs':>10}{'ratio':>8}{'aim':>8}"


def seconds(value: float) -> str:
    """With the unit that fits."""
    return f"{value:.2f} s" if value >= 1.0 else f"{value * 1e3:.3g} ms"


def _aim(row: Row, sign: str) -> str:
    return "" if row.aim is None else f"{sign}{row.aim:g}"
