"""Parameters found without machine code are the same to the bit as those that machine code finds."""

from pathlib import Path

import numpy as np
import pytest

from acausal.codegen.default_parameters import complete, is_plain
from acausal.pipeline import translate
from acausal.translation import Translation
from tests.collection import EXAMPLES


def defaults(t: Translation) -> np.ndarray:
    """p before it is complete."""
    p = np.zeros(t.program.parameter_size)
    p[: len(t.program.parameter_slots)] = [slot.value for slot in t.program.parameter_slots]
    return p


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_as_machine_code(file: Path) -> None:
    t = translate(file)
    by_python, by_code = defaults(t), defaults(t)
    assert complete(t.program, by_python) == is_plain(t.program.setup)
    if is_plain(t.program.setup):
        assert t.executable.setup(by_code, np.zeros(len(t.program.parameter_slots))) == 0
        assert by_python.tobytes() == by_code.tobytes()


def test_what_has_no_value_is_left_to_machine_code(tmp_path: Path) -> None:
    """The reciprocal of a - 1 is found once, before the run: infinite where nothing is given."""
    file = tmp_path / "m.mdl"
    file.write_text("model M\n  parameter a (tunable=true) = 1\n  local x (start=1)\n  der(x) = -x/(a - 1)\nend\n")
    t = translate(file)
    p = defaults(t)
    assert not complete(t.program, p)
    assert t.executable.setup(p, np.zeros(1)) == 0
    assert np.isinf(p).any()


def test_some_are_found_and_some_are_not() -> None:
    """So that the comparison above compares something."""
    assert len({is_plain(translate(file).program.setup) for file in EXAMPLES}) == 2
