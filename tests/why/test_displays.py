"""The sorted and solved equations as text: every unknown solved for once, loops torn as the statistics say."""

import re
from pathlib import Path

import pytest

from acausal.cli import main
from acausal.ir.names import show_derivative
from acausal.pipeline import translate
from acausal.translation import Translation
from tests.collection import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.mdl"))
LOOP = re.compile(r"loop of (\d+) equations, (linear|nonlinear); tearing variables? (.+)")

BRIDGE = """@electrical.lib
model Bridge
  submodel (source) U(V=10)
  submodel (resistor) R1(R=100), R2(R=200), R3(R=300), R4(R=150), Rm(R=50)
  submodel (ground) G
  node top, left, right
  connect U at (G, top), R1 at (top, left), R2 at (left, G),
          R3 at (top, right), R4 at (right, G), Rm at (left, right)
end
"""


def split(text: str) -> list[str]:
    """Names in a list; a comma within brackets belongs to a name."""
    return re.findall(r"(?:[^,\[(]|\[[^\]]*\]|\([^)]*\))+", text.replace(", ", ","))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.stem)
def test_each_unknown_is_solved_for_once(example: Path) -> None:
    translation = translate(example)
    unknowns = [show_derivative(x.name, x.order) for x in translation.stages.run.unknowns]
    marked: list[str] = []
    sizes: dict[str, list[list[int]]] = {"linear": [], "nonlinear": []}
    inside = residuals = tears = 0
    for line in translation.equations("sorted").splitlines():
        loop = LOOP.fullmatch(line)
        if loop:
            torn = split(loop[3])
            marked += [name.replace(",", ", ") if name.startswith("der(") else name for name in torn]
            sizes[loop[2]].append([int(loop[1]), len(torn)])
            inside, residuals, tears = int(loop[1]), 0, len(torn)
        elif line == "end loop":
            assert (inside, residuals) == (0, tears)
        elif line.startswith("  residual: "):
            inside, residuals = inside - 1, residuals + 1
        else:
            inside -= line.startswith("  ")
            found = [x for x in unknowns if f"[{x}]" in line]
            assert len(found) == 1, line
            marked += found
    assert sorted(marked) == sorted(unknowns)
    statistics = translation.statistics
    assert [s for s in statistics["linear_blocks"] if s[0] > 1] == sizes["linear"]  # type: ignore[attr-defined]
    assert [s for s in statistics["nonlinear_blocks"] if s[0] > 1] == sizes["nonlinear"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.stem)
def test_assignments_use_what_stands_before(example: Path) -> None:
    """In the text of the solved equations no unknown is used above the line that gives it its value."""
    translation = translate(example)
    unknowns = {show_derivative(x.name, x.order) for x in translation.stages.run.unknowns}
    known: set[str] = set()
    for line in translation.equations("solved").splitlines():
        if line.startswith(("solve ", "  ")):
            known |= set(split(line.partition(" for ")[2])) if line.startswith("solve ") else set()
            continue
        target, _, value = line.partition(" = ")
        used = {name for name in names_in(value) if name in unknowns}
        assert used <= known, line
        known.add(target)
    assert unknowns <= {name.replace(",", ", ") if "der(" in name else name for name in known} | known


def names_in(text: str) -> list[str]:
    """Variables and their derivatives in an expression."""
    name = r"[A-Za-z_]\w*(?:\[[\d,]+\])?(?:\.[A-Za-z_]\w*(?:\[[\d,]+\])?)*"
    return re.findall(rf"der\({name}(?:, \d+)?\)|{name}", text)


def bridge(folder: Path) -> tuple[Path, Translation]:
    file = folder / "bridge.mdl"
    file.write_text(BRIDGE, encoding="utf-8")
    return file, translate(file)


def test_a_loop_is_bracketed(tmp_path: Path) -> None:
    """Ten equations of the bridge are one linear loop with one tearing variable; the source's current follows."""
    lines = bridge(tmp_path)[1].equations("sorted").splitlines()
    assert re.fullmatch(r"loop of 10 equations, linear; tearing variable R\w\.[ui]", lines[0])
    assert [line.startswith("  residual: ") for line in lines[1:11]].count(True) == 1
    assert lines[11] == "end loop"
    assert lines[12:] == ["-([U.i] - R1.i - R3.i) = 0"]


def test_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", str(bridge(tmp_path)[0]), "--show", "statistics"]) == 0
    table = dict(re.findall(r"^(\S.*?|  after.*?) {2,}(.+)$", capsys.readouterr().out, re.MULTILINE))
    assert (table["equations"], table["unknowns"], table["states"]) == ("26", "26", "0")
    assert (table["aliases"], table["linear systems"], table["  after tearing, linear"]) == ("15", "{10}", "{1}")
    assert table["nonlinear systems"] == "none"
