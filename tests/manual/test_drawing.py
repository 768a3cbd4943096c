"""Drawings of classes: every cut with its variables, within the picture."""

from xml.etree import ElementTree

import pytest

from acausal.manual.drawing import drawing, sides_of
from acausal.reference.classes import class_entry
from acausal.reference.data import ClassSummary
from acausal.reference.libraries import classes

SVG = "{http://www.w3.org/2000/svg}"
CLASSES = list(classes().values())


@pytest.mark.parametrize("known", CLASSES, ids=[known.name for known in CLASSES])
def test_drawing_shows_every_cut(known: ClassSummary) -> None:
    entry = class_entry(known)
    text = drawing(entry)
    simple = [cut for cut in entry.cuts if not cut.parts]
    if not simple:
        assert text == ""
        return
    picture = ElementTree.fromstring(text)
    shown = ["".join(element.itertext()) for element in picture.iter(f"{SVG}text")]
    assert shown[0] == known.name
    for cut in simple:
        assert cut.name in shown
        assert all(any(name in line for line in shown) for name in (*cut.across, *cut.through))
    assert len(list(picture.iter(f"{SVG}circle"))) == len(simple)
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    for circle in picture.iter(f"{SVG}circle"):
        assert 5 <= float(circle.attrib["cx"]) <= width - 5
        assert 5 <= float(circle.attrib["cy"]) <= height - 5
    for element in picture.iter(f"{SVG}text"):
        ends = _ends(element)
        assert ends[0] >= -1
        assert ends[1] <= width + 1


def _ends(element: ElementTree.Element) -> tuple[float, float]:
    """The left and right end of a text, for characters of 7.3 pixels."""
    x, size = float(element.attrib["x"]), 7.3 * len(element.text or "")
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[element.attrib["text-anchor"]]
    return x - shift * size, x + (1 - shift) * size


def test_sides() -> None:
    sides = sides_of(class_entry(classes()["emf"]))
    assert [[cut.name for cut in side] for side in (sides.left, sides.right, sides.below)] == [["A"], ["B"], ["mech"]]
    sides = sides_of(class_entry(classes()["OpAmp"]))
    assert [[cut.name for cut in side] for side in (sides.left, sides.right)] == [["plus", "minus"], ["out"]]


def test_arrows_point_in_the_positive_direction() -> None:
    """The current of a resistor counts positive into A and out of B."""
    picture = ElementTree.fromstring(drawing(class_entry(classes()["resistor"])))
    stubs = [line for line in picture.iter(f"{SVG}line") if line.attrib["class"] == "stub"]
    assert len(stubs) == 2
    assert all(float(line.attrib["x1"]) < float(line.attrib["x2"]) for line in stubs)
