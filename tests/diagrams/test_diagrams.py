"""Diagrams read back from their SVG, and their layouts."""

import random
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import acausal
from acausal.causalize.explain.provenance import base_origin
from acausal.cli import main
from acausal.diagrams.layers import layers
from acausal.diagrams.levels import levels
from acausal.diagrams.matrix import rows_of
from acausal.translation import Translation
from tests.collection import ROOT

EXAMPLES = ROOT / "examples"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def motor() -> Translation:
    return acausal.translate(EXAMPLES / "dc_motor.mdl")


@pytest.fixture(scope="module")
def fourbar() -> Translation:
    return acausal.translate(EXAMPLES / "fourbar.mdl")


def test_boxes_and_lines_lead_to_their_text(motor: Translation) -> None:
    """Every submodel of the model has a box that leads to the line of its declaration, connections to theirs."""
    lines = (EXAMPLES / "dc_motor.mdl").read_text().splitlines()
    root = ET.fromstring(motor.graph(EXAMPLES))
    found = {}
    for link in root.iter(f"{SVG}a"):
        title = next(link.iter(f"{SVG}title")).text or ""
        found[title.splitlines()[0]] = link.attrib["href"]
    boxes = {title: target for title, target in found.items() if title.startswith("submodel")}
    assert len(boxes) == 8
    for title, target in boxes.items():
        file, _, line = target.partition("#L")
        name = title.rpartition(" ")[2]
        assert file == "dc_motor.mdl"
        assert f" {name}(" in lines[int(line) - 1] or lines[int(line) - 1].endswith(f" {name}"), title
    connections = {title: target for title, target in found.items() if title.startswith("connect ")}
    assert len(connections) == 7
    for target in connections.values():
        assert "connect" in "".join(lines[int(target.partition("#L")[2]) - 2 :][:2])
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"U", "Ra", "La", "M", "G", "rotor", "n", "arm", "mech"} <= set(texts)
    assert any(t and t.startswith("17 equations in 14 blocks") for t in texts)


def test_connection_sets_are_those_of_the_model(motor: Translation) -> None:
    (level,) = levels(motor.stages.flat)
    named = [sorted(f"{level.boxes[box].name}:{cut}" for box, cut in joint.ends) for joint in level.joints]
    assert named[0] == ["G:A", "M:B", "U:A"]
    assert ["M:mech", "rotor:A"] in named


def test_levels_of_composite_classes() -> None:
    """Each class with submodels once; its own cuts are ports, its nodes points with their names."""
    found = {
        level.title.split()[0]: level for level in levels(acausal.translate(EXAMPLES / "robot/robot.mdl").stages.flat)
    }
    assert set(found) == {"Robot", "R3robot", "R3control", "R3motor", "R3gearA", "R3gearB", "R3mbs"}
    motor = found["R3motor"]
    assert {box.name for box in motor.boxes if box.port} == {"elec", "gear"}
    assert {joint.node for joint in motor.joints} >= {"n1", "n2", "n12"}


@pytest.mark.parametrize("name", ["motor", "fourbar"])
def test_incidence_is_block_lower_triangular(name: str, request: pytest.FixtureRequest) -> None:
    """Entries right of the diagonal lie within blocks, and in torn blocks in the columns of tearing variables."""
    stages = request.getfixturevalue(name).stages
    rows, squares = rows_of(stages.run, stages.plan)
    assert len(rows) == len(stages.run.unknowns)
    assert sum(s.tears for s in squares) == sum(len(b.tears) for b in stages.plan.blocks)
    for i, row in enumerate(rows):
        square = squares[row.block]
        last = square.first + square.size
        assert square.first <= i < last
        assert all(column < last for column in row.columns)
        torn = last - square.tears
        if square.tears:
            assert row.residual == (i >= torn)
            assert all(column <= i or column >= torn for column in row.columns)
        assert row.residual or i in row.columns
        span = base_origin(row.equation.origin).span
        assert span.line >= 1
    if name == "fourbar":
        assert [s.kind for s in squares if s.tears].count("nonlinear") == 1


def test_two_diagrams_are_equal(motor: Translation) -> None:
    again = acausal.translate(EXAMPLES / "dc_motor.mdl")
    assert motor.graph(EXAMPLES) == again.graph(EXAMPLES)


def test_the_legend_fits() -> None:
    """Of a model of one equation, whose matrix is narrower than the line below it."""
    from acausal.pipeline import translate

    root = ET.fromstring(translate("m.mdl", text="model M\n  local x (start=1)\n  der(x) = -x\nend\n").graph())
    words = [node for node in root.iter(f"{SVG}text") if node.text == "known from before"]
    end = float(words[0].get("x", "0")) + 0.55 * 9 * len("known from before")
    assert end + 24 < float(root.get("width", "0"))


def test_layers_hold_edges_together() -> None:
    """Every edge joins nodes of one layer or of neighboring ones; every node is placed once."""
    shuffled = random.Random(1)
    for count in (1, 2, 9, 40):
        for _ in range(10):
            edges = [
                (shuffled.randrange(count), shuffled.randrange(count)) for _ in range(shuffled.randrange(2 * count))
            ]
            parts = layers(count, edges)
            at = {node: (p, i) for p, part in enumerate(parts) for i, layer in enumerate(part) for node in layer}
            assert sorted(at) == list(range(count))
            assert sum(len(layer) for part in parts for layer in part) == count
            for a, b in edges:
                assert at[a][0] == at[b][0]
                assert abs(at[a][1] - at[b][1]) <= 1
    ladder = [(k, k + 1) for k in range(3000)]
    assert [len(layer) for layer in layers(3001, ladder)[0]] == [1] * 3001


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "a b.mdl").write_text(
        "model M\n  local x (start=1, fixed=true)\n  der(x) = if x < 0 and x > -1 then 0 else -x\nend\n"
    )
    assert main(["translate", "a b.mdl", "--show", "graph", "-o", "out/m.svg"]) == 0
    text = (tmp_path / "out/m.svg").read_text()
    assert 'href="../a%20b.mdl#L3"' in text
    assert main(["translate", "a b.mdl", "--show", "graph"]) == 0
    ET.fromstring(capsys.readouterr().out)
