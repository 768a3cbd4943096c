"""A translated model as it is kept: its program and report, under a key of all that they depend on.

The key holds the main file's content and name, the options and the version of acausal. Which files are included
shows only in a translation: the entry lists what was read and where nothing was found, and counts only as long as
that is still so.
"""

import hashlib
import json
import os
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from acausal.base.diagnostics import Report
from acausal.base.files.file_dependencies import FileDependencies, content_digest
from acausal.base.files.paths import stdlib_folder
from acausal.base.files.regular_files import is_file
from acausal.base.frozen import dataclass
from acausal.base.gc_pause import gc_paused
from acausal.base.options import TranslateOptions
from acausal.base.source import SourceFile
from acausal.cache import store
from acausal.cache.codec import Codec
from acausal.cache.sources import source_digest
from acausal.ir.experiment import AS_MODELED, Start
from acausal.ir.names import Name
from acausal.ir.program.program import Program

KIND = "model"
BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Ready:
    """Content of a cache entry; `folded` are the parameters folded into the equations.

    `digest` is that of the code's text, None where no code was made.
    """

    program: Program
    report: Report
    folded: tuple[Name, ...]
    digest: str | None


class Keeper:
    """One model with its options; `reads` is what its translation has examined, once that is known."""

    def __init__(
        self, file: Path, options: TranslateOptions, start: Start = AS_MODELED, reads: FileDependencies | None = None
    ) -> None:
        self.file = file
        self.options = options
        self.start = start
        self.reads = reads

    def started(self, start: Start) -> "Keeper":
        """The cache entry of the same model with another first instant."""
        return Keeper(self.file, self.options, start, self.reads)

    def load(self) -> Ready | None:
        """The model as it was kept; None if it was not, or is another one now."""
        if self._key is None:
            return None
        data = store.read(KIND, self._key)
        if data is None:
            return None
        head, _, body = data.partition(b"\n")
        reads = FileDependencies(*json.loads(head))
        contents = _unchanged(reads)
        if contents is None:
            return None
        self.reads = reads
        with gc_paused():
            ready = Codec(_sources(contents)).unpack(Ready, body.decode())
        assert isinstance(ready, Ready)
        return ready

    def save(self, ready: Ready) -> None:
        """Keep it, unless files have changed meanwhile."""
        if self._key is None or self.reads is None:
            return
        contents = _unchanged(self.reads)
        if contents is None:
            return
        head = json.dumps([self.reads.contents, self.reads.absent])
        try:
            with gc_paused():
                body = Codec(_sources(contents)).pack(Ready, ready)
        except KeyError:  # a place in a text that is no file
            return
        store.write(KIND, self._key, f"{head}\n{body}".encode())

    @cached_property
    def _key(self) -> str | None:
        """None where nothing is kept, or the file cannot be read."""
        if not store.is_enabled():
            return None
        try:
            content = self.file.read_bytes()
        except (OSError, ValueError):
            return None
        asked = replace(self.options, path=tuple([str(Path(folder)) for folder in self.options.path]))
        where = str(self.file), os.environ.get("ACAUSAL_PATH", ""), str(stdlib_folder())
        whole = repr((source_digest(), content_digest(content), where, asked, self.start))
        return hashlib.sha256(whole.encode()).hexdigest()


def _unchanged(reads: FileDependencies) -> dict[str, bytes] | None:
    """The contents of the files read, None where one is another now."""
    if any(map(is_file, reads.absent)):
        return None
    contents = {}
    try:
        for path, digest in reads.contents.items():
            contents[path] = Path(path).read_bytes()
            if content_digest(contents[path]) != digest:
                return None
    except (OSError, ValueError):
        return None
    return contents


def _sources(contents: dict[str, bytes]) -> list[SourceFile]:
    """As `read_source` makes them."""
    texts = {path: data.decode(errors="replace").removeprefix(BYTE_ORDER_MARK) for path, data in contents.items()}
    return [SourceFile(path, text) for path, text in texts.items()]
