"""Sessions with a real model: the commands of 1993, values, undo, files of commands."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import exp
from pathlib import Path

import pytest

from acausal.pipeline import translate
from acausal.repl import run_commands
from acausal.repl.commands import COMMANDS
from acausal.repl.interpreter import Interpreter
from acausal.repl.transcript import commands_of
from acausal.repl.translation_commands import LANGUAGES
from acausal.targets.target_table import TARGETS
from tests.collection import ROOT
from tests.manual.listings import BLOCKS

BOOK = (ROOT / "examples" / "book_circuit.mdl").read_text(encoding="utf-8")
R, C, RATIO = 100 * 20 / 120, 1e-6, 20 / 120
"""The capacitor sees R1 and R2 in parallel and the share R2/(R1 + R2) of 10 V."""


@pytest.fixture(scope="module")
def loaded() -> Interpreter:
    """The book circuit after a run, for questions that change nothing."""
    session = Interpreter(translate)
    answers(session, "enter model", *BOOK.splitlines(), "simulate tolerance=1e-9, interval=1e-6")
    return session


def answers(session: Interpreter, *lines: str) -> list[str]:
    return [session.execute(line).text for line in lines]


def test_a_model_is_entered_line_by_line() -> None:
    session = Interpreter(translate)
    assert session.execute("enter model").text == ""
    lines = BOOK.splitlines()
    for line in lines[:-1]:
        assert session.prompt == "- "
        assert session.execute(line).text == ""
    assert session.execute(lines[-1]).text == "BookCircuit loaded"
    assert session.prompt == "> "
    assert session.execute("list").text == BOOK.rstrip("\n")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["enter model", "@" + str(ROOT / "examples" / "rc.mdl")], "RC loaded"),
        (["@" + str(ROOT / "examples" / "rc.mdl")], "RC loaded"),
        (["model A", "  local x", "  x = 1", "end"], "A loaded"),
        (["enter model", "model class B", "terminal x", "x = 1", "end", "", "model A", "submodel (B) b", "end"], "A"),
        (["enter model", "{ of two", "lines }", "", "model A", "  local x", "  x = y { end }", "end"], "error[N002]"),
        (["@electrical.lib", "", "model A", "  submodel (ground) g", "end"], "A loaded"),
        (["enter model", ""], "no model was entered"),
        (["enter"], "enter model"),
        (["enter modell"], "enter model"),
    ],
)  # fmt: skip
def test_ways_to_enter_a_model(lines: list[str], said: str) -> None:
    session = Interpreter(translate)
    *before, last = answers(session, *lines)
    assert before == [""] * len(before)
    assert said in last
    assert session.prompt == "> "


@pytest.mark.parametrize("before", [["enter model"], []])
def test_a_file_in_a_folder_with_a_blank(before: list[str], tmp_path: Path) -> None:
    file = tmp_path / "two words" / "own rc.mdl"
    file.parent.mkdir()
    file.write_text((ROOT / "examples" / "rc.mdl").read_text(encoding="utf-8"), encoding="utf-8")
    assert "RC loaded" in answers(Interpreter(translate), *before, f"@{file}")[-1]


def test_stages_as_in_1993(loaded: Interpreter) -> None:
    equations, ordered, solved, program = answers(
        loaded, "output equations", "output sorted equations", "output solved equations", "output program"
    )
    assert "R1.R*R1.i = R1.u" in equations
    assert "R1.R*[R1.i] = R1.u" in ordered
    assert "R1.i = R1.u/R1.R" in solved
    assert "def derivatives" in program
    assert answers(loaded, "output python program") == [program]
    partition, eliminated, differentiated = answers(loaded, "partition", "eliminate", "differentiate")
    assert partition == "23 equations, 2 states; sorted into 8 blocks\nno algebraic loops"
    assert {"R1.Vb = C.u", "Common.V = 0", "U0.e = -U0.u"} <= set(eliminated.splitlines())
    assert len(eliminated.splitlines()) == 23 - 8
    assert differentiated == "no equation must be differentiated"


def test_programs_in_other_languages_are_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named by `outfile`, or after the model; `language` lists what `--target` takes."""
    monkeypatch.chdir(tmp_path)
    session = Interpreter(translate)
    session.execute("model Decay\n  local x (start=1)\n  der(x) = -x\nend")
    assert answers(session, "language") == [f"python (the languages are {', '.join(LANGUAGES)})"]
    assert set(LANGUAGES) == set(TARGETS)
    assert answers(session, "language Fortran", "output program") == [
        "output program writes fortran",
        "written: Decay.f90, Decay.main.f90",
    ]
    session.execute("outfile book.txt")
    wrong = session.execute("output program")
    assert (wrong.failed, "outfile book.f90" in wrong.text) == (True, True)
    answers(session, "outfile book.f90", "output program", "outfile", "language python")
    for name in ("Decay.f90", "book.f90"):
        assert "subroutine" in (tmp_path / name).read_text(encoding="utf-8")
    assert "def derivatives" in session.execute("output program").text


