"""Files and their includes -> the spaces of names of classes.

    @electrical.lib         its classes join those of this file
    @electrical.lib as el   its classes are el.resistor, el.capacitor, ...

A file is read once however often it is named. It is looked for beside the including
file, in the folders of `--path` and ACAUSAL_PATH, and in the standard library.
"""

import os
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from acausal.diagnostics import Diagnostic, Label, LimitError, ModelError, UsageError
from acausal.elaborate.mistakes import mistake
from acausal.ir import ast
from acausal.ir.classes import Definition, Library, Space
from acausal.options import Limits, TranslateOptions
from acausal.paths import stdlib_folder
from acausal.reads import note_absent
from acausal.source import SourceFile, Span
from acausal.syntax.parser import Parsed, parse
from acausal.syntax.read import read_source

KEPT, KEPT_UP_TO = 32, 100_000
"""Trees of files that are kept between translations, and the characters of the longest of these files."""


def load(file: Path, options: TranslateOptions) -> Library:
    """Read a file and all it includes; errors F001 to F003, P..., N005 and limits."""
    reader = _Reader(options)
    main = reader.read(file, None)
    space = reader.main
    reader.fill(space, _Included(file, main, 0))
    notes = tuple(warning for parsed in reader.parsed.values() for warning in parsed.warnings)
    return Library(space, main, notes)


@dataclass(frozen=True, slots=True)
class _Included:
    """A file whose units are to be put into a space, `depth` includes below the main file."""

    path: Path
    tree: ast.File
    depth: int


class _Reader:
    def __init__(self, options: TranslateOptions) -> None:
        self.options = options
        environment = os.environ.get("ACAUSAL_PATH", "")
        self.folders = [
            *(Path(folder) for folder in options.path),
            *(Path(folder) for folder in environment.split(os.pathsep) if folder),
            stdlib_folder(),
        ]
        self.parsed: dict[Path, Parsed] = {}
        self.main = Space()
        self.prefixed: dict[Path, Space] = {}

    # -------------------------------------------------------------- spaces

    def fill(self, space: Space, file: _Included) -> None:
        """Put the classes of a file and of those it includes into a space."""
        done: set[Path] = {file.path.resolve()}
        queue = [file]
        for included in queue:
            for unit in included.tree.units:
                if isinstance(unit, ast.Include):
                    self._include(space, unit, included, done, queue)
                else:
                    self._declare(space, unit)

    def _include(
        self, space: Space, unit: ast.Include, file: _Included, done: set[Path], queue: list[_Included]
    ) -> None:
        path = self._find(unit, file.path.parent)
        if file.depth >= self.options.limits.include_depth:
            raise LimitError(
                Diagnostic(
                    "L003",
                    f"more than {self.options.limits.include_depth} files in one chain of includes",
                    Label(unit.span, "one file too many"),
                    help="raise the limit with --limit include_depth=NUMBER",
                )
            )
        if unit.prefix is None:
            place = path.resolve()
            if place not in done:
                done.add(place)
                queue.append(_Included(path, self.read(path, unit.span), file.depth + 1))
        else:
            self._prefix(space, unit, _Included(path, self.read(path, unit.span), file.depth + 1))

    def _prefix(self, space: Space, unit: ast.Include, file: _Included) -> None:
        """One space for each file that is included under a prefix, so that circles end."""
        assert unit.prefix is not None
        key = file.path.resolve()
        inner = self.prefixed.get(key)
        known = space.prefixes.get(unit.prefix)
        if known is not None and known is not inner:
            raise mistake("N005", f"two files are included as {unit.prefix}", unit.span, hint="take another prefix")
        if inner is None:
            inner = self.prefixed[key] = Space(outer=self.main)
            self.fill(inner, file)
        space.prefixes[unit.prefix] = inner

    def _declare(self, space: Space, unit: ast.Class | ast.Function) -> None:
        if isinstance(unit, ast.Function):
            old: ast.Function | Definition | None = space.functions.get(unit.name)
            if old is not None:
                raise _twice("function", unit.name, unit.span, space.functions[unit.name].span)
            space.functions[unit.name] = unit
            return
        known = space.classes.get(unit.name)
        if known is not None:
            raise _twice("class", unit.name, unit.name_span, known.node.name_span)
        definition = space.classes[unit.name] = Definition(unit, space)
        self._declare_local(definition)

    def _declare_local(self, definition: Definition) -> None:
        """Local classes and functions; nesting is limited by the parser."""
        local = [u for u in definition.node.items if isinstance(u, ast.Class | ast.Function | ast.Include)]
        if not local and not definition.node.parameters:
            return
        inner = Space(outer=definition.space, owner=definition)
        definition.inner.append(inner)
        for unit in local:
            if isinstance(unit, ast.Include):
                holder = Path(unit.span.file.name)
                path = self._find(unit, holder.parent)
                self.fill(inner, _Included(path, self.read(path, unit.span), 1))
            else:
                self._declare(inner, unit)

    # --------------------------------------------------------------- files

    def _find(self, unit: ast.Include, beside: Path) -> Path:
        folders = list(dict.fromkeys([beside, *self.folders]))
        for folder in folders:
            if (folder / unit.file).is_file():
                return folder / unit.file
            note_absent(folder / unit.file)
        raise mistake(
            "F001",
            f"the file {unit.file} is not found",
            unit.span,
            "included here",
            notes=(f"looked for in {', '.join(str(f) for f in folders)}",),
            hint="correct the name, or add its folder with --path FOLDER",
        )

    def read(self, path: Path, span: Span | None) -> ast.File:
        """The tree of a file, read once; `span` is where it is included."""
        key = path.resolve()
        found = self.parsed.get(key)
        if found is None:
            found = self.parsed[key] = _parsed(_source(path, span, self.options.limits), self.options.limits)
        return found.file


def _parsed(source: SourceFile, limits: Limits) -> Parsed:
    """A file's tree; most files are libraries, which the next translation includes again."""
    if len(source.text) > KEPT_UP_TO:
        return parse(source, limits)
    return _kept(source.name, source.text, limits)


@lru_cache(maxsize=KEPT)
def _kept(name: str, text: str, limits: Limits) -> Parsed:
    """By name and text: the file may have changed."""
    return parse(SourceFile(name, text), limits)


def _source(path: Path, span: Span | None, limits: Limits) -> SourceFile:
    """The text of a file; `span` is where it is included. UsageError for a main file that cannot be read."""
    try:
        return read_source(path, limits=limits)
    except ModelError as error:
        (told,) = error.report.diagnostics
        if span is None:
            raise UsageError(told) if told.code == "F001" else error from None
        label = Label(span, "included here")
        places = (label, ()) if told.primary is None else (told.primary, (*told.secondary, label))
        raise type(error)(replace(told, primary=places[0], secondary=places[1])) from None


def _twice(what: str, name: str, second: Span, first: Span) -> ModelError:
    files = dict.fromkeys([first.file.name, second.file.name])
    where = f"in {' and in '.join(files)}" if len(files) > 1 else f"twice in {second.file.name}"
    return mistake(
        "N005",
        f"the {what} {name} is defined {where}",
        second,
        "defined again",
        others=[(first, "first defined here")],
        hint="rename one of them, or include one of the files with a prefix: @FILE as NAME",
    )
