"""Folders of grammar, standard library and examples: inside the package in a wheel, at the top of a checkout."""

import os
from pathlib import Path

from acausal.base.caches import memoized, once
from acausal.base.diagnostics import InternalError

_PACKAGE = Path(__file__).resolve().parents[2]


def grammar_folder() -> Path:
    """The folder of the grammar files."""
    return _data_folder("grammar")


@once
def stdlib_folder() -> Path:
    """The folder of the standard library."""
    return _data_folder("stdlib")


def examples_folder() -> Path:
    """The folder of the examples."""
    return _data_folder("examples")


def _data_folder(name: str) -> Path:
    for parent in (_PACKAGE, _PACKAGE.parent):
        folder = parent / name
        if folder.is_dir():
            return folder
    raise InternalError("installation", f"the folder {name} is missing beside {_PACKAGE}")


def cache_folder() -> Path:
    """The user's folder for what can be made again; it need not exist."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "acausal"


def kept_folder() -> Path | None:
    """Folder of the translation cache: in the cache folder, or in the folder that ACAUSAL_CACHE names.

    None where ACAUSAL_CACHE is `off`, or where there is no home.
    """
    return _kept_folder(*map(os.environ.get, ("ACAUSAL_CACHE", "XDG_CACHE_HOME", "HOME", "USERPROFILE")))


@memoized(8)
def _kept_folder(requested: str | None, *_: str | None) -> Path | None:
    """Once for each environment."""
    if requested == "off":
        return None
    try:
        return (Path(requested) if requested else cache_folder()) / "translations"
    except RuntimeError:  # no home
        return None
