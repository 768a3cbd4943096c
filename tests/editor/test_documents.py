"""Texts, positions, pieces and their trees while something is being typed."""

import random
from pathlib import Path

import pytest

from acausal.base.source import SourceFile
from acausal.editor.text.chunks import split
from acausal.editor.text.document import Document
from acausal.editor.text.edits import change
from acausal.editor.text.positions import Encoding, Positions
from acausal.editor.text.project import Project
from acausal.editor.text.resolve import resolve
from acausal.syntax.parser import parse
from tests.collection import EXAMPLES, ROOT
from tests.editor.cursor import CIRCUIT

TEXT = "a = 1\r\n{ 𝜑 ä }\rb\n"


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 9), ("utf-16", 6), ("utf-32", 5)])
def test_columns_count_code_units(encoding: Encoding, column: int) -> None:
    """𝜑 has 4 bytes in UTF-8 and 2 units in UTF-16, ä 2 and 1; lines end in \\r\\n, \\r and \\n."""
    positions = Positions(TEXT, encoding)
    end = TEXT.index("ä") + 1
    assert positions.position(end) == (1, column)
    assert positions.offset((1, column)) == end
    assert positions.position(TEXT.index("b")) == (2, 0)
    assert positions.offset((0, 99)) == TEXT.index("\r\n")
    assert positions.offset((99, 0)) == len(TEXT)
    for offset in range(len(TEXT)):
        if TEXT[offset] != "\n" or TEXT[offset - 1] != "\r":
            assert positions.offset(positions.position(offset)) == offset


def test_changes_move_places() -> None:
    moved = change("abcdef", "abXXXdef")
    assert (moved.forward(0, 2), moved.forward(3, 6), moved.forward(1, 4)) == ((0, 2), (5, 8), None)
    assert [moved.backward(n) for n in (0, 2, 3, 5, 8)] == [0, 2, 2, 3, 6]
    assert change("aaa", "aa").forward(0, 1) == (0, 1)


def test_pieces_are_the_text_and_its_units() -> None:
    for path in EXAMPLES:
        text = path.read_text(encoding="utf-8")
        assert "".join(split(text)) == text
        document = Document(path, text)
        assert document.units == parse(SourceFile(str(path), text)).file.units
        assert [document.place(unit.span) for unit in document.units] == [
            (unit.span.start, unit.span.end) for unit in parse(SourceFile(str(path), text)).file.units
        ]


def test_every_name_of_the_libraries_and_examples_is_found() -> None:
    """At its place, and with a meaning; the `.inc` parts mean something only in the libraries that include them."""
    project = Project()
    for path in [*EXAMPLES, *sorted((ROOT / "stdlib").glob("*.lib"))]:
        text = path.read_text(encoding="utf-8")
        document = project.put(path, text)
        names = project.names(document)
        for mention in document.mentions():
            place = document.place(mention.span)
            assert place is not None
            assert text[place[0] : place[1]].removeprefix("@") == mention.name
            assert resolve(mention, names) is not None or mention.kind == "experiment", (path, mention.name, place)
        project.close(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  u = C1.Va\n", "  u = C1.\n"),
        ("  u = C1.Va\n", "  u = sin(\n"),
        ("  u = C1.Va\n", "  if u > 0 then\n"),
        ("  u = C1.Va\n", "  u = C1.Va {\n"),
        ("(ic u=0)", "(ic u="),
        ("  submodel (ground) g\n  cut", "  submodel (\n  cut"),
        ('(unit="Ohm")', '(unit="Ohm'),
        ("  u = C1.Va\nend\n", "  u = C1.Va\n"),
        ("  cut A (Va / ia)\n", "  cut A (Va / ia)\n  connect \n  when\n"),
    ],
)
def test_a_broken_line_leaves_the_rest_of_the_tree(old: str, new: str) -> None:
    assert old in CIRCUIT
    before = Document(Path("a.mdl"), CIRCUIT)
    after = before.changed(CIRCUIT.replace(old, new, 1))
    assert list(after.mistakes)
    names = {mention.name for mention in after.mentions() if mention.home and mention.home[-1].name == "LowPass"}
    assert {"R", "R1", "Va", "LowPass"} <= names | {"LowPass"}
    for mention in after.mentions():
        place = after.place(mention.span)
        if place is not None:
            assert after.text[place[0] : place[1]].removeprefix("@") == mention.name
    assert "Main" in [m.name for m in after.mentions() if m.declares]


def test_random_typing_never_fails() -> None:
    """Characters put in and taken out anywhere: names stay at their places, and undoing it gives the first tree."""
    chance = random.Random(7)
    first = document = Document(Path("a.mdl"), CIRCUIT)
    for _ in range(300):
        text = document.text
        at = chance.randrange(len(text) + 1)
        new = chance.choice(["", "x", "(", ")", "{", "}", "\n", "end\n", "model ", '"', " = ", "@", "connect "])
        gone = chance.choice([0, 0, 1, 3])
        document = document.changed(text[:at] + new + text[at + gone :])
        for mention in document.mentions():
            place = document.place(mention.span)
            assert place is None or document.text[place[0] : place[1]].removeprefix("@") == mention.name
        if len(document.text) > 2 * len(CIRCUIT):
            document = first
    back = document.changed(CIRCUIT)
    assert back.units == first.units
    assert not list(back.mistakes)
