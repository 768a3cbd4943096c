"""Two hash seeds give the same bytes: what the translator makes of every example, stage by stage."""

import os
import subprocess
import sys

from tests.collection import EXAMPLES, ROOT

PRINT_ALL = """
import sys
from acausal.pipeline import translate

for file in sys.argv[1:]:
    t = translate(file)
    for stage in ("flat", "sorted", "solved"):
        print(file, stage, t.equations(stage), sep="\\n")
    print(t.code(), [d.message for d in t.report.diagnostics], sep="\\n")
    print({name: value for name, value in t.statistics.items() if name != "seconds"}, list(t.statistics["seconds"]))
"""


def dumps(seed: int) -> bytes:
    """All dumps of all examples, from a process of its own."""
    command = [sys.executable, "-c", PRINT_ALL, *map(str, EXAMPLES)]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    return subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True).stdout


def test_dumps_do_not_depend_on_the_hash_seed() -> None:
    one, other = dumps(1), dumps(4711)
    assert all(f"{file}\nsolved\n".encode() in one for file in EXAMPLES)
    assert one == other
