"""Sizes of files and folders: a file that no longer fits on a few screens has a second responsibility."""

from pathlib import Path

import acausal

PACKAGE = Path(acausal.__file__).parent
MOST_LINES, MOST_MODULES = 250, 20
LONGER_FILES: dict[str, str] = {}
"""Files that may be longer, with the reason. Entries may be removed, but none added."""
LARGER_FOLDERS: dict[str, str] = {}
"""Folders that may have more modules, with the reason. Entries may be removed, but none added."""


def test_files_are_short() -> None:
    lengths = {p.relative_to(PACKAGE).as_posix(): len(p.read_text().splitlines()) for p in PACKAGE.rglob("*.py")}
    assert sorted(name for name, lines in lengths.items() if lines > MOST_LINES) == sorted(LONGER_FILES)


def test_folders_are_small() -> None:
    folders = [PACKAGE, *[p for p in PACKAGE.rglob("*") if p.is_dir()]]
    modules = {f.relative_to(PACKAGE).as_posix(): {*f.glob("*.py")} - {f / "__init__.py"} for f in folders}
    assert sorted(name for name, files in modules.items() if len(files) > MOST_MODULES) == sorted(LARGER_FOLDERS)
