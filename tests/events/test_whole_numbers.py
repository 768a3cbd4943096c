"""Integer variables have integer values, or the run ends with the equation that gives them another one."""

from pathlib import Path

import pytest

from acausal.pipeline import translate
from acausal.runs import RunError
from acausal.sweep.native_sweep import has_lasting_conditions

WRONG = {
    "at an event": ("discrete integer n (start=1)\nwhen time > 0.25 then\nnew(n) = 2*time\nendwhen", 0.25, "n", "0.5"),
    "a constant": ("discrete integer n\nwhen sample(0.5, 1) then\nnew(n) = 0.5\nendwhen", 0.5, "n", "0.5"),
    "in a branch": ("local integer n, y\ny = n\nn = if time > 0.5 then 1.5 else 1", 0.5, "n", "1.5"),
    "beside floor": ("local integer n\nn = floor(3*time) + 0.5", 0, "n", "0.5"),
    "continuous": ("local integer n, x\nx = 2*time\nn = x", 0.01, "n", "0.02"),
    "in a loop": ("local integer n, integer k\nn = 1 - k\nk = n", 0, "n", "0.5"),
    "a parameter": (
        "parameter a=2.5\ndiscrete integer n\nwhen sample(0.5, 1) then\nnew(n) = n + a\nendwhen",
        0.5,
        "n",
        "2.5",
    ),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("states", ["", "local z (start=1, fixed=true)\nder(z) = -z\n"])
def test_other_values_end_the_run(tmp_path: Path, name: str, states: str) -> None:
    body, time, variable, value = WRONG[name]
    path = tmp_path / "m.mdl"
    path.write_text(f"model M\n{body}\n{states}end\n", encoding="utf-8")
    with pytest.raises(RunError) as caught:
        translate(path).simulate(stop=1, interval=0.01)
    (error,) = caught.value.report.errors
    assert (error.code, error.primary is not None) == ("T014", True)
    assert error.message == f"at t = {time:g}: {variable} is declared integer, its value is {value}"
    kept = caught.value.result
    assert (kept[variable] % 1 == 0).all()
    assert len(kept.time) == 0 or kept.time[-1] <= time


WHOLE = """model M
  parameter integer k=3, a=0.5
  discrete integer n (start=k), integer m, boolean b
  local integer i, integer j, y
  j = i - 2*n
  i = if b then ceil(a*k) else floor(time/a) + sign(time - 0.3)
  when sample(0.1, 0.1) then
    new(n) = mod(n + k*2, 7)
    new(m) = min(new(n), 4) - abs(m)
    new(b) = not b
  endwhen
  y = n
end
"""


def test_what_is_proved_is_not_looked_at(tmp_path: Path) -> None:
    """No condition in the program: runs and sweeps cost what they cost without declared types."""
    path = tmp_path / "m.mdl"
    path.write_text(WHOLE, encoding="utf-8")
    translation = translate(path)
    assert translation.program.conditions == ()
    result = translation.simulate(stop=1)
    assert all((result[name] % 1 == 0).all() for name in ("n", "m", "i", "j"))


def test_in_a_sweep(tmp_path: Path) -> None:
    """Only the runs where the value is no integer fail; those columns are not left to machine code alone."""
    path = tmp_path / "m.mdl"
    text = "parameter a=2\ndiscrete integer n\nwhen sample(0.5, 1) then\nnew(n) = n + a\nendwhen\n"
    path.write_text(f"model M\n{text}local z (start=1, fixed=true)\nder(z) = -z\nend\n", encoding="utf-8")
    translation = translate(path)
    assert not has_lasting_conditions(translation.program)
    swept = translation.sweep({"a": [2, 2.5, 4]}, final=["n"], stop=1)
    assert {i: f.code for i, f in swept.failures.items()} == {1: "T014"}
    assert swept["final(n)"][[0, 2]].tolist() == [2, 4]
