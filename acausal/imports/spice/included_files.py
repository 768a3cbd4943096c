"""Files that a netlist includes: where they are, and their statements."""

import os
from collections.abc import Iterator
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, Label, LimitError
from acausal.base.frozen import dataclass
from acausal.base.options import Limits
from acausal.base.source import SourceFile
from acausal.imports.spice.tokens import Token, tokens_of
from acausal.spice_cards import Statement, statements


@dataclass(frozen=True, slots=True)
class Folders:
    """Where included files may lie: beside the netlist and below, and in folders given."""

    main: Path
    path: tuple[Path, ...]
    limits: Limits

    def find(self, name: Token, from_: Path) -> Path:
        """The file that is named; F031 for one that is missing or elsewhere."""
        text = name.text.strip("\"'")
        allowed = [Path(os.path.realpath(folder)) for folder in (self.main, *self.path)]
        for folder in (from_, *self.path):
            place = Path(os.path.realpath(folder / text))
            if not any(place.is_relative_to(root) for root in allowed):
                continue
            if place.is_file():
                return place
        hint = "included files lie in the folder of the netlist or below, or in a folder of --path"
        raise name.fault(f"the file {text} is not there, or not in an allowed folder", hint)


def _without_title(file: SourceFile) -> Iterator[Statement]:
    """The statements after the first line, which is a title whatever it says."""
    end = file.text.find("\n") + 1 or len(file.text)
    body = SourceFile(file.name, "*" + " " * (end - 2) + file.text[end - 1 :] if end > 1 else file.text)
    for statement in statements(body):
        yield Statement(file, statement.text, statement.places)


def _of_included(file: SourceFile) -> Iterator[Statement]:
    for statement in statements(file):
        yield Statement(file, statement.text, statement.places, True)


def included(file: SourceFile, folders: Folders, folder: Path) -> Iterator[Statement]:
    """All statements, those of included files in the place of `.include`."""
    from acausal.syntax.read import read_source

    open_: list[tuple[Iterator[Statement], Path]] = [(_without_title(file), folder)]
    length = len(file.text)
    while open_:
        statement = next(open_[-1][0], None)
        if statement is None:
            open_.pop()
            continue
        tokens = tokens_of(statement)
        if tokens[0].low == ".end":
            return
        if tokens[0].low not in (".include", ".inc", ".lib"):
            yield statement
            continue
        if len(tokens) != 2:
            raise tokens[0].fault(f"{tokens[0].text} takes one file", "sections of libraries are not supported")
        if len(open_) >= folders.limits.include_depth:
            message = f"files are included more than {folders.limits.include_depth} deep"
            help_ = "raise the limit with --limit include_depth=NUMBER"
            raise LimitError(Diagnostic("L003", message, Label(tokens[1].span), help=help_))
        place = folders.find(tokens[1], open_[-1][1])
        source = read_source(place, tokens[1].text.strip("\"'"), folders.limits)
        length += len(source.text)
        if length > folders.limits.file_length:
            message = f"the netlist and its included files have more than {folders.limits.file_length} characters"
            help_ = "raise the limit with --limit file_length=NUMBER"
            raise LimitError(Diagnostic("L001", message, Label(tokens[1].span), help=help_))
        open_.append((_of_included(source), place.parent))
