"""All campaigns in full, on all processors.

    python -m tests.long [PART OF A NAME] [--first N] [--count N]

Exit code 1 if any input failed; the line tells its number N, `--first N --count 1` repeats it.
"""

import argparse
import multiprocessing
import sys
from collections.abc import Iterator
from time import perf_counter

from tests.long.campaigns import CAMPAIGNS, failures

BLOCK = 500
PARTS = 20
"""Blocks are shorter where there are few inputs, so that all processors have work."""
Job = tuple[str, int, int]


def _jobs(wanted: str, begin: int, count: int | None) -> Iterator[Job]:
    for name, campaign in CAMPAIGNS.items():
        total = count or campaign.full
        block = max(1, min(BLOCK, total // PARTS))
        if wanted in name:
            yield from ((name, begin + first, min(block, total - first)) for first in range(0, total, block))


def _run(job: Job) -> tuple[Job, list[str]]:
    return job, failures(*job)


def main() -> int:
    """Run, tell of failures as they come, end with a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.long", description="the campaigns in full")
    parser.add_argument("name", nargs="?", default="", help="run only those whose name has this in it")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--count", type=int, help="inputs of each campaign, in place of all")
    arguments = parser.parse_args()
    done, failed = dict.fromkeys(CAMPAIGNS, 0), dict.fromkeys(CAMPAIGNS, 0)
    begin = perf_counter()
    jobs = _jobs(arguments.name, arguments.first, arguments.count)
    with multiprocessing.Pool() as pool:
        for (name, _, count), found in pool.imap_unordered(_run, jobs):
            done[name] += count
            failed[name] += len(found)
            print(f"{name}: {done[name]} ", end="\r", file=sys.stderr, flush=True)
            print(*found, sep="\n", end="\n" if found else "", flush=True)
    for name in CAMPAIGNS:
        print(f"{name:40}{done[name]:10} inputs{failed[name]:8} failed")
    print(f"{perf_counter() - begin:.0f} s")
    return 1 if any(failed.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
