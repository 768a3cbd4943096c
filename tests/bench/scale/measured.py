"""One process that translates and simulates one model of a family: what it took, as JSON.

It is simulated twice, since the first run compiles kernels.

    python -m tests.bench.scale.measured FAMILY N
"""

import json
import os
import sys
import tempfile
from pathlib import Path
from time import process_time

from acausal.pipeline import translate
from tests.bench.growth import peak_of_memory
from tests.bench.scale.families import FAMILIES


def measured(name: str, size: int) -> dict[str, object]:
    """Processor seconds by part, scalar equations, steps, events, and the peak of memory in MB."""
    os.environ["ACAUSAL_CACHE"] = "off"  # else machine code of an earlier process would be taken
    family = FAMILIES[name]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.mdl"
        file.write_text(family.text(size), encoding="utf-8")
        begin = process_time()
        translation = translate(file)
        translation.executable  # noqa: B018  # compiles
        translated = process_time()
        result = translation.simulate(stop=family.stop, interval=family.stop / 10)
        simulated = process_time()
        result = translation.simulate(stop=family.stop, interval=family.stop / 10)
        again = process_time() - simulated
    return {
        "equations": translation.statistics["equations"],
        "translation": translated - begin,
        "simulation": simulated - translated,
        "again": again,
        "steps": result.stats.steps,
        "events": len(result.events),
        "whole": simulated,
        "memory": peak_of_memory(),
        "passes": dict(translation.stages.seconds),
    }


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], int(sys.argv[2]))))
