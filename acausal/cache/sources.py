"""Digest that identifies a version of acausal: the content of its modules and of its grammar."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from acausal.base.caches import once
from acausal.base.paths import grammar_folder

_PACKAGE = Path(__file__).parents[1]


@once
def source_digest() -> str:
    """The digest of all of it; takes some milliseconds."""
    digest = hashlib.sha256()
    for folder, ending in ((_PACKAGE, ".py"), (grammar_folder(), ".lark")):
        for path in sorted(_files(str(folder), ending)):
            data = Path(path).read_bytes()
            digest.update(f"{path} {len(data)}\n".encode())
            digest.update(data)
    return digest.hexdigest()


def _files(folder: str, ending: str) -> Iterator[str]:
    folders = [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(ending):
                    yield entry.path
                elif not entry.name.startswith((".", "__")) and entry.is_dir():
                    folders.append(entry.path)
