"""Limits of parameters: min and max, at translation and for values given for a run."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import ModelError, SimulationError
from acausal.pipeline import translate

MODEL = """model M
  parameter most=5, share (min=0, max=1) = {share}, v[2] (min=[0, -1], max=most) = {v}, w (min=0) = 2*share
  local x (start=0)
  der(x) = share + v[1] + v[2] + w
end
"""


def made(folder: Path, share: str = "0.5", v: str = "[1, 2]") -> Path:
    file = folder / "m.mdl"
    file.write_text(MODEL.format(share=share, v=v), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"share": "-0.1"}, "share is -0.1, below its minimum 0"),
        ({"share": "1.5"}, "share is 1.5, above its maximum 1"),
        ({"v": "[0, -2]"}, "v is -2, below its minimum -1"),
        ({"v": "[6, 0]"}, "v is 6, above its maximum 5"),
    ],
)
def test_values_in_the_model(values: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        translate(made(tmp_path, **values))
    (diagnostic,) = caught.value.report.diagnostics
    assert (diagnostic.code, diagnostic.message) == ("T013", message)


def test_limits_themselves_are_allowed(tmp_path: Path) -> None:
    assert translate(made(tmp_path, "0", "[0, -1]")).simulate(stop=1).final["x"] == pytest.approx(-1)


@pytest.mark.parametrize(("name", "value"), [("share", 2.0), ("share", -1.0), ("v[2]", -1.5)])
def test_values_given_for_a_run(name: str, value: float, tmp_path: Path) -> None:
    """Also of what follows from them: w = 2*share."""
    translation = translate(made(tmp_path))
    with pytest.raises(SimulationError, match=r"its (minimum|maximum)"):
        translation.simulate(stop=1, parameters={name: value})
    assert translation.simulate(stop=1, parameters={"share": 1.0}).final["x"] == pytest.approx(6)