def test_stages_of_a_loop_and_of_a_constraint() -> None:
    """The unknowns of the first model are solved together; x = sin(time)*y must be differentiated for der(x)."""
    session = Interpreter(translate)
    session.execute("model L\n  local x, y\n  x + y^3 = 1 + time\n  x - sin(y) = 0\nend")
    assert "nonlinear loop of 2 equations, 1 tearing variable" in session.execute("partition").text
    session.execute("model P\n  local x, y\n  der(x) + der(y) = 1\n  x = sin(time)*y\nend")
    assert "der(x)" in session.execute("differentiate").text


def test_output_goes_to_a_file(tmp_path: Path, loaded: Interpreter) -> None:
    file = tmp_path / "book.eq"
    said = answers(loaded, f"outfile {file}", "output sorted equations", "output program", "outfile", "output program")
    assert said[:2] == [f"output goes to {file}", f"sorted equations written to {file}"]
    assert said[3] == "output goes to the screen"
    text = file.read_text(encoding="utf-8")
    assert text.startswith("-[U0.u] = ")
    assert text.rstrip("\n").endswith(said[4])
    assert "error[F008]" in answers(loaded, f"outfile {tmp_path}", "output program", "outfile")[1]


def test_values_by_name(loaded: Interpreter) -> None:
    resistance, current, voltage = answers(loaded, "R1.R", "R1.i", "C.u")
    assert resistance == "R1.R = 100 Ohm  resistance"
    assert current.endswith(" A")
    assert voltage.startswith("from 0 at t = 0 to 1.66667 at t = ")
    at, power, part, over = answers(loaded, "at(C.u, 1e-5)", "p = R1.u*R1.i", "at(p - R1.R*R1.i^2, 2e-5)", "m = max(p)")
    assert float(at) == pytest.approx(10 * RATIO * (1 - exp(-1e-5 / (R * C))), rel=1e-6)
    assert power.startswith("p: from ")
    assert float(part) == pytest.approx(0, abs=1e-4)
    assert over == "m = 1"
    assert set(loaded.execute("list values").text.splitlines()) == {"m  1.0", "p  over time"}


def test_parameters_have_values_before_a_run() -> None:
    session = Interpreter(translate)
    session.execute("model A\n  parameter k=2, n=3*k\n  local x\n  der(x) = -k*n*x\n  initial x = 1\nend")
    assert answers(session, "k", "n", "k*n", "x") [:3] == ["k = 2", "n = 6", "12"]  # fmt: skip
    assert "no result yet" in session.execute("x").text
    said = answers(session, "set", "set k=n/2", "set", "n", "list parameters")
    assert said == ["no parameters are set", "k = 3", "k = 3", "n = 9", "k  3\nn  9"]
    session.execute("simulate stop=1")
    assert answers(session, "set k=4", "k")[1] == "k = 4 (3 in the last result)"


def test_results_are_compared(tmp_path: Path) -> None:
    """x = k*time: with k = 2 it deviates by 1 at the end from that with k = 1."""
    session = Interpreter(translate)
    session.execute("model A\n  parameter k=1\n  local x, y\n  x = k*time\n  y = time\nend")
    answers(session, "simulate stop=1", f"write {tmp_path / 'one.csv'}")
    assert "there is no earlier result" in session.execute("compare").text
    answers(session, "set k=2", "simulate stop=1")
    different = session.execute("compare").text
    assert "1 of 2 variables differ" in different
    assert session.execute(f"compare {tmp_path / 'one.csv'}").text == different
    assert session.execute("compare y").text.startswith("1 variables agree")
    assert "1 variables agree" in session.execute("compare x tolerance=1").text
    assert "unknown option of compare: abs" in session.execute("compare abs=1").text
    assert "error[F001]" in session.execute("compare nowhere.csv").text


