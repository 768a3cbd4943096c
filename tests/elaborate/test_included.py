"""Classes of included files are kept in the process; a changed file, or what the main file defines, shows at once."""

import os
from pathlib import Path

import pytest

from acausal.base.diagnostics import ModelError
from acausal.base.files.file_dependencies import recording
from acausal.base.options import Limits, TranslateOptions
from acausal.elaborate.classes import include_cache as included
from acausal.elaborate.classes.class_lookup import Classes
from acausal.elaborate.classes.library import load
from acausal.elaborate.expressions.all_errors import AllMistakes
from acausal.ir.model.classes import ClassUse, Library
from acausal.pipeline import translate

MAIN = "@a.lib\nmodel M\n  submodel (A) a\nend\n"


def lib(value: float, name: str = "A") -> str:
    return f"model class {name}\n  parameter p={value}\n  local x\n  x = p\nend\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("ACAUSAL_PATH", raising=False)
    (tmp_path / "m.mdl").write_text(MAIN, encoding="utf-8")
    (tmp_path / "a.lib").write_text(lib(1), encoding="utf-8")
    return tmp_path


def library(folder: Path) -> Library:
    return load(folder / "m.mdl", TranslateOptions())


def value(folder: Path, name: str = "a.p") -> object:
    return {str(p.symbol): p.value for p in translate(folder / "m.mdl").stages.flat.parameters}[name]


def test_the_same_classes_as_long_as_nothing_changes(folder: Path) -> None:
    first, second = library(folder), library(folder)
    assert first.space is not second.space
    assert first.space.classes["A"] is second.space.classes["A"]
    assert first.space.classes["M"] is not second.space.classes["M"]


def test_a_changed_file_is_read_again(folder: Path) -> None:
    assert value(folder) == 1.0
    (folder / "a.lib").write_text(lib(2), encoding="utf-8")
    assert value(folder) == 2.0
    (folder / "a.lib").write_text("@b.inc\n", encoding="utf-8")
    (folder / "b.inc").write_text(lib(3), encoding="utf-8")
    assert value(folder) == 3.0
    (folder / "b.inc").write_text(lib(4), encoding="utf-8")
    assert value(folder) == 4.0
    (folder / "b.inc").unlink()
    with pytest.raises(ModelError, match="F001"):
        library(folder)


def test_a_file_that_appears_where_one_was_looked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    far = folder / "far"
    far.mkdir()
    (folder / "a.lib").rename(far / "a.lib")
    monkeypatch.setenv("ACAUSAL_PATH", str(far))
    assert value(folder) == 1.0
    (folder / "a.lib").write_text(lib(5), encoding="utf-8")
    assert value(folder) == 5.0


def test_a_class_of_the_main_file_that_an_included_one_names(folder: Path) -> None:
    """Names of an included file are looked up in the main file at last: its text decides each time."""
    (folder / "a.lib").write_text("model class (Base) A\nend\n" + lib(7, "Other"), encoding="utf-8")
    for given in (1.0, 2.0):
        (folder / "m.mdl").write_text(MAIN + lib(given, "Base"), encoding="utf-8")
        assert value(folder) == given
        known = library(folder)
        made = [use.name for use in known.templates]
        assert made == []
    use = ClassUse(known.space.classes["Other"])
    assert Classes(known, Limits(), AllMistakes()).template(use) is library(folder).templates[use]


def test_a_class_defined_by_both_files(folder: Path) -> None:
    library(folder)
    (folder / "m.mdl").write_text(MAIN + lib(1), encoding="utf-8")
    with pytest.raises(ModelError, match="N005"):
        library(folder)


def test_includes_that_lead_back_to_the_main_file_are_not_kept(folder: Path) -> None:
    (folder / "a.lib").write_text("@m.mdl\n" + lib(1), encoding="utf-8")
    assert library(folder).space.classes["A"] is not library(folder).space.classes["A"]


def test_what_is_kept_counts_as_read(folder: Path) -> None:
    told = []
    for _ in range(2):
        with recording() as reads:
            library(folder)
        told.append(reads)
    assert told[0] == told[1]
    assert set(told[0].contents) == {str(folder / "m.mdl"), str(folder / "a.lib")}


def test_few_are_kept(folder: Path) -> None:
    for number in range(2 * included.KEPT):
        (folder / f"{number}.lib").write_text(lib(1), encoding="utf-8")
        (folder / "m.mdl").write_text(MAIN.replace("a.lib", f"{number}.lib"), encoding="utf-8")
        library(folder)
    assert len(included._KEPT) == included.KEPT


@pytest.fixture
def far(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the library is found by ACAUSAL_PATH."""
    far = folder / "far"
    far.mkdir()
    (folder / "a.lib").rename(far / "a.lib")
    monkeypatch.setenv("ACAUSAL_PATH", str(far))
    return far


def other_folder(folder: Path) -> Path:
    (folder / "other").mkdir()
    (folder / "other" / "m.mdl").write_text(MAIN, encoding="utf-8")
    return folder / "other"


def test_main_files_of_several_folders_share_what_is_beside_none(folder: Path, far: Path) -> None:
    other = other_folder(folder)
    assert library(folder).space.classes["A"] is library(other).space.classes["A"]
    (other / "a.lib").write_text(lib(5), encoding="utf-8")
    assert value(other) == 5.0
    assert value(folder) == 1.0
    (other / "a.lib").unlink()
    assert value(other) == 1.0
    (far / "a.lib").write_text(lib(2), encoding="utf-8")
    assert value(other) == value(folder) == 2.0


def test_where_a_main_file_of_another_folder_looked_counts_as_looked(folder: Path, far: Path) -> None:
    other = other_folder(folder)
    library(folder)
    with recording() as reads:
        library(other)
    assert set(reads.contents) == {str(other / "m.mdl"), str(far / "a.lib")}
    assert set(reads.absent) == {str(other / "a.lib")}


def test_a_folder_that_is_looked_in_for_all_counts_for_all(
    folder: Path, far: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = other_folder(folder)
    monkeypatch.setenv("ACAUSAL_PATH", f"{folder}{os.pathsep}{far}")
    assert value(folder) == value(other) == 1.0
    (folder / "a.lib").write_text(lib(6), encoding="utf-8")
    assert value(other) == 6.0


def test_a_main_file_that_was_included_before(folder: Path) -> None:
    (folder / "a.lib").write_text("@n.mdl\n" + lib(1), encoding="utf-8")
    (folder / "n.mdl").write_text("@a.lib\nmodel N\n  submodel (A) a\nend\n", encoding="utf-8")
    assert set(library(folder).space.classes) == {"M", "N", "A"}
    assert set(load(folder / "n.mdl", TranslateOptions()).space.classes) == {"N", "A"}
