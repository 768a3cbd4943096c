"""Two hash seeds and two orders give the same bytes: what the translator makes of every example, stage by stage."""

import os
import subprocess
import sys

from tests.collection import EXAMPLES, ROOT

PRINT_ALL = """
import sys
from acausal.pipeline import translate

texts = {}
for file in sys.argv[1:]:
    t = translate(file)
    texts[file] = [file, *[f"{stage}\\n{t.equations(stage)}" for stage in ("flat", "sorted", "solved")], t.code()]
    texts[file].append(str([d.message for d in t.report.diagnostics]))
    numbers = {name: value for name, value in t.statistics.items() if name != "seconds"}
    texts[file].append(str((numbers, list(t.statistics["seconds"]))))
for file in sorted(texts):
    print(*texts[file], sep="\\n")
"""


def dumps(seed: int, step: int) -> bytes:
    """All dumps of all examples, from a process of its own that translates them in this order."""
    command = [sys.executable, "-c", PRINT_ALL, *map(str, EXAMPLES[::step])]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    return subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True).stdout


def test_dumps_depend_neither_on_the_hash_seed_nor_on_former_translations() -> None:
    one, other = dumps(1, 1), dumps(4711, -1)
    assert all(f"{file}\nflat\n".encode() in one for file in EXAMPLES)
    assert one == other
