"""Folders of files to be written, checked before time is spent on a run."""

from pathlib import Path

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.regular_files import is_folder


def require_folder(path: Path | None) -> None:
    """UsageError F008 where the folder of a file to be written does not exist; without a file nothing is checked."""
    if path is not None and not is_folder(path.parent):
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: no folder {path.parent}"))
