"""The files of a translation: found, read once however often they are named, and their trees.

A file is searched for beside the including file, in the folders of `--path` and ACAUSAL_PATH, in the standard library.
"""

import os
from dataclasses import replace
from pathlib import Path

from acausal.base.caches import memoized
from acausal.base.diagnostics import Label, ModelError, UsageError
from acausal.base.files.file_dependencies import note_absent
from acausal.base.files.model_text import MODEL_FILES
from acausal.base.files.open_texts import open_text
from acausal.base.files.paths import stdlib_folder
from acausal.base.files.regular_files import is_file
from acausal.base.near_names import did_you_mean
from acausal.base.options import Limits, TranslateOptions
from acausal.base.source import SourceFile, Span
from acausal.elaborate.error_helpers import mistake
from acausal.ir import ast
from acausal.syntax.parser import Parsed, parse
from acausal.syntax.read import decoded, read_bytes, read_source, within_limit

KEPT, KEPT_UP_TO = 32, 100_000
"""Trees of files that are kept between translations, and the characters of the longest of these files."""


class Files:
    """The files that were read, by their places; `contents` and `absent` are what that depends on."""

    def __init__(self, options: TranslateOptions) -> None:
        self.limits = options.limits
        self.folders = search_folders(options)
        self.parsed: dict[Path, Parsed] = {}
        self.contents: dict[str, bytes] = {}
        self.absent: dict[str, None] = {}

    def find(self, unit: ast.Include, beside: Path) -> Path:
        """The file that is included from a file in the folder `beside`; F001 where there is none."""
        folders = list(dict.fromkeys([beside, *map(Path, self.folders)]))
        for folder in folders:
            path = folder / unit.file
            if is_file(path) or open_text(path) is not None:
                return path
            note_absent(path)
            self.absent[str(path)] = None
        known = [path.name for path in stdlib_folder().glob("*.lib")]
        raise mistake(
            "F001",
            f"file {unit.file} not found",
            unit.span,
            "included here",
            notes=(f"searched in {', '.join(map(str, folders))}",),
            hint=did_you_mean(unit.file, known) or "correct the name, or add its folder with --path FOLDER",
        )

    def read(self, path: Path, span: Span) -> ast.File:
        """The tree of a file that is included at `span`."""
        place = path.resolve()
        found = self.parsed.get(place)
        if found is None:
            try:
                found = self.parsed[place] = _parsed(self._source(path, span), self.limits)
            except ModelError as error:
                if path.suffix.lower() in MODEL_FILES or error.report.diagnostics[0].primary is None:
                    raise
                raise _no_model(path, span) from None
        return found.file

    def _source(self, path: Path, span: Span) -> SourceFile:
        shown = str(path)
        try:
            content = self.contents[shown] = read_bytes(path, shown, self.limits)
            return decoded(content, shown)
        except ModelError as error:
            (found,) = error.report.diagnostics
            label = Label(span, "included here")
            places = (label, ()) if found.primary is None else (found.primary, (*found.secondary, label))
            raise type(error)(replace(found, primary=places[0], secondary=places[1])) from None


def _no_model(path: Path, span: Span) -> ModelError:
    """F016: nothing of such a file is quoted, as its text may be none of the reader's business."""
    hint = f"name a file that ends in {' or '.join(MODEL_FILES)}"
    return mistake("F016", f"{path} is not a model file", span, "included here", hint=hint)


def search_folders(options: TranslateOptions) -> tuple[str, ...]:
    """Search folders of included files, after the folder of the including file."""
    environment = os.environ.get("ACAUSAL_PATH", "")
    named = [folder for folder in environment.split(os.pathsep) if folder] if environment else ()
    return (*options.path, *named, str(stdlib_folder()))


def read_main(path: Path, limits: Limits, text: str | None = None) -> Parsed:
    """The main file, or what is given as its text; UsageError F001 if it cannot be read."""
    if text is not None:
        shown = str(path)
        within_limit(text.encode("utf-8", "surrogatepass"), shown, limits)
        return _parsed(SourceFile(shown, text), limits)
    try:
        return _parsed(read_source(path, limits=limits), limits)
    except ModelError as error:
        found = error.report.diagnostics[0]
        raise UsageError(found) if found.code == "F001" else error from None


def _parsed(source: SourceFile, limits: Limits) -> Parsed:
    """A file's tree; most files are libraries, which the next translation includes again."""
    if len(source.text) > KEPT_UP_TO:
        return parse(source, limits)
    return _kept(source.name, source.text, limits)


@memoized(KEPT)
def _kept(name: str, text: str, limits: Limits) -> Parsed:
    """By name and text: the file may have changed."""
    return parse(SourceFile(name, text), limits)
