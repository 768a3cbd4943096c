"""The text of a flat model is a model of the language: translated again it has the same text."""

from pathlib import Path

import pytest

from acausal.pipeline import translate
from tests.case import read_case

GOLDEN = Path(__file__).parents[1] / "cases" / "golden"
FLAT = {path.stem: read_case(path).dumps["flat"] for path in sorted(GOLDEN.glob("*.case"))}
WITH_SUBMODELS = ("connected", "ladder")
"""Names with a point cannot be declared."""

EVERYTHING = """\
model Everything
  constant n = 2
  parameter integer N (min=1, max=9) = 3
  parameter k (unit="N/m", nominal=2, tunable=true) = 1
  parameter boolean on = true
  parameter string name = "a \\"b\\" \\\\ {c}"
  input u (unit="V")
  local x[2] (start=[1, 2], fixed=true, state="prefer")
  local y (start=k, min=-k, max=2*k)
  discrete z
  local boolean low
  discrete integer count
  initial y = k
  der(x) = [x[2], -k*x[1]]
  der(y, 2) = u - y
  low = y < 0
  new(z) = if low then 1 else 2
  when y > 1 then
    new(count) = count + 1
    init(y) = 0
  elsewhen low and sample(0, 0.5) then
    assert(y > -3, "far {too} \\"low\\"")
    terminate(y < -2, "low")
  endwhen
  assert(y < 4, "high")
  terminate(y > 3, "enough {of} it")
end
"""


def flat(folder: Path, text: str) -> str:
    file = folder / "m.mdl"
    file.write_text(text)
    return translate(file).equations("flat")


@pytest.mark.parametrize("name", [name for name, text in FLAT.items() if name not in WITH_SUBMODELS])
def test_golden_models(tmp_path: Path, name: str) -> None:
    assert flat(tmp_path, FLAT[name]) == FLAT[name]


def test_everything_that_a_declaration_may_have(tmp_path: Path) -> None:
    assert flat(tmp_path, EVERYTHING) == EVERYTHING
