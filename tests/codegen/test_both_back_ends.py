"""Native code and NumPy text give the same numbers on every model that the repository has."""

from pathlib import Path

import numpy as np
import pytest

from acausal.codegen.executable import Executable
from acausal.codegen.numpy.to_numpy import compile_numpy
from tests.codegen.plans import PARTS, Run, run
from tests.collection import Source, correct_models

MODELS = correct_models()
LAST_PLACES = 2.0**-50
SAMPLES = 16
FUNCTIONS = 8
"""So many functions one after the other, each rounded in its own way, are behind a value."""


def runs(executable: Executable) -> list[Run]:
    """Everything at the first instant, and at three seeded points beside it."""
    program = executable.program
    chance = np.random.default_rng(1978)
    inputs = 1 + chance.random(program.input_size)
    found = [run(executable, u=inputs)]
    for t in (0.0, 0.01, 1.0):
        at = found[0].start[: len(program.state_slots)]
        moved = at + 1e-2 * chance.standard_normal(len(at))
        found.append(run(executable, t=t, y=moved, u=inputs * (1 + t)))
    return found


def need_same(native: Executable, text: Executable) -> None:
    """Both give the same numbers, but for what functions of other libraries round in their own way.

    NumPy has exponentials and sines of its own, which differ from those of C in the last place. So what is left of
    sums that cancel, as the rates at an operating point, may differ as far as it moves with the last places of time,
    states and inputs.
    """
    for one, other in zip(runs(native), runs(text), strict=True):
        assert one.statuses == other.statuses
        solved = not any(one.statuses)  # beside the first instant a block may have no solution
        spread = _spread(native, one) if solved else {}
        for part in PARTS if solved else ("p", "start"):
            ours, theirs = getattr(one, part), getattr(other, part)
            allowed = 1e-12 * np.abs(ours) + FUNCTIONS * spread.get(part, 0.0)
            with np.errstate(all="ignore"):
                same = (np.abs(ours - theirs) <= allowed) | (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
            assert same.all(), (part, ours[~same], theirs[~same])


def _spread(executable: Executable, here: Run) -> dict[str, np.ndarray]:
    """How far the results move with the last places of time, states and inputs."""
    chance = np.random.default_rng(1993)
    t, y, u = here.point
    found = dict.fromkeys(PARTS, np.zeros(()))
    for _ in range(SAMPLES):
        moved = [x * (1 + LAST_PLACES * chance.standard_normal(len(x))) for x in (np.array([t]), y, u)]
        there = run(executable, float(moved[0][0]), *moved[1:])
        for part in PARTS:
            with np.errstate(all="ignore"):
                found[part] = np.fmax(found[part], np.abs(getattr(there, part) - getattr(here, part)))
    return found


def test_models_are_found() -> None:
    assert {f"examples/{name}.mdl" for name in ("rc", "dc_motor", "pendulum")} <= {m.name for m in MODELS}


@pytest.mark.parametrize("model", MODELS, ids=[m.name for m in MODELS])
def test_same_numbers(model: Source, tmp_path: Path) -> None:
    translation = model.translate(tmp_path)
    assert runs(translation.executable)[0].statuses == (0, 0, 0, 0)
    need_same(translation.executable, compile_numpy(translation.program))
