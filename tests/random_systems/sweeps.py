"""Sweeps over random systems with random events, compared with single runs whose events Python does."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from acausal.base.diagnostics import SimulationError
from acausal.pipeline import translate
from acausal.runs import RunError
from acausal.translation import Translation
from tests.python_loop import simulate_in_python
from tests.random_systems.system import System, random_system

KINDS = ("final", "min", "max")


def swept(rng: Random) -> None:
    """All columns of some runs have the bits of single ones, in whatever order they are made; failures are the same."""
    system = random_system(rng, mild=True)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "system.mdl"
        file.write_text(system.text("parameter swept=0.7", *_events(system, rng)), encoding="utf-8")
        t = translate(file)
        values = [rng.choice((0.3, 0.7, 0.9, 1.3, 2.1)) for _ in range(4)]
        asked = [*system.curves, "z"]
        options = {"final": asked, "minimum": asked, "maximum": asked, "stop": 2.0, "jobs": rng.choice((1, 2))}
        s = t.sweep({"swept": values}, **options)  # type: ignore[arg-type]  # names as in sweep
        for i in range(len(s)):
            told = s.failures.get(i)
            expected = _single(t, s.given(i), asked)
            if isinstance(expected, str):
                assert told is not None
                assert told.code == expected
            else:
                assert told is None
                assert [float(s[f"{kind}({name})"][i]) for kind in KINDS for name in asked] == expected


def _events(system: System, rng: Random) -> list[str]:
    """A state that some of many kinds of events move."""
    x, y = rng.choice(list(system.curves)), rng.choice(list(system.curves))
    level = system.value(((x,), 0), rng.uniform(0, 2))
    lines = ["local z (start=1)", "discrete n"]
    rates = ("-swept*z", f"swept*{x} - z", f"(if {x} > {level!r} then -swept else z)", "floor(3*time)*swept - z")
    lines.append(f"der(z) = {rng.choice(rates)}")
    causes = (f"{x} > {level!r}", "sample(0, 0.3)", "z < 0.8", f"sin(7*swept*time) > 0.2 and {y} > {level!r}", "n > 5")
    effects = ("init(z) = -0.5*z", "init(z) = swept + n", "", 'terminate(n > 3, "enough")')
    return [*lines, f"when {rng.choice(causes)} then", "new(n) = n + 1", rng.choice(effects), "endwhen"]


def _single(t: Translation, given: dict[str, float], asked: list[str]) -> list[float] | str:
    """The columns of a run, or why it fails."""
    try:
        r = simulate_in_python(t, parameters=given, stop=2.0)
    except (RunError, SimulationError) as error:
        return error.report.diagnostics[0].code
    return [float(found) for kind in KINDS for found in [_column(r[name], kind) for name in asked]]


def _column(values: object, kind: str) -> float:
    import numpy as np

    rows = np.asarray(values)
    return float(rows[-1] if kind == "final" else rows.min() if kind == "min" else rows.max())
