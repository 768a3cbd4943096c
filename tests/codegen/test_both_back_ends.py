"""Native code and NumPy text give the same numbers on every model that the repository has."""

from pathlib import Path

import numpy as np
import pytest

from acausal.codegen.executable import Executable
from acausal.codegen.to_numpy import compile_numpy
from tests.codegen.plans import PARTS, Run, run
from tests.collection import Source, correct_models

MODELS = correct_models()


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


def test_models_are_found() -> None:
    assert {f"examples/{name}.mdl" for name in ("rc", "dc_motor", "pendulum")} <= {m.name for m in MODELS}


@pytest.mark.parametrize("model", MODELS, ids=[m.name for m in MODELS])
def test_same_numbers(model: Source, tmp_path: Path) -> None:
    translation = model.translate(tmp_path)
    native, text = runs(translation.executable), runs(compile_numpy(translation.program))
    assert native[0].statuses == (0, 0, 0, 0)
    for one, other in zip(native, text, strict=True):
        assert one.statuses == other.statuses
        solved = not any(one.statuses)  # beside the first instant a block may have no solution
        for part in PARTS if solved else ("p", "start"):
            np.testing.assert_allclose(getattr(one, part), getattr(other, part), rtol=1e-12, atol=1e-300, err_msg=part)