def test_values_with_units() -> None:
    session = Interpreter(translate)
    session.execute('model A\n  parameter R (unit="Ohm") = 1, phi (unit="rad") = 0\n  local x\n  x = R*phi\nend')
    assert answers(session, "set R=4.7 kOhm, phi = -90 deg", "phi") == [
        "R = 4700, phi = -1.5708",
        "phi = -1.570796327 rad",
    ]
    assert answers(session, "set R=2k phi=pi", "experiment stop=10 ms") == [
        "R = 2000, phi = 3.14159",
        "experiment (stop=0.01)",
    ]
    assert session.execute("simulate interval=1 ms").text.startswith("A: 0 to 0.01 s, 11 rows")
    assert "error[U005]" in session.execute("set R=5 V").text
    assert "error[U005]" in session.execute("simulate stop=5 V").text
    assert "error[P015]" in session.execute("set R=5 Ohmm").text


def test_undo_returns_to_earlier_states() -> None:
    session = Interpreter(translate)
    session.execute("model A\n  parameter k=2\n  input u\n  local x\n  der(x) = u - k*x\n  initial x = 1\nend")
    answers(session, "input u=1", "simulate stop=1", "m = final(x)", "set k=3", "experiment stop=2", "variable known x")
    assert session.execute("undo").text == "undone: variable known x"
    assert session.execute("variable").text == "known and unknown variables as in the model"
    assert answers(session, "undo", "undo", "k") == ["undone: experiment stop=2", "undone: set k=3", "k = 2"]
    assert float(session.execute("m").text) == pytest.approx(0.5 + 0.5 * exp(-2), rel=1e-5)
    assert answers(session, "undo", "undo")[1] == "undone: simulate stop=1"
    assert "no result yet" in session.execute("x").text
    session.execute("model B\n  local y\n  y = 1\nend")
    assert answers(session, "undo", "list inputs") == ["undone: model B", "u  1"]
    assert answers(session, "undo", "undo")[1] == "undone: model A"
    assert "nothing to undo" in session.execute("undo").text


def test_experiment_sets_the_defaults_of_runs() -> None:
    session = Interpreter(translate)
    session.execute("model A\n  local x\n  x = time\n  experiment (stop=3)\nend")
    assert session.execute("experiment").text == "experiment (stop=3)"
    assert session.execute("experiment (stop=2, interval=0.5)").text == "experiment (stop=2, interval=0.5)"
    assert session.execute("simulate").text.startswith("A: 0 to 2 s, 5 rows")
    assert session.execute("simulate stop=1").text.startswith("A: 0 to 1 s, 3 rows")
    assert "unknown option of experiment: speed" in session.execute("experiment speed=2").text


def test_files_of_commands_and_transcripts(tmp_path: Path) -> None:
    file, again = tmp_path / "commands", tmp_path / "again"
    text = "model A\n  local x\n  x = time\nend\nsimulate stop=2\nm = max(x) +\n   1\n"
    file.write_text(text, encoding="utf-8")
    again.write_text(f"replay {again}\n", encoding="utf-8")
    session = Interpreter(translate)
    shown = session.execute(f"replay {file}").text
    assert shown.startswith("> model A\n-   local x\n")
    assert shown.endswith("m = 3")
    file.write_text("{ two\nlines }\n@electrical.lib\n\n" + text, encoding="utf-8")
    assert session.execute(f"@{file}").text.startswith("> { two\n- lines }\n> @electrical.lib\n- \n- model A\n")
    transcript = "> model A\n-   local x\n-   x = time\n- end\nA loaded\n> m = (1 +\n- 2)\nm = 3\n> quit\n"
    assert commands_of(transcript) == ["model A", "  local x", "  x = time", "end", "m = (1 +\n2)", "quit"]
    file.write_text(transcript, encoding="utf-8")
    assert Interpreter(translate).execute(f"@{file}").text.rstrip().endswith("m = 3\n> quit")
    assert "more than 10 files of commands" in session.execute(f"@{again}").text
    assert "error[F001]" in session.execute("replay nowhere").text
    assert "replay FILE" in session.execute("replay").text


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("simulat stop=1", "F010", "did you mean the command simulate?"),
        ("fly away", "F010", "unknown command fly"),
        ("simulat", "F005", "did you mean the command simulate?"),
        ("R1", "F005", "names in R1 are R1.Va"),
        ("C_u", "F005", "neither a command nor a name"),
        ("C.uu", "F005", "did you mean C.u?"),
        ("simulate(stop=2)", "F010", "is a command, not a function"),
        ("set = 3", "F010", "set is a command"),
        ("R1.R = 3", "F010", "set R1.R=3"),
        ("C.u = 3", "F010", "C.u is a variable of the model"),
        ("C.v = 3", "F010", "cannot be the name of a value"),
        ("time = 3", "F010", "cannot be the name of a value"),
        ("language acsl", "F010", "the languages are python"),
        ("output cobol program", "F010", "programs are not generated in cobol"),
        ("output programs", "F010", "output program"),
        ("at(C.u)", "F010", "at takes an expression and a time"),
        ("at(max(C.u), 1e-5)", "F010", "over the whole run"),
        ("at(at(C.u, 0), 1e-5)", "F010", "at cannot stand within at"),
        ("at(C.u, 1)", "F006", "it covers 0 to 0.0005"),
        ("list nothing_like_this", "F018", "list parameters"),
        ("partition now", "F010", "partition takes no arguments"),
        ("set R1.R=C.u", "F010", "must be a number"),
        ("m =", "F010", "no expression follows the `=`"),
        ("stop now", "F010", "stop takes no arguments"),
    ],
)
def test_mistakes(loaded: Interpreter, line: str, code: str, said: str) -> None:
    reply = loaded.execute(line)
    assert reply.failed
    assert reply.text.startswith(f"error[{code}]")
    assert said in reply.text
    assert reply.text.count("= help") <= 1


