"""The documents of an editor and the files around them: open texts go before what is on disk."""

import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from acausal.base.diagnostics import ModelError
from acausal.base.files.open_texts import open_texts
from acausal.base.files.paths import stdlib_folder
from acausal.base.files.regular_files import is_file
from acausal.base.frozen import dataclass
from acausal.base.options import TranslateOptions
from acausal.base.source import Span
from acausal.editor.text.document import Document
from acausal.editor.text.mention import Mention
from acausal.editor.text.names import Names
from acausal.editor.text.resolve import Target, resolve
from acausal.ir import ast
from acausal.syntax.read import read_source

ENDINGS = (".mdl", ".lib", ".inc")
MOST_FILES = 2000
"""Files of the folders of a workspace that are searched."""
KEPT = 200
"""Documents of files on disk that are kept."""
SKIPPED = frozenset(("node_modules", "__pycache__", "venv"))


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file."""

    path: Path
    start: int
    end: int


class Project:
    """Open documents by their real paths, and files on disk that are read when they are needed."""

    def __init__(self, options: TranslateOptions | None = None) -> None:
        self.options = options or TranslateOptions()
        self.folders: tuple[Path, ...] = ()
        self._open: dict[str, Document] = {}
        self._names: dict[str, Names] = {}
        self._on_disk: OrderedDict[str, tuple[tuple[int, int], Document]] = OrderedDict()

    # ------------------------------------------------------------- documents

    def put(self, path: Path, text: str) -> Document:
        """Open a document, or give it another text."""
        key = os.path.realpath(path)
        before = self._open.get(key)
        document = Document(path, text, None, self.options.limits) if before is None else before.changed(text)
        self._open[key] = document
        return document

    def close(self, path: Path) -> None:
        """Close a document: what is on disk counts again."""
        key = os.path.realpath(path)
        self._open.pop(key, None)
        self._names.pop(key, None)

    def document(self, path: Path) -> Document | None:
        """An open document, or that of a file on disk; None where it cannot be read."""
        key = os.path.realpath(path)
        if key in self._open:
            return self._open[key]
        try:
            status = Path(key).stat()
            stamp = status.st_mtime_ns, status.st_size
            kept = self._on_disk.get(key)
            if kept is not None and kept[0] == stamp:
                return kept[1]
            source = read_source(path, limits=self.options.limits)
        except (OSError, ValueError, ModelError):
            return None
        made = Document(path, source.text, None, self.options.limits)
        self._on_disk[key] = stamp, made
        while len(self._on_disk) > KEPT:
            old, _ = self._on_disk.popitem(last=False)
            self._names.pop(old, None)
        return made

    @property
    def opened(self) -> tuple[Document, ...]:
        """The open documents."""
        return tuple(self._open.values())

    def texts(self) -> dict[str, str]:
        """The texts of the open documents by their real paths."""
        return {key: document.text for key, document in self._open.items()}

    def reading(self) -> AbstractContextManager[None]:
        """A context in which open texts are read in place of files."""
        return open_texts({key: text.encode("utf-8", "surrogatepass") for key, text in self.texts().items()})

    def names(self, document: Document) -> Names:
        """The classes that names of a document can mean."""
        key = document.real_path
        known = self._names.get(key)
        if known is None or known.document is not document or not self._is_fresh(known):
            with self.reading():
                known = self._names[key] = Names(document, self.options, known)
        return known

    def _is_fresh(self, names: Names) -> bool:
        """True if the included files are as they were read."""
        with self.reading():
            units = tuple([unit for unit in names.document.units if isinstance(unit, ast.Include)])
            return names.included.holds(names.document.path, units)

    # --------------------------------------------------------------- places

    def target(self, document: Document, offset: int) -> tuple[Mention, Target] | None:
        """The name at an offset and what it means."""
        mention = document.mention_at(offset)
        found = None if mention is None else resolve(mention, self.names(document))
        return None if mention is None or found is None else (mention, found)

    def location(self, span: Span | None, document: Document) -> Location | None:
        """Where a span is, which was found from a document."""
        if span is None:
            return None
        own = document.place(span)
        if own is not None:
            return Location(document.path, *own)
        path = Path(span.file.name)
        return None if path == document.path or not span.file.name else Location(path, span.start, span.end)

    def identity(self, span: Span | None, document: Document) -> tuple[str, int] | None:
        """File and offset of a declaration, which distinguish it from all others."""
        found = self.location(span, document)
        return None if found is None else (os.path.realpath(found.path), found.start)

    # ---------------------------------------------------------------- files

    def files(self) -> Iterator[Path]:
        """Open documents, and the model files in the folders of the workspace."""
        done: dict[str, None] = {}
        for document in self._open.values():
            done[document.real_path] = None
            yield document.path
        for folder in self.folders:
            for path in _model_files(folder):
                key = os.path.realpath(path)
                if key not in done:
                    done[key] = None
                    yield path
                if len(done) > MOST_FILES:
                    return

    def documents_with(self, name: str) -> Iterator[Document]:
        """The documents of the project in whose text a name occurs, and those that they include."""
        queue, done = list(self.files()), dict[str, None]()
        for path in queue:
            key = os.path.realpath(path)
            if key in done:
                continue
            done[key] = None
            document = self.document(path)
            if document is None:
                continue
            if name in document.text:
                yield document
            if not is_standard(path):
                with self.reading():
                    named = [self.names(document).file_of(u) for u in document.units if isinstance(u, ast.Include)]
                queue += [file for file in named if file is not None]

    def with_path(self, folders: tuple[str, ...]) -> None:
        """Search these folders for included files, too."""
        self.options = replace(self.options, path=folders)
        self._names.clear()


def is_standard(path: Path) -> bool:
    """True for files of the standard library, which nobody edits."""
    return stdlib_folder() in Path(os.path.realpath(path)).parents


def _model_files(folder: Path) -> Iterator[Path]:
    """The model files below a folder, without hidden folders."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted([name for name in folders if not name.startswith(".") and name not in SKIPPED])
        for name in sorted(files):
            if name.endswith(ENDINGS) and is_file(Path(root, name)):
                yield Path(root, name)
