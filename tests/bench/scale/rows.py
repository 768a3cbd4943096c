"""The rows of a family: exponents of translation and of a step, equations per second, memory."""

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from acausal.pipeline import translate
from tests.bench.measure import Row
from tests.bench.scale.families import FAMILIES

LIMIT = 600
"""Seconds after which a process is given up."""
AIMS = {1_000: 1.0, 9_000: 6.0, 20_000: 15.0, 100_000: 60.0}
"""Seconds of whole processes for the RC circuit."""
LARGEST = 100_000
"""The size of that circuit whose memory is limited."""


def rows(smaller: bool) -> Iterator[Row]:
    """All families; `smaller`: only their smaller two sizes."""
    yield energy()
    for name, family in FAMILIES.items():
        found = {n: measured(name, n) for n in (family.sizes[:2] if smaller else family.sizes)}
        finished = {n: f for n, f in found.items() if f is not None}
        if name == "rc":
            yield from (Row(f"rc, N = {n}: whole process", f["whole"], aim=AIMS.get(n), number_is="s")
                        for n, f in finished.items())  # fmt: skip
            yield from (Row(f"rc, N = {n}: peak of memory", f["memory"], aim=4_000, number_is="MB")
                        for n, f in finished.items() if n == LARGEST)  # fmt: skip
        yield from _growth(name, finished)
        yield from (Row(f"{name}, N = {n}", math.nan, number_is="s", remark="not finished")
                    for n in found if n not in finished)  # fmt: skip


def energy() -> Row:
    """The share of its energy that x'' = -x loses in 1.6e5 periods at the default tolerance."""
    text = "model M\n  local x, v\n  der(x) = v\n  der(v) = -x\n  initial x = 1\nend\n"
    stop = 1.6e5 * 2 * math.pi
    begin = process_time()
    result = translate("m.mdl", text=text).simulate(stop=stop, interval=stop / 500)
    lost = abs(1 - float(result["x"][-1] ** 2 + result["v"][-1] ** 2))
    remark = f"{result.stats.steps} steps of {result.stats.solver}, {process_time() - begin:.3g} s"
    return Row("undamped oscillator: energy lost in 1.6e5 periods", lost, aim=1e-3, number_is="share", remark=remark)


def measured(name: str, size: int) -> dict[str, Any] | None:
    """What a process of its own took; None where it was given up."""
    command = [sys.executable, "-m", "tests.bench.scale.measured", name, str(size)]
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=LIMIT, env=_with_bytecode())
    except subprocess.TimeoutExpired:
        return None
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@cache
def _with_bytecode() -> dict[str, str]:
    """An environment in which modules are compiled to bytecode once, as an installed package has them."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "acausal-bench-bytecode")
    smallest = [sys.executable, "-m", "tests.bench.scale.measured", "rc", "100"]
    subprocess.run(smallest, capture_output=True, check=True, env=environment)
    return environment


def _growth(name: str, found: dict[int, dict[str, Any]]) -> Iterator[Row]:
    if len(found) < 2:
        return
    (small, a), (large, b) = list(found.items())[-2:]
    of, equations = f"{name}, N = {small} to {large}", b["equations"] / a["equations"]
    each = b["translation"] / b["equations"] * 1e6
    remark = f"{b['equations']} equations, {b['translation']:.3g} s, {each:.0f} us an equation"
    exponent = math.log(b["translation"] / a["translation"]) / math.log(equations)
    yield Row(f"{of}: translation", exponent, aim=1.05, number_is="exponent", remark=remark)
    per_step = [f["again"] / max(1, f["steps"]) for f in (a, b)]
    exponent = math.log(per_step[1] / per_step[0]) / math.log(equations)
    remark = f"{b['again']:.3g} s, {b['steps']} steps, {b['events']} events, {per_step[1] * 1e6:.0f} us a step"
    yield Row(f"{of}: step", exponent, aim=1.05, number_is="exponent", remark=remark)
    yield Row(f"{of}: peak of memory", b["memory"], number_is="MB")
