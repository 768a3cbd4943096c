"""Runs do not depend on those before: sweeps of hybrid models in any order, threads, and single runs have equal bits.

Some numbers of a random model become parameters. What a thread, a solver or a translation keeps from one run for the
next (tolerances, scales, choices, start values, first instants) must be what that run would have computed itself.
"""

import re
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from acausal.base.diagnostics import ModelError
from acausal.pipeline import translate
from acausal.translation import Translation
from tests.hybrid.campaign import random_model
from tests.hybrid.model import STOP, Model
from tests.python_loop import simulate_in_python

NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)(?![\w.])")
FACTORS = (1.0, 1.0, 0.5, 0.9, 1.1, 3.0, 0.1)
"""Not 0: a sweep makes another translation for such values (`sweep/zeros`)."""
VARIED, RUNS = 3, 6
LEAKAGES = (1e-5, 1e-9, 1e-4, 1e-7, 1e-10, 1e-3)
KINDS = ("final", "min", "max")
Columns = list[float] | str


def leak(m: Model) -> None:
    """An ideal diode beside an inductor, and a source that begins late: tolerances and steps follow from parameters."""
    names = [m.name(kind) for kind in ("U", "D", "L", "R", "G")]
    u, d, inductor, r, g = names
    m.lines += [
        f"submodel (sinevoltage) {u}(amplitude=10.0, f=5.0)",
        f"submodel (idealdiode) {d}(Ron=1e-3, Goff={m.rng.choice(LEAKAGES)!r})",
        f"submodel (inductor) {inductor}(L=1e-2)",
        f"submodel (resistor) {r}(R=1.0)",
        f"submodel (ground) {g}",
        f"connect {g} - {u} - {d} - {inductor} - {r} - {g}",
    ]


def wave(m: Model) -> None:
    """A sine that is there for a part of the run only."""
    x = m.name("x")
    begin, w = m.rng.choice((-1.0, 0.2, 0.5, 2.0)), m.rng.choice((3.0, 70.0))
    m.lines += [
        f"local {x} (start=0, fixed=true)",
        f"der({x}) = if time < {begin!r} then 0 else sin({w!r}*time)",
    ]


def swept_hybrid(rng: Random) -> None:
    """All columns of all runs, or the codes of failures."""
    model = random_model(rng)
    for part in (leak, wave):
        if rng.random() < 0.5:
            part(model)
    text, varied = with_parameters(model.text(model.lines), rng)
    runs = [{name: number * rng.choice(FACTORS) for name, number in varied.items()} for _ in range(RUNS)]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.mdl"
        file.write_text(text, encoding="utf-8")
        t = translate(file)
        expected = [single(t, run, simulate_in_python) for run in runs]
        ways = {"single runs": dict(enumerate(single(t, run, Translation.simulate) for run in runs))}
        for jobs in (1, 2):
            order = rng.sample(range(RUNS), RUNS)
            ways[f"sweep {order}, {jobs} threads"] = dict(
                zip(order, swept(t, [runs[i] for i in order], jobs), strict=True)
            )
    for way, found in ways.items():
        for i in range(RUNS):
            assert found[i] == expected[i], f"{way}, run {i}: {differences(expected[i], found[i])}\n{runs[i]}\n{text}"


def with_parameters(text: str, rng: Random) -> tuple[str, dict[str, float]]:
    """The model with some of its numbers as parameters, and these with their values."""
    places = [found for found in NUMBER.finditer(text, text.index("model M\n")) if float(found[0]) != 0.0]
    chosen = sorted(rng.sample(places, min(VARIED, len(places))), key=lambda found: -found.start())
    varied = {f"k{i}": float(found[0]) for i, found in enumerate(chosen)}
    for i, found in enumerate(chosen):
        text = f"{text[: found.start()]}k{i}{text[found.end() :]}"
    declared = "".join([f"parameter k{i}={found[0]}\n" for i, found in enumerate(chosen)])
    return text.replace("model M\n", f"model M\n{declared}", 1), varied


def single(t: Translation, run: dict[str, float], simulate: Any) -> Columns:
    """The columns of a run, or why it fails."""
    try:
        r = simulate(t, parameters=run, stop=STOP, interval=0.05)
    except ModelError as error:
        return error.report.diagnostics[0].code
    made = {"final": lambda v: v[-1], "min": np.min, "max": np.max}
    return [float(made[kind](np.asarray(r[name]))) for kind in KINDS for name in variables(t)]


def swept(t: Translation, runs: list[dict[str, float]], jobs: int) -> list[Columns]:
    """The same of all runs, in this order."""
    asked = variables(t)
    table = {name: [run[name] for run in runs] for name in runs[0]}
    s = t.sweep(runs=table, final=asked, minimum=asked, maximum=asked, jobs=jobs, stop=STOP, interval=0.05)
    return [
        s.failures[i].code if i in s.failures else [float(s[f"{kind}({name})"][i]) for kind in KINDS for name in asked]
        for i in range(len(runs))
    ]


def variables(t: Translation) -> list[str]:
    """Names of what results have."""
    return [name for name in t.simulate(stop=1e-3).names if name != "time" and not name.startswith("der(")]


def differences(expected: Columns, found: Columns) -> str:
    """In words."""
    if isinstance(expected, str) or isinstance(found, str):
        return " in the place of ".join([each if isinstance(each, str) else "values" for each in (found, expected)])
    return ", ".join([f"{a!r} for {b!r}" for a, b in zip(found, expected, strict=True) if a != b][:3])
