"""What is trusted, what is not, and what is removed."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from acausal import doctor
from acausal.cache import store
from acausal.cli import main

KEY, OTHER = "a" * 64, "b" * 64
needs_modes = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have owners and modes on POSIX only")


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_what_is_written_is_read(kept: Path) -> None:
    assert store.read("code", KEY) is None
    assert not kept.exists()
    store.write("code", KEY, b"\0first")
    store.write("model", KEY, b"second")
    assert store.read("code", KEY) == b"\0first"
    assert store.read("model", KEY) == b"second"
    assert store.read("code", OTHER) is None
    assert store.size()[0] == 2
    assert store.clear() == 2
    assert store.read("code", KEY) is None


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut in the head": lambda data: data[:20],
    "cut in the content": lambda data: data[:-1],
    "longer": lambda data: data + b"\0",
    "another bit in the content": lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:],
    "another bit in the digest": lambda data: data[:20] + bytes([data[20] ^ 128]) + data[21:],
    "another mark": lambda data: b"b" + data[1:],
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_entry_counts_as_missing_and_is_replaced(damage: Callable[[bytes], bytes], kept: Path) -> None:
    store.write("code", KEY, b"machine code")
    file = only_file(kept)
    file.write_bytes(damage(file.read_bytes()))
    assert store.read("code", KEY) is None
    store.write("code", KEY, b"machine code")
    assert store.read("code", KEY) == b"machine code"


def test_an_entry_under_another_name_counts_as_missing(kept: Path) -> None:
    store.write("code", KEY, b"machine code")
    only_file(kept).rename(kept / f"{OTHER}.code")
    assert store.read("code", OTHER) is None


@needs_modes
def test_a_folder_that_others_may_enter_is_not_used(kept: Path) -> None:
    store.write("code", KEY, b"machine code")
    kept.chmod(0o750)
    assert store.read("code", KEY) is None
    store.write("code", OTHER, b"more")
    assert not (kept / f"{OTHER}.code").exists()
    fault = store.fault()
    assert fault is not None
    assert "0700" in fault


@needs_modes
def test_a_folder_of_somebody_else_is_not_used(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.write("code", KEY, b"machine code")
    monkeypatch.setattr(os, "geteuid", lambda: kept.stat().st_uid + 1)
    assert store.read("code", KEY) is None


@needs_modes
def test_an_entry_that_others_may_read_or_write_is_not_used(kept: Path) -> None:
    store.write("code", KEY, b"machine code")
    assert only_file(kept).stat().st_mode & 0o777 == 0o600
    only_file(kept).chmod(0o620)
    assert store.read("code", KEY) is None


@needs_modes
def test_links_are_not_followed(kept: Path, tmp_path: Path) -> None:
    store.write("code", KEY, b"machine code")
    elsewhere = tmp_path / "elsewhere"
    only_file(kept).rename(elsewhere)
    (kept / f"{KEY}.code").symlink_to(elsewhere)
    assert store.read("code", KEY) is None
    (kept / f"{KEY}.code").unlink()
    elsewhere.rename(kept / f"{KEY}.code")
    assert store.read("code", KEY) == b"machine code"
    kept.rename(elsewhere)
    kept.symlink_to(elsewhere)
    assert store.read("code", KEY) is None


def test_a_folder_that_cannot_be_made_only_costs_time(kept: Path) -> None:
    kept.parent.touch()
    store.write("code", KEY, b"machine code")
    assert store.read("code", KEY) is None
    assert store.size() == (0, 0)


def test_switched_off(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACAUSAL_CACHE", "off")
    store.write("code", KEY, b"machine code")
    assert store.read("code", KEY) is None
    assert store.fault() is None
    assert not kept.exists()


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        message = "no home"
        raise RuntimeError(message)

    monkeypatch.delenv("ACAUSAL_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    store.write("code", KEY, b"machine code")
    assert store.read("code", KEY) is None


def test_the_entries_used_least_recently_make_room(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_BYTES", 5_000)
    monkeypatch.setattr(store, "SELDOM", 1)
    for age, key in enumerate("abcd"):
        store.write("code", key, bytes(1_000))
        os.utime(kept / f"{key}.code", (1e9 - age, 1e9 - age))
    assert store.read("code", "d") is not None
    store.write("code", "e", bytes(1_000))
    left = sorted(file.stem for file in kept.iterdir())
    assert left == ["a", "d", "e"]


def test_unfinished_files_are_no_entries_and_are_removed_when_old(kept: Path) -> None:
    store.write("code", KEY, b"machine code")
    new, old = kept / ".new-1", kept / ".new-2"
    new.touch()
    old.touch()
    os.utime(old, (1e9, 1e9))
    assert store.size()[0] == 1
    assert (new.exists(), old.exists()) == (True, False)


def test_the_doctor_tells_of_it_and_clears_it(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store.write("code", KEY, bytes(1_000_000))
    assert main(["doctor", "--clear-cache"]) == 0
    told = capsys.readouterr()
    assert "1 files removed" in told.err
    assert f"0 files, 0.0 of at most 500 MB in {kept}" in told.out
    if sys.platform != "win32":
        kept.chmod(0o777)
        (finding,) = [f for f in doctor.examine() if f.what == "translation cache"]
        assert finding.state is doctor.State.ABSENT
        assert finding.advice is not None
