"""What a message says besides of cuts that are left open."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import ModelError
from acausal.pipeline import translate

CASES = Path(__file__).parents[1] / "cases" / "structure"


@pytest.mark.parametrize(
    ("case", "note", "hint"),
    [
        (
            "torque_at_open_axis",
            "j:Axis is not connected, hence j.t = 0",
            "connect j:Axis to the component that determines the value",
        ),
        ("joint_without_mass", "no unknown remains in 0 = 0", "check for a mass, an inertia or another factor"),
    ],
)
def test_notes_of_open_cuts(tmp_path: Path, case: str, note: str, hint: str) -> None:
    file = tmp_path / "m.mdl"
    file.write_text((CASES / f"{case}.case").read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(ModelError) as found:
        translate(file)
    (told,) = found.value.report.diagnostics
    assert note in told.notes
    assert told.help is not None and hint in told.help
