"""The digest of our own files: kept under their states, as reading them takes time in each process."""

import os
from pathlib import Path
from time import time

import pytest

from acausal.cache import sources
from acausal.cache.sources import digest_of_files


@pytest.fixture
def folder(tmp_path: Path, kept: Path) -> Path:
    """A folder of modules that were written a minute ago."""
    made = tmp_path / "package"
    for name in ("one.py", "sub/two.py"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        write(made / name, "x = 1\n")
    return made


def write(file: Path, text: str) -> None:
    """Write a file as it was a minute ago."""
    file.write_text(text, encoding="utf-8")
    os.utime(file, (time() - 60, time() - 60))


def digest(folder: Path) -> str:
    """The digest of its modules."""
    return digest_of_files((folder, ".py"))


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute later: the system sets when an inode was changed, whatever `utime` is told."""
    monkeypatch.setattr(sources, "time", lambda: time() + 60)


@pytest.mark.usefixtures("later")
def test_files_of_the_same_states_are_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = digest(folder)
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("a file is read"))
    assert digest(folder) == first


@pytest.mark.usefixtures("later")
def test_content_of_the_same_length_and_time_counts(folder: Path) -> None:
    first, file = digest(folder), folder / "sub" / "two.py"
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    file.write_text("x = 2\n", encoding="utf-8")
    os.utime(file, ns=times)
    second = digest(folder)
    assert second != first
    file.write_text("x = 1\n", encoding="utf-8")
    assert digest(folder) == first, "the digest is that of the content"


@pytest.mark.usefixtures("later")
def test_names_count(folder: Path) -> None:
    first = digest(folder)
    (folder / "one.py").rename(folder / "three.py")
    assert digest(folder) != first


def test_what_has_just_changed_is_read_each_time(folder: Path, kept: Path) -> None:
    write(folder / "one.py", "x = 3\n")
    assert digest(folder) == digest(folder)
    assert not list(kept.rglob(f"*.{sources.KIND}"))
