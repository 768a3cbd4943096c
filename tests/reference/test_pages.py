"""Pages: their text for a width, what they are found by, and that nothing sticks out."""

import pytest

from acausal.base.diagnostics import UsageError
from acausal.codes import all_codes
from acausal.codes.functions import FUNCTIONS
from acausal.codes.words import WORDS
from acausal.elaborate.functions.calls import BUILT_IN
from acausal.reference.comments import first_sentence, paragraphs
from acausal.reference.find import find, names
from acausal.reference.library_page import list_data, list_page
from acausal.reference.page import Code, Page, Paragraph, Section, Table, plain

GEAR = """\
gear                                                 class, rotational.lib

Ideal gear: A turns `ratio` times as fast as B, and no power is lost
(ta*wa + tb*wb = 0). Its housing is fixed to the ground. Unknowns phia
phib ta tb, flanges 2, equations 2.

Parameters
  ratio  1  required  speed of A for each speed of B

Cuts and paths
  cut A (phia, der(phia), der(phia, 2) / ta)
  cut B (phib, der(phib), der(phib, 2) / tb)
  main path <A - B>

Variables
  phia  rad  angles of the flanges
  phib  rad  angles of the flanges
  ta    N.m  torques into the flanges
  tb    N.m  torques into the flanges

Equations
  phia = ratio*phib
  ratio*ta + tb = 0

Structure
  scalar equations  2
  defined in        rotational.lib, line 84

Example
  @rotational.lib

  model Drive
    submodel (steptorque) T(height=2)
    submodel (inertia) motor(J=0.01) (ic phi=0, w=0), load(J=0.5)
    submodel (gear) g(ratio=5)
    submodel (bearing) b(d=0.1)
    connect T - motor - g - load - b
    experiment (stop=10, plot=[motor.w, load.w])
  end"""


def test_page_of_a_class() -> None:
    assert plain(find("gear"), 74) == GEAR


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("resistor", ["class, electrical.lib"]),
        ("thermal.lib", ["library"]),
        ("thermal", ["library"]),
        ("der", ["word of the language"]),
        ("sin", ["function"]),
        ("c004", ["code"]),
        ("stop", ["class, friction.lib"]),
        ("while", ["word of another language"]),
    ],
)
def test_what_a_name_means(name: str, place: list[str]) -> None:
    assert [page.place for page in find(name)] == place


def test_a_name_with_several_meanings() -> None:
    assert [page.place for page in find("new", {"new": "writes a model"})] == ["word of the language", "command"]


@pytest.mark.parametrize(
    ("name", "code", "hint"),
    [
        ("resitor", "F018", "did you mean resistor?"),
        ("Resistor", "F018", "did you mean resistor?"),
        ("electrical.resistor", "F018", "did you mean resistor?"),
        ("xyzzy", "F018", "acausal list WORD"),
        ("C099", "F009", "C009"),
    ],
)
def test_unknown_name(name: str, code: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        find(name)
    (diagnostic,) = caught.value.report.diagnostics
    assert diagnostic.code == code
    assert hint in (diagnostic.help or "")


def test_every_name_has_a_page() -> None:
    everything = names()
    assert {"resistor", "blocks.lib", "cut", "sin", "N001"} <= set(everything)
    assert set(WORDS) | set(all_codes()) <= set(everything)
    assert [name for name in everything if not find(name)] == []


def test_every_function_of_the_language_is_described() -> None:
    assert set(BUILT_IN) <= set(WORDS)
    assert set(FUNCTIONS) <= set(BUILT_IN)


@pytest.mark.parametrize("width", [40, 60, 88, 110])
def test_running_text_fits_the_width(width: int) -> None:
    page = list_page(None)
    assert page is not None
    assert max(map(len, plain([page], width).split("\n"))) <= width


def test_list_finds_names_and_summaries() -> None:
    page = list_page("freewheel")
    assert page is not None
    assert (
        plain([page], 74)
        == """\
1 class with freewheel                         acausal docs NAME shows one

friction.lib: Dry friction between shafts: bearings, clutches and brakes
that slide or stick.
  onewayclutch  One-way clutch (freewheel, ratchet without teeth): A
                drives B forward and cannot overtake it; B may run ahead."""
    )
    assert list_page("xyzzy") is None


def test_layout() -> None:
    table = Table((("a", "", "one two three four five six"), ("bcd", "", "")))
    page = Page("Title", "place", (Section("", (Paragraph("some text"), Code("x\n  y"))), Section("Head", (table,))))
    assert plain([page], 31) == (
        "Title                     place\n\nsome text\n\nx\n  y\n\n"
        "Head\n  a    one two three four five\n       six\n  bcd"
    )
    assert plain([page], 24).split("\n")[-4:] == ["  a", "      one two three four", "      five six", "  bcd"]


@pytest.mark.parametrize(
    ("comment", "sentence"),
    [
        ("Spring: f = c*s. It is pressed.", "Spring: f = c*s."),
        ("Line of text\ngoes on. More", "Line of text goes on."),
        ("Given outside: S.e = ...", "Given outside: S.e = ..."),
        ("Law:\n    x = y", "Law."),
        ("Wheel of 0.5 m", "Wheel of 0.5 m."),
        ("", ""),
    ],
)
def test_first_sentence(comment: str, sentence: str) -> None:
    assert first_sentence(comment) == sentence


def test_paragraphs_and_formulas() -> None:
    assert paragraphs("a\nb\n    x = 1\n    y = 2\nc\n\nd") == ("a b", "    x = 1\n    y = 2", "c", "d")


@pytest.mark.parametrize("word", [None, "thermal", "spring", "bondgraph"])
def test_list_as_data_has_the_libraries_of_the_page(word: str | None) -> None:
    page = list_page(word)
    assert page is not None
    libraries = [f"{library['library']}: {library['summary']}" for library in list_data(word)]
    assert [section.heading for section in page.sections] == libraries
