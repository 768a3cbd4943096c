"""Random hybrid models whose events are known by formulas, under many settings.

A model is put together from parts: each has events at times known in closed form, most of them at or within rounding of
a few common times. What counts them, and integrals that begin at them, tell whether one was lost, came twice or late.
Each model runs under 32 settings which cover every pair of settings; some 400 models cover all 1152 combinations.
"""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.translation import Translation
from tests.events.models import event_times
from tests.hybrid.circuits import bridge, diodes
from tests.hybrid.components import ball, both, clock, oscillator, ramp, relay, sampled, zero_at_start
from tests.hybrid.mechanisms import engine, masses, pendulums
from tests.hybrid.model import STOP, Model
from tests.hybrid.settings import ORDERS, settings_of
from tests.python_loop import simulate_in_python

WITHIN = 20.0
"""Values may be off by so many times the tolerance, relative to their size (`Model.curves`, `Swing.size`)."""
PARTS = (ramp, zero_at_start, oscillator, sampled, ball, relay, clock, both, diodes)
SYMMETRIC = (pendulums, pendulums, masses, masses, bridge, bridge, engine)


def random_model(rng: Random) -> Model:
    """Two to six parts around one or two common times, and in every other model something symmetric."""
    common = tuple(
        [rng.choice((0.3, 0.5, 1.0, 0.1 + 0.2, rng.uniform(0.2, 1.2))) for _ in range(rng.choice((1, 1, 2)))]
    )
    model = Model(rng, common)
    for part in rng.choices(PARTS, k=rng.randint(2, 6)):
        part(model)
    if rng.random() < 0.5:
        rng.choice(SYMMETRIC)(model)
    return model


def hybrid(rng: Random) -> None:
    """All events of a model at their times, and all values, in each setting."""
    model = random_model(rng)
    texts = []
    for order in range(ORDERS):
        lines = list(model.lines)
        if order:
            rng.shuffle(lines)
        texts.append(model.text(lines))
    with TemporaryDirectory() as folder:
        made = []
        for number, text in enumerate(texts):
            file = Path(folder) / f"m{number}.mdl"
            file.write_text(text, encoding="utf-8")
            made.append(translate(file))
        for setting in settings_of(rng):
            run = simulate_in_python if setting.observer == "python" else Translation.simulate
            options = {"interval": setting.interval, "tolerance": setting.tolerance, "solver": setting.solver}
            progress = {"progress": lambda _: None} if setting.observer == "progress" else {}
            try:
                result = run(made[setting.order], stop=STOP, **options, **progress)
                compare(model, result, setting.tolerance)
            except Exception as error:
                raise AssertionError(f"{setting}: {type(error).__name__}: {error}\n{texts[setting.order]}") from error


def compare(model: Model, result: Result, tolerance: float) -> None:
    """AssertionError where an event or a value is another one than by its formula."""
    found = []
    for n, times in model.counts.items():
        within = WITHIN * tolerance * model.slowness[n] + 1e-12
        later = [t for t in times if t > 0]
        surely = [t for t in later if t < STOP - within]
        got = event_times(result, n).tolist()
        assert len(surely) <= len(got) <= len(later), f"{n}: events at {got} instead of {times}"
        assert result[n][-1] == len(got) + len(times) - len(later), f"{n} = {result[n][-1]:g}, {len(times)} events"
        for t, expected in zip(got, later, strict=False):
            assert abs(t - expected) <= within, f"{n}: {t!r} instead of {expected!r}"
            found.append((t, n))
    assert [t for t, _ in sorted(found)] == sorted([t for t, _ in found])
    times = np.asarray(result.time).tolist()
    for name, (curve, size) in model.curves.items():
        exact = np.array([curve(t) for t in times])
        sizes = np.array([size(t) for t in times]) if callable(size) else size
        error = float(np.max(np.abs(result[name] - exact) / sizes)) / tolerance
        assert error <= WITHIN, f"{name} is off by {error:.3g} tolerances"
