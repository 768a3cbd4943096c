"""The grammar and the tables made of it."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from acausal.base.files.paths import grammar_folder
from acausal.base.source import SourceFile
from acausal.syntax.automaton import tables
from acausal.syntax.automaton.make_tables import make_lark, make_tables
from acausal.syntax.spacing import _RESERVED as FORMATTED
from acausal.syntax.tree.build import Builder

GRAMMAR = (grammar_folder() / "acausal.lark").read_text(encoding="utf-8")

# section 1 of the language page
RESERVED = set(
    """model class type end function submodel cut main path node connect at to par reversed parameter constant local
    terminal default input output internal external discrete real integer boolean string experiment initial derivative
    when then elsewhen endwhen if else elseif endif for endfor assert terminate and or not true false""".split()
)
SOFT = {"loop", "join", "branch", "close", "closing", "root", "ic", "from", "as", "der"}


def test_grammar_is_lalr_and_its_terminals_do_not_collide() -> None:
    """Lark in strict mode raises on every conflict and on terminals that match the same text."""
    pytest.importorskip("interegular", reason="lark's strict mode needs it", exc_type=None)
    make_lark(GRAMMAR, strict=True)


def test_strict_mode_would_find_a_conflict() -> None:
    with pytest.raises(Exception, match="conflict"):
        make_lark(GRAMMAR.replace("?sum: product", "?sum: product | sum PLUS sum"), strict=True)


def test_reserved_words_are_those_of_the_language_page() -> None:
    words = {text for sort, text in tables.load_tables().patterns.values() if sort == "str" and text.isalpha()}
    assert words == RESERVED | SOFT
    assert FORMATTED - RESERVED <= SOFT


def test_builder_has_a_method_for_every_rule() -> None:
    builder = Builder(SourceFile("x", ""))
    missing = [rule.method for rule in tables.load_tables().rules if rule.method and not hasattr(builder, rule.method)]
    assert missing == []


def test_tables_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from acausal.base.files.paths import grammar_folder;"
        "from acausal.syntax.automaton.make_tables import make_tables;"
        "print(make_tables((grammar_folder() / 'acausal.lark').read_text(), 'key'))"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(made) == 1


def fields(made: tables.Tables) -> list[object]:
    return [getattr(made, field.name) for field in dataclasses.fields(made)]


def test_tables_are_cached_for_the_user_and_made_again_for_another_grammar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tables, "SHIPPED", tmp_path / "none.json")
    load = tables.load_tables.__wrapped__
    made = fields(load())
    (file,) = (tmp_path / "acausal").iterdir()
    text = file.read_text()
    assert json.loads(text)["key"] == tables.grammar_key(GRAMMAR)
    assert fields(load()) == made
    file.write_text(text[: len(text) // 2])
    assert fields(load()) == made
    assert file.read_text() == text
    monkeypatch.setattr(tables, "_grammar_text", lambda: GRAMMAR + "\n// changed\n")
    assert fields(load()) == made
    assert len(list((tmp_path / "acausal").iterdir())) == 2


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "acausal").write_text("a file where a folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tables, "SHIPPED", tmp_path / "none.json")
    assert tables.load_tables.__wrapped__().rules


def test_shipped_tables_are_those_of_the_grammar(tmp_path: Path) -> None:
    made = tables.build_tables(grammar_folder(), tmp_path / "tables.json")
    assert made.read_text() == make_tables(GRAMMAR, tables.grammar_key(GRAMMAR))


def test_parsing_with_saved_tables_does_not_load_lark(tmp_path: Path) -> None:
    code = (
        "import sys; from acausal.base.source import SourceFile; from acausal.syntax.parser import parse;"
        "parse(SourceFile('a', 'model A' + chr(10) + 'end')); print('lark' in sys.modules)"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    said = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert said[1] == "False\n"
