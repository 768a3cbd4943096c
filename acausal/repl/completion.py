"""Completion: what may stand at the cursor, by the table of commands and the names of the model."""

import re
from collections.abc import Iterable
from os import scandir
from pathlib import Path

from acausal.repl.command import END, Command, Kind
from acausal.repl.commands import COMMANDS
from acausal.repl.model import Model
from acausal.results.expressions import FUNCTIONS

_NAME = re.compile(r"[A-Za-z_*][\w.\[\],*]*$")
_FILE = re.compile(r"\S*$")
MOST = 200
"""Names that are offered at once."""


def complete(model: Model, text: str) -> tuple[str, tuple[str, ...]]:
    """The beginning of a word before the cursor, and the words that it may become."""
    text = text.rpartition("\n")[2]
    if text.startswith("@"):
        return _files(text[1:])
    word, blank, rest = text.lstrip().partition(" ")
    if not blank:
        begun = _begun(_NAME, text)
        commands = [name for name in (*COMMANDS, *END) if name.isalpha()] if begun == text.lstrip() else []
        return begun, _offered(begun, [*commands, *_values(model)])
    command = COMMANDS.get(word)
    if command is None:
        begun = _begun(_NAME, text)
        return begun, _offered(begun, _values(model))
    return _argument(model, command, rest)


def _argument(model: Model, command: Command, rest: str) -> tuple[str, tuple[str, ...]]:
    """An argument of a command."""
    firsts = [first for first in command.first if first.startswith(rest.lstrip())]
    if firsts and not any(first == rest.strip() for first in firsts):
        return rest.lstrip(), tuple(firsts)
    begun, files = _files(rest.lstrip()) if command.takes_file and " " not in rest.strip() else ("", ())
    if files:
        return begun, files
    option = re.search(r"(?:^|[\s,])(\w+=\S*)$", rest)
    begun = option[1] if option and any(_text(w).startswith(option[1]) for w in command.words) else _begun(_NAME, rest)
    if option and begun != option[1]:
        return begun, _offered(begun, _values(model))
    words: list[str] = []
    for word in command.words:
        words += [word] if isinstance(word, str) else _named(model, word)
    return begun, _offered(begun, words)


def _text(word: str | Kind) -> str:
    return word if isinstance(word, str) else ""


def _begun(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[0] if found else ""


def _offered(begun: str, words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([word for word in words if word.startswith(begun)]))[:MOST]


def _named(model: Model, kind: Kind) -> list[str]:
    """Names of a kind; those of the model only if it is translated."""
    if kind is Kind.CLASS:
        from acausal.reference.find import names

        return list(names())
    if kind is Kind.COMMAND:
        return [name for name in COMMANDS if name.isalpha()]
    if model.state.named is None or kind is Kind.FILE:
        return []
    if kind is Kind.VARIABLE:
        return list(model.variable_names())
    return list(model.settable() if kind is Kind.PARAMETER else model.input_names())


def _values(model: Model) -> list[str]:
    """Names in expressions."""
    own = [*model.state.values, "time", "pi", *FUNCTIONS]
    return [*_named(model, Kind.VARIABLE), *_named(model, Kind.PARAMETER), *own]


def _files(begun: str) -> tuple[str, tuple[str, ...]]:
    """Files and folders that begin so; hidden ones only after a dot."""
    folder, slash, name = begun.rpartition("/")
    try:
        with scandir(Path(folder + slash).expanduser() if folder or slash else ".") as entries:
            found = [(entry.name, entry.is_dir()) for entry in entries]
    except OSError:
        return begun, ()
    fitting = sorted(
        [(n, is_dir) for n, is_dir in found if n.startswith(name) and (name.startswith(".") or n[0] != ".")]
    )
    return begun, tuple([f"{folder}{slash}{n}{'/' if is_dir else ''}" for n, is_dir in fitting])[:MOST]
