"""The layout of errors for people, against excerpts written by hand."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from acausal.base.diagnostics import Diagnostic, Label, Report, Severity
from acausal.base.excerpt import HIDDEN
from acausal.base.source import SourceFile, Span
from acausal.render import render


def label(file: SourceFile, word: str, text: str = "") -> Label:
    start = file.text.index(word)
    return Label(Span(file, start, start + len(word)), text)


def shown(*diagnostics: Diagnostic, color: bool = False) -> str:
    return render(Report(diagnostics), color=color)


def excerpt_of(text: str, word: str) -> list[str]:
    """The source line and its mark, of an error at `word`."""
    file = SourceFile("a.mdl", text)
    return shown(Diagnostic("N001", "m", label(file, word))).split("\n")[3:5]


def test_the_example_of_the_design_page() -> None:
    file = SourceFile("drive.mdl", "\n" * 13 + "  connect motor to pump\n")
    diagnostic = Diagnostic(
        "C004",
        "cuts of different shape are connected",
        label(file, "motor", "motor:shaft has 3 across / 1 through (phi, w, a / tau)"),
        (label(file, "pump", "pump:port has 1 across / 1 through (p / q)"),),
        help="did you mean pump:shaft",
    )
    assert shown(diagnostic) == (
        "error[C004]: cuts of different shape are connected\n"
        "  --> drive.mdl:14:11\n"
        "   |\n"
        "14 |   connect motor to pump\n"
        "   |           ^^^^^ motor:shaft has 3 across / 1 through (phi, w, a / tau)\n"
        "   |                    ---- pump:port has 1 across / 1 through (p / q)\n"
        "   = help: did you mean pump:shaft"
    )


def test_labels_in_several_lines_and_files() -> None:
    model = SourceFile("m.mdl", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n")
    library = SourceFile("l.lib", "class\n")
    diagnostic = Diagnostic(
        "N002",
        "declared twice",
        label(model, "three", "here"),
        (label(model, "seven", "there"), label(library, "class", "and there"), label(model, "one")),
        notes=("first\nsecond",),
        severity=Severity.WARNING,
    )
    assert shown(diagnostic) == (
        "warning[N002]: declared twice\n"
        " --> m.mdl:3:1\n"
        "  |\n"
        "1 | one\n"
        "  | ---\n"
        "2 | two\n"
        "3 | three\n"
        "  | ^^^^^ here\n"
        "...\n"
        "7 | seven\n"
        "  | ----- there\n"
        " ::: l.lib:1:1\n"
        "  |\n"
        "1 | class\n"
        "  | ----- and there\n"
        "  = note: first\n"
        "          second"
    )


def test_span_over_several_lines_is_marked_at_both_ends() -> None:
    file = SourceFile("a.mdl", "a = (b +\n  c +\n     d) ! e\n")
    diagnostic = Diagnostic("P001", "m", label(file, "(b +\n  c +\n     d)", "this"))
    assert shown(diagnostic).split("\n")[3:] == [
        "1 | a = (b +",
        "  |     ^^^^",
        "2 |   c +",
        "3 |      d) ! e",
        "  |      ^^ this",
    ]


def test_marks_stand_below_wide_characters_tabs_and_accents() -> None:
    assert excerpt_of("速度 = q", "q") == ["1 | 速度 = q", "  |        ^"]
    assert excerpt_of("\ta\tb", "b") == ["1 |     a   b", "  |         ^"]
    assert excerpt_of("e\N{COMBINING ACUTE ACCENT} = q", "q") == ["1 | e\N{COMBINING ACUTE ACCENT} = q", "  |     ^"]


def test_a_model_cannot_steer_the_terminal() -> None:
    hostile = "x\x1b[31m\x00\N{RIGHT-TO-LEFT OVERRIDE} = q"
    assert excerpt_of(hostile, "q") == ["1 | x\ufffd[31m\ufffd\ufffd = q", "  |            ^"]
    assert "\x1b" not in shown(Diagnostic("N001", "unknown \x1b[31m name", help="\x1b"))


def test_long_line_is_clipped_round_the_mark() -> None:
    line, mark = excerpt_of("x" * 5000 + " = here + " + "y" * 5000, "here")
    assert line.startswith("1 | ...xxx")
    assert line.endswith("yyy...")
    assert len(line) < 125
    assert line[mark.index("^") : mark.rindex("^") + 1] == "here"


def test_place_at_the_end_of_line_and_of_file() -> None:
    file = SourceFile("a.mdl", "a =\n")
    newline = Diagnostic("P001", "m", Label(Span(file, 3, 4)))
    end = Diagnostic("P001", "m", Label(Span(file, 4, 4)))
    assert shown(newline).split("\n")[3:] == ["1 | a =", "  |    ^"]
    assert shown(end).split("\n")[3:] == ["2 |", "  | ^"]


def test_several_diagnostics_are_counted_and_one_without_place_is_short() -> None:
    error = Diagnostic("F001", "no file")
    assert shown(error) == "error[F001]: no file"
    assert shown(error, error, Diagnostic("U001", "w", severity=Severity.WARNING)).endswith("\n\n2 errors, 1 warning")


def test_colour_changes_nothing_but_colour() -> None:
    file = SourceFile("a.mdl", "a = b\n")
    diagnostic = Diagnostic("N001", "m", label(file, "b", "text"), notes=("n",), help="h")
    coloured = shown(diagnostic, color=True)
    assert "\x1b[1;31m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == shown(diagnostic)


@given(st.text(max_size=300), st.integers(0, 300), st.integers(0, 300))
def test_any_place_in_any_text_can_be_shown(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    said = shown(Diagnostic("P001", text, Label(Span(SourceFile("a.mdl", text), start, end), text)))
    assert "^" in said
    assert all(unicodedata.category(character) not in HIDDEN for character in said.replace("\n", ""))
