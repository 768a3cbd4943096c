"""Completion of commands, files, options, parameters and variables; keys on a terminal."""

from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from pygments.token import Keyword

from acausal.repl.command import END
from acausal.repl.commands import COMMANDS
from acausal.repl.completion import complete
from acausal.repl.highlight import SessionLexer
from acausal.repl.interpreter import Interpreter
from acausal.repl.prompt_completer import PromptCompleter
from acausal.repl.terminal import _session
from tests.repl.fake import FakeTranslator


@pytest.fixture
def loaded() -> Interpreter:
    session = Interpreter(FakeTranslator())
    session.execute("load decay.mdl")
    return session


@pytest.mark.parametrize(
    ("text", "begun", "words"),
    [
        ("sim", "sim", {"simulate"}),
        ("e", "e", {"enter", "eliminate", "experiment", "exit", "exp"}),
        ("max(m", "m", {"m.y", "max", "min", "mean", "mod"}),
        ("max(x) + de", "de", {"der(x)", "der"}),
        ("set ", "", {"k", "n"}),
        ("set k=2, n", "n", {"n"}),
        ("set n=", "", {"x", "m.y"}),
        ("plot x m", "m", {"m.y"}),
        ("plot x fig", "fig", {"figure="}),
        ("why der", "der", {"der(x)"}),
        ("simulate st", "st", {"steady", "stop="}),
        ("simulate stop=2 solver=R", "solver=R", {"solver=RK45", "solver=Radau"}),
        ("show s", "s", {"sorted", "solved", "statistics"}),
        ("output ", "", {"equations", "sorted equations", "solved equations", "program"}),
        ("output sorted e", "sorted e", {"sorted equations"}),
        ("variable ", "", {"known", "unknown"}),
        ("variable known m", "m", {"m.y"}),
        ("compare m.", "m.", {"m.y"}),
        ("compare m.y tol", "tol", {"tolerance="}),
        ("help resist", "resist", {"resistor"}),
        ("help simu", "simu", {"simulate"}),
        ("list par", "par", {"parameters"}),
        ("model A", "A", set()),
    ],
)
def test_words(loaded: Interpreter, text: str, begun: str, words: set[str]) -> None:
    found = complete(loaded.model, text)
    assert found[0] == begun
    assert words <= set(found[1])
    if begun:
        assert all(word.startswith(begun) for word in found[1])


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loaded: Interpreter) -> None:
    (tmp_path / "models").mkdir()
    for name in ("circuit.mdl", "cell.lib", ".hidden", "models/chain.mdl"):
        (tmp_path / name).write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert complete(loaded.model, "load c") == ("c", ("cell.lib", "circuit.mdl"))
    assert complete(loaded.model, "@models/") == ("models/", ("models/chain.mdl",))
    assert complete(loaded.model, "load ") == ("", ("cell.lib", "circuit.mdl", "models/"))
    assert complete(loaded.model, "load .h") == (".h", (".hidden",))
    assert complete(loaded.model, "load nowhere/")[1] == ()
    assert complete(loaded.model, "write circuit.csv m") == ("m", ("m.y",))


def test_nothing_is_translated_for_it() -> None:
    translator = FakeTranslator()
    session = Interpreter(translator)
    assert "simulate" in complete(session.model, "")[1]
    assert "figure=" in complete(session.model, "plot ")[1]
    assert translator.calls == []


def test_words_come_with_their_meaning(loaded: Interpreter) -> None:
    (found,) = PromptCompleter(loaded.model).get_completions(Document("simul"), None)  # type: ignore[arg-type]
    assert (found.text, found.start_position) == ("simulate", -5)
    assert COMMANDS["simulate"].about in str(found.display_meta)


def test_commands_are_highlighted() -> None:
    tokens = {text: token for token, text in SessionLexer().get_tokens("simulate stop=1")}
    assert tokens["simulate"] is Keyword
    assert {text: token for token, text in SessionLexer().get_tokens("x = simulate")}["simulate"] is not Keyword


@pytest.mark.parametrize(
    ("keys", "texts"),
    [
        ("x = 1\r", ["x = 1"]),
        ("max(x,\r1)\r", ["max(x,\n1)"]),
        ("load my-\r", ["load my-"]),
        ("1 +\r2\r", ["1 +\n2"]),
        ("model A\rlocal x\rx = 1\rend\r", ["model A\nlocal x\nx = 1\nend"]),
        ("enter model\r@rc.mdl\r", ["enter model", "@rc.mdl"]),
        ("enter model\rmodel A\rx = 1\rend\rplot x\r", ["enter model", "model A\nx = 1\nend", "plot x"]),
    ],
)
def test_keys(
    keys: str, texts: list[str], loaded: Interpreter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        session = _session(loaded, color=True)
        typed.send_text(keys)
        found = []
        for _ in texts:
            found.append(session.prompt("> "))
            if found[-1] == "enter model":
                loaded.execute(found[-1])
            elif loaded.model.entering:
                loaded.model.entering = False
    assert found == texts


def test_ends_are_words_of_the_table() -> None:
    assert not set(END) & set(COMMANDS)
