"""The dialogue: text in, text out."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from acausal.pipeline import translate
from acausal.repl.completion import complete
from acausal.repl.interpreter import Interpreter
from acausal.repl.terminal import transcribe
from tests.repl.fake import FakeTranslator


@pytest.fixture
def dialogue() -> Interpreter:
    interpreter = Interpreter(FakeTranslator())
    assert interpreter.execute("load decay.mdl").text.startswith("Decay loaded\nnote[I010]")
    return interpreter


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("show flat", "the flat equations"),
        ("show statistics", "equations  1\nstates     1"),
        ("show code", "def derivatives(): ..."),
        ("why  der(x)", "the way of der(x)"),
        ("output equations", "the flat equations"),
        ("output  sorted equations", "the sorted equations"),
        ("output solved equations", "the solved equations"),
        ("set k=2", "k = 2"),
        ("set k = pi/2, n=1", "k = 1.5708, n = 1"),
        ("input x = sin(time)", "x = sin(time)"),
        ("help set", "set p=2, q=pi/2  set parameters for the next runs"),
        ("", ""),
        ("{ a remark }", ""),
    ],
)
def test_answers(dialogue: Interpreter, line: str, answer: str) -> None:
    reply = dialogue.execute(line)
    assert (reply.text, reply.failed, reply.ended) == (answer, False, False)


def test_a_run_and_what_can_be_asked_of_it(dialogue: Interpreter, tmp_path: Path) -> None:
    assert dialogue.execute("simulate stop=2, interval = 0.5").text.startswith("hand: 0 to 2 s, 5 rows")
    assert float(dialogue.execute("final(x)").text) == pytest.approx(0.13534, abs=1e-5)
    assert dialogue.execute("x").text.startswith("from 0.13533")
    assert dialogue.execute("m.y - 2*x == 0").text == "true in 5 of 5 rows"
    assert dialogue.execute("final(x) < 1").text == "true"
    dialogue.execute("set k=2")
    dialogue.execute("simulate stop=2")
    assert float(dialogue.execute("final(x)").text) == pytest.approx(0.0183156, abs=1e-5)
    csv, png = tmp_path / "r.csv", tmp_path / "p.png"
    assert dialogue.execute(f"write {csv}").text == f"written: {csv}"
    assert csv.read_text().startswith("time,x,m.y\n")
    assert dialogue.execute(f"write {csv} der* m.y").text == f"written: {csv}"
    assert csv.read_text().startswith("time,der(x),m.y\n")
    assert dialogue.execute(f"plot x, m.* figure={png}").text == f"written: {png}"
    assert png.stat().st_size > 3000


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("load", "F010", "load FILE"),
        ("load bad.mdl", "N001", "bad.mdl:2:"),
        ("show nothing", "F010", "show flat|sorted"),
        ("output", "F010", "output sorted equations"),
        ("variable x", "F010", "variable known x"),
        ("variable known xx", "F005", "did you mean x?"),
        ("variable known k", "F010", "set k=1"),
        ("input xx=1", "F005", "did you mean x?"),
        ("set kk=2", "F005", "did you mean k?"),
        ("set k", "F010", "NAME=VALUE"),
        ("set k=x", "F010", "the value of k must be a number"),
        ("set k=(", "P", "input:1"),
        ("simulate stopp=2", "F010", "stop, interval"),
        ("simulate stop=-1", "F006", "stop=-1"),
        ("simulate solver=euler", "F006", "cvode"),
        ("plot x", "F010", "simulate"),
        ("max(x)", "F010", "simulate"),
        ("simulat stop=2", "", "did you mean the command simulate?"),
        ("write", "F010", "write FILE.csv"),
        ("check it", "F010", "check takes no arguments"),
        ("help me", "F018", "no page me"),
        ("input u", "F010", "input u=sin(time)"),
    ],
)
def test_mistakes_are_answers(dialogue: Interpreter, line: str, code: str, said: str) -> None:
    reply = dialogue.execute(line)
    assert reply.failed
    assert not reply.ended
    assert f"error[{code}" in reply.text
    assert said in reply.text
    assert reply.text.count("= help") <= 1
    assert dialogue.execute("help").text.startswith("load FILE")


def test_nothing_is_loaded() -> None:
    interpreter = Interpreter(FakeTranslator())
    for line in ("simulate", "check", "show flat", "set k=1"):
        assert "no model is loaded" in interpreter.execute(line).text
    assert interpreter.execute("2*pi").text == "6.283185307"


def test_bugs_of_ours_do_not_end_it(dialogue: Interpreter) -> None:
    assert dialogue.execute("load bug.mdl").text.startswith("internal error: ZeroDivisionError: oops")
    assert not dialogue.execute("load decay.mdl").failed


def test_known_and_unknown_reach_the_translator_when_needed() -> None:
    translator = FakeTranslator()
    dialogue = Interpreter(translator)
    dialogue.execute("load decay.mdl")
    assert dialogue.execute("variable known x, m.y").text == "known: x, m.y"
    assert dialogue.execute("variable unknown der(x)").text == "known: x, m.y; unknown: der(x)"
    assert len(translator.calls) == 1
    dialogue.execute("show flat")
    assert (translator.calls[1]["known"], translator.calls[1]["unknown"]) == (("x", "m.y"), ("der(x)",))
    dialogue.execute("variable unknown x, m.y")
    assert dialogue.execute("variable known der(x)").text == "known and unknown variables as in the model"


def test_a_failed_run_leaves_what_it_has(dialogue: Interpreter) -> None:
    """x' = x^2 is infinite at t = 1."""
    dialogue.execute("set k=-1, n=2")
    reply = dialogue.execute("simulate stop=2")
    assert reply.failed
    assert "error[R00" in reply.text
    assert float(dialogue.execute("max(time)").text) == pytest.approx(1.0, abs=0.02)


def test_completion_offers_commands_and_names(dialogue: Interpreter) -> None:
    assert {"simulate", "quit", "x", "m.y", "k", "der(x)"} <= set(complete(dialogue.model, "")[1])


def test_a_transcript_can_be_read() -> None:
    out = io.StringIO()
    lines = ["simulate stop=1 interval=1\n", "first(x)\n", "oops\n", "quit\n", "never read\n"]
    transcribe(Interpreter(FakeTranslator()), ["load decay.mdl"], lines, out)
    text = out.getvalue()
    assert text.startswith("> load decay.mdl\nDecay loaded\n")
    assert "> first(x)\n1\n> oops\nerror[F005]" in text
    assert text.endswith("> quit\n")


def test_a_piped_transcript_ends_well() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "acausal", "repl"],
        input="help quit\nshow flat\n1 +\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "> show flat\nerror[F010]: no model is loaded" in done.stdout


def test_names_of_files_may_have_blanks(tmp_path: Path) -> None:
    folder = tmp_path / "sp ace"
    folder.mkdir()
    file = folder / "two words.mdl"
    file.write_text("model A\n  local x\n  x = 1\nend\nmodel B\n  local x\n  x = 2\nend\n", encoding="utf-8")
    for line in (f"load {file} B", f'load "{file}" B', f"load '{file}' B"):
        assert Interpreter(translate).execute(line).text.startswith("B loaded")
    for line in ("load", "load a b c", 'load "', "load ''"):
        assert "error[" in Interpreter(translate).execute(line).text
    other = folder / "no ending"
    other.write_text("model C\n  local x\n  x = 1\nend\n", encoding="utf-8")
    assert Interpreter(translate).execute(f"load {other}").text.startswith("C loaded")
