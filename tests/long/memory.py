"""Memory over many translations and runs in one process: `python -m tests.long.memory [TRANSLATIONS [RUNS]]`.

Prints resident memory, memory maps and objects of the collector as it goes; exit code 1 where they grow.
"""

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["ACAUSAL_CACHE"] = "off"

import acausal

TRANSLATIONS, RUNS = 10_000, 100_000
PARTS = 10
"""Measurements; what the first part has filled (caches, arenas) may not grow from then on."""
MOST_MEGABYTES, MOST_MAPS = 8, 40
"""Noise of the allocator."""

MODEL = """
model M
  parameter k=2, g=9.81
  local x (start=1), v, y (start=0.5)
  discrete n
  der(x) = v
  der(v) = -k*x - g*sin(y)
  y^3 + y = x
  when x < 0 then
    new(n) = n + 1
  endwhen
end
"""


def measured() -> tuple[int, int, int]:
    """Megabytes, maps, objects."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    maps = len(Path("/proc/self/maps").read_text(encoding="utf-8").splitlines())
    return pages * os.sysconf("SC_PAGE_SIZE") // 1_000_000, maps, len(gc.get_objects())


def is_flat(what: str, count: int, work: Callable[[int], object]) -> bool:
    """Do it so often, with a line for each part."""
    print(f"{what}: MB, memory maps, objects", flush=True)
    found = []
    for part in range(PARTS):
        for i in range(part * count // PARTS, (part + 1) * count // PARTS):
            work(i)
        found.append(measured())
        print(f"  {(part + 1) * count // PARTS:7}  {found[-1][0]:6} {found[-1][1]:6} {found[-1][2]:8}", flush=True)
    second, last = found[1], found[-1]
    return last[0] - second[0] <= MOST_MEGABYTES and last[1] - second[1] <= MOST_MAPS


def main(translations: int = TRANSLATIONS, runs: int = RUNS) -> int:
    """The exit code."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.mdl"
        file.write_text(MODEL, encoding="utf-8")
        flat = is_flat("translations", translations, lambda i: _translated(file, i))
        model = acausal.translate(file)
        flat &= is_flat("runs", runs, lambda i: model.simulate(stop=0.5, parameters={"k": 1 + i / 1e6}))
    print("flat" if flat else "it grows")
    return 0 if flat else 1


def _translated(file: Path, number: int) -> None:
    """Different text each time, so that nothing is taken from the last translation."""
    file.write_text(MODEL.replace("9.81", f"{9 + number / 1e5!r}"), encoding="utf-8")
    acausal.translate(file).simulate(stop=0.5)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
