"""`why`: the way of a variable from its line to the line of the code, complete for every variable."""

import re
from pathlib import Path

import pytest

from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.pipeline import translate
from acausal.translation import Translation
from tests.collection import ROOT

EXAMPLES = ROOT / "examples"

DIVIDER = """@electrical.lib
model Divider
  submodel (source) U(V=10)
  submodel (resistor) R1(R=3), R2(R=2)
  submodel (ground) G
  node top, middle
  connect U at (G, top), R1 at (top, middle),
          R2 at (middle, G)
end
"""

BALL = """model Ball
  local h (start=1), v
  discrete boolean resting
  input push
  output y[2]
  der(h) = v
  der(v) = if resting then push else -9.81
  y = [h; -v]
  when h < 0 then
    init(v) = -0.8*v
    new(resting) = abs(v) < 0.1
  endwhen
end
"""


def ways(translation: Translation, name: str) -> list[tuple[str, str, str]]:
    """What, where and text of each link."""
    found = []
    for line in translation.why(name).splitlines():
        if line.startswith("  "):
            what, where, text = re.fullmatch(r"  (\S+(?: \S+)*?) {2,}(\S.*?:\d+ )? *(.+)", line).groups()  # type: ignore[union-attr]
            found.append((what, (where or "").strip(), text))
    return found


def made(folder: Path, text: str) -> Translation:
    file = folder / "m.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file)


def test_through_differentiation_to_the_code() -> None:
    """der(y) of the pendulum comes from the constraint, differentiated once."""
    pendulum = translate(EXAMPLES / "pendulum.mdl")
    links = ways(pendulum, "der(y)")
    assert [what for what, _, _ in links][:3] == ["written", "becomes", "differentiated"]
    source = (EXAMPLES / "pendulum.mdl").read_text(encoding="utf-8").splitlines()
    file, number = links[0][1].rsplit(":", 1)
    assert Path(file).name == "pendulum.mdl"
    assert source[int(number) - 1].strip() == links[0][2] == "x^2 + y^2 = L^2"
    assert ("differentiated", "", "2*x*der(x) + 2*y*der(y) = 0") in links
    assert ("solved", "", "der(y) = -(x*der(x))/y") in links


def test_through_connection_and_alias(tmp_path: Path) -> None:
    links = ways(made(tmp_path, DIVIDER), "R2.i")
    joined = [(at.rsplit(":")[-1], text) for what, at, text in links if what == "connect"]
    assert joined == [("7", "R1 at (top, middle)"), ("8", "R2 at (middle, G)"), ("7", "U at (G, top)"), joined[0]]
    assert [text for what, _, text in links if what == "flow sum"] == ["-(R1.i - R2.i) = 0", "-(U.i - R1.i) = 0"]
    assert ("alias", "", "R2.i = U.i") in links


def test_a_loop_is_named_with_its_tearing_variables(tmp_path: Path) -> None:
    links = ways(made(tmp_path, DIVIDER), "R1.i")
    assert [text for what, _, text in links if what == "loop"]
    assert "tears" in next(text for what, _, text in links if what == "loop")


def test_a_constant_is_led_back_to_its_equation(tmp_path: Path) -> None:
    divider = made(tmp_path, DIVIDER)
    assert ("with", "", "U.Va = 0") in ways(divider, "R2.Vb")
    assert ("equation", "", "G.V = 0") in ways(divider, "G.V")
    assert ways(divider, "G.V")[-1][0] == "code"


def test_combined_equations_are_all_told(tmp_path: Path) -> None:
    """x = sin(time) + 1 follows from lines 4 and 5 together, and is differentiated."""
    body = "local x, y, z, w\nder(x) = w\ny + z = x\n2*y + 2*z = 2*sin(time) + 2\nw = y - z"
    links = ways(made(tmp_path, f"model M\n{body}\nend\n"), "der(x)")
    assert sorted(at.rsplit(":")[-1] for what, at, _ in links if what == "written") == ["4", "5"]
    assert [what for what, _, _ in links].count("differentiated") == 1


def test_discrete_inputs_arrays_and_states(tmp_path: Path) -> None:
    ball = made(tmp_path, BALL)
    assert ("set", f"{tmp_path}/m.mdl:11", "new(resting) = abs(v) < 0.1") in ways(ball, "resting")
    assert ways(ball, "push")[1][0] == "input"
    assert ("alias", "", "y[2] = -v") in ways(ball, "y[2]")
    assert [what for what, _, _ in ways(ball, "h")][:3] == ["declared", "start value", "state"]
    with pytest.raises(UsageError, match="unknown variable hh"):
        ball.why("hh")


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.mdl")), ids=lambda p: p.stem)
def test_every_way_ends_in_the_code(example: Path) -> None:
    """Each link to a file quotes its line; each line of code that is named holds what is said."""
    translation = translate(example)
    code = translation.code().splitlines()
    names = [n for n in map(str, translation.stages.run.unknowns) if "$" not in n]
    names += [str(a.variable.symbol) for a in translation.stages.dae.aliases]
    for name in names[:: max(1, len(names) // 12)]:
        links = ways(translation, name)
        assert any(what == "code" for what, _, _ in links), name
        for what, at, text in links:
            if what == "code" and not text.startswith("none"):
                number, line = re.fullmatch(r"line (\d+)[^:]*: (.+)", text).groups()  # type: ignore[union-attr]
                assert code[int(number) - 1].strip() == line
            elif at and what in ("written", "declared"):
                file, row = at.rsplit(":", 1)
                shown = Path(file).read_text(encoding="utf-8").splitlines()[int(row) - 1].strip()
                assert text.startswith(shown)


def test_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", str(EXAMPLES / "rc.mdl"), "--why", "C.u"]) == 0
    assert "integrated from der(C.u)" in capsys.readouterr().out
    assert main(["translate", str(EXAMPLES / "rc.mdl"), "--why", "C.q"]) == 2
