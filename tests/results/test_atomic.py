"""Files are replaced whole or not at all: exceptions, signals, full disks, links, devices, modes."""

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from acausal.base.diagnostics import UsageError
from acausal.base.files.atomic_write import AtomicFile, replacing, write_text
from acausal.base.files.output_folder import cannot_write
from tests.collection import ROOT
from tests.results.made import made


def _names(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


KINDS = ("csv", "npz", "mat")


def test_target_changes_only_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")
    with replacing(target) as temporary:
        assert temporary.parent == tmp_path and temporary.suffix == ".csv"
        temporary.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert _names(tmp_path) == ["a.csv"]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt, ValueError])
def test_exception_leaves_the_former_file(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")

    def write() -> None:
        with replacing(target) as temporary:
            temporary.write_text("ne")
            raise error

    with pytest.raises(error):
        write()
    assert target.read_text() == "old"
    assert _names(tmp_path) == ["a.csv"]


def test_symbolic_link_stays_one(tmp_path: Path) -> None:
    real = tmp_path / "real.csv"
    real.write_text("old")
    link = tmp_path / "link.csv"
    link.symlink_to(real)
    write_text(link, "new")
    assert link.is_symlink() and real.read_text() == "new"


def test_modes_are_those_of_an_ordinary_write(tmp_path: Path) -> None:
    plain, ours, kept = tmp_path / "plain", tmp_path / "ours", tmp_path / "kept"
    plain.write_text("")
    write_text(ours, "")
    assert ours.stat().st_mode == plain.stat().st_mode
    kept.write_text("")
    kept.chmod(0o640)
    write_text(kept, "new")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640


def test_devices_and_pipes_are_written_directly() -> None:
    assert AtomicFile("/dev/null").temporary == Path("/dev/null")
    write_text("/dev/null", "gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_folder_is_no_target(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write_text(tmp_path, "text")


def test_long_names_and_text_as_it_is(tmp_path: Path) -> None:
    target = tmp_path / ("ü" * 120 + ".csv")
    write_text(target, "a\r\nb\n")
    assert target.read_bytes() == b"a\r\nb\n"


def test_write_protected_files_stay(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")
    target.chmod(0o444)
    if os.access(target, os.W_OK):  # root may write everything
        return
    with pytest.raises(PermissionError):
        write_text(target, "new")
    assert target.read_text() == "old"


@pytest.mark.parametrize("kind", KINDS)
def test_full_disk_is_an_ordinary_error_and_leaves_the_former_file(tmp_path: Path, kind: str) -> None:
    """A limit of file size in a process of its own stands for the full disk: both fail in `write` with an OSError."""
    target = tmp_path / f"a.{kind}"
    made(200).write(target)
    before = target.read_bytes()
    code = f"""
import resource
from acausal.base.diagnostics import UsageError
from tests.collection import ROOT
from tests.results.made import made
resource.setrlimit(resource.RLIMIT_FSIZE, (40, {resource.RLIM_INFINITY}))
try:
    made(200).write({str(target)!r})
except UsageError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(f"error[F008]: {target} cannot be written: ")
    assert target.read_bytes() == before
    assert _names(tmp_path) == [target.name]


def test_full_device_is_an_ordinary_error() -> None:
    link = Path("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        write_text(link, "text")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("none/a.csv", "create the folder {folder}/none, or name a file in an existing one"),
        ("file/a.csv", "{folder}/file is a file: name another folder"),
        ("/proc/a.csv", "name a file in a folder that you may write to"),
        ("folder", "it is a folder: name a file in it"),
        ("a" * 300, "choose a shorter name"),
        ("a\0b", "name a file in a folder that you may write to"),
    ],
)
def test_hints_follow_from_what_the_system_says(tmp_path: Path, name: str, hint: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="Errno") as caught:
        write_text(tmp_path / name, "text")
    found = cannot_write(tmp_path / name, caught.value).report.diagnostics[0]
    assert (found.code, found.help) == ("F008", hint.format(folder=tmp_path))


def test_folder_instead_of_a_result_is_an_ordinary_error(tmp_path: Path) -> None:
    folder = tmp_path / "a.csv"
    folder.mkdir()
    with pytest.raises(UsageError, match="cannot be written"):
        made(200).write(folder)


def test_files_of_killed_processes_go_with_the_next_one(tmp_path: Path) -> None:
    """SIGKILL leaves a temporary file; the next writer of the same target removes it, and nothing else."""
    target = tmp_path / "a.csv"
    write = "from acausal.base.files.atomic_write import AtomicFile\nAtomicFile(sys.argv[1])"
    code = f"import os, sys\n{write}\nos.kill(os.getpid(), 9)"
    for _ in range(2):
        killed = subprocess.run([sys.executable, "-c", code, str(target)], cwd=ROOT, check=False)
        assert killed.returncode == -9
        (left,) = _names(tmp_path)  # the second one has removed that of the first
    others = [
        left.replace(".a-", ".b-"),
        left.replace(".csv", ".npz"),
        f".a-00000000-{left.split('-')[2]}-12345678.csv",
    ]
    for name in others:
        (tmp_path / name).touch()
    mine = AtomicFile(target)  # that of a process which is alive
    write_text(target, "new")
    assert sorted(_names(tmp_path)) == sorted([*others, mine.temporary.name, "a.csv"])
    mine.discard()