def test_an_interrupted_run_leaves_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Interpreter(translate)
    session.execute("model A\n  local x\n  x = time\nend")

    def stop_at(t: float) -> None:
        if t >= 3:
            raise KeyboardInterrupt

    @contextmanager
    def stopped(what: str, start: float, stop: float, shown: bool) -> Iterator[Callable[[float], None]]:
        yield stop_at

    monkeypatch.setattr(run_commands, "running", stopped)
    reply = session.execute("simulate stop=5, interval=0.5")
    assert reply.failed
    assert reply.text.startswith("interrupted at t = ")
    assert 0 <= float(session.execute("final(x)").text) <= 5
    assert session.execute("undo").text == "undone: simulate stop=5, interval=0.5"


def test_text_that_was_begun_can_be_discarded() -> None:
    session = Interpreter(translate)
    answers(session, "enter model", "model A", "  local x")
    assert session.cancel().text == "the text was discarded"
    assert session.prompt == "> "
    assert session.execute("1 + 1").text == "2"
    answers(session, "enter model", "model A", "  local x")
    assert "error[P" in session.finish().text


def test_values_of_another_result_are_not_mixed(loaded: Interpreter) -> None:
    session = Interpreter(translate)
    session.execute("model A\n  local x\n  x = time\nend")
    answers(session, "simulate", "p = 2*x", "simulate")
    assert "p was computed from an earlier result" in session.execute("p + x").text
    assert answers(session, "undo", "max(p)")[1] == "2"


def test_the_session_of_the_manual_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = [block.text for block in BLOCKS if block.page == "howto/session.md" and block.text.startswith("> ")]
    session = Interpreter(translate)
    shown = []
    for line in commands_of("".join(blocks)):
        shown.append(f"{session.prompt}{line}")
        text = session.execute(line).text
        shown += [text] if text else []
    printed = [re.sub(r"in \S+ s \(.*", "", text) for text in ("".join(blocks), "\n".join(shown))]
    assert printed[1] == printed[0].rstrip("\n")
    assert len(blocks) == 7


def test_help_lists_every_command(loaded: Interpreter) -> None:
    shown = loaded.execute("help").text
    assert [name for name, command in COMMANDS.items() if command.usage not in shown] == []
    assert [name for name, c in COMMANDS.items() if not re.match(rf"{re.escape(name)}", c.usage)] == []


def test_diagrams_and_animations_in_files(tmp_path: Path) -> None:
    session = Interpreter(translate)
    answers(session, f"load {ROOT}/examples/double_pendulum.mdl", "simulate stop=0.1")
    drawing, page = tmp_path / "d.svg", tmp_path / "d.html"
    assert answers(session, f"show graph {drawing}", f"animate {page}", "parameters", "show graph d.txt") == [
        f"written: {drawing}",
        f"written: {page}",
        "error[F005]: parameters is neither a command nor a name of the model\n  = help: write `list parameters`",
        "error[F010]: d.txt: diagrams are written as .svg\n  = help: show graph FILE.svg",
    ]
    assert "<svg" in drawing.read_text(encoding="utf-8")
    assert "three" in page.read_text(encoding="utf-8")
