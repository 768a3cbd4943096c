"""The doctor finds this installation well, and tells of one that is not."""

from pathlib import Path

import pytest

from acausal import doctor
from acausal.base.files import paths
from acausal.doctor import Finding, State, examine, show


def test_installation_of_the_tests_is_well() -> None:
    assert [finding for finding in examine() if finding.state is State.FAULT] == []


def found(what: str) -> Finding:
    return next(finding for finding in examine() if finding.what == what)


def test_missing_library_is_a_fault_with_advice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(paths, "stdlib_folder", lambda: tmp_path)
    finding = found("standard library")
    assert finding.state is State.FAULT
    assert str(tmp_path) in finding.detail
    assert f"{finding.detail}\n" in show(examine())
    assert finding.advice is not None
    assert finding.advice in show(examine())


def test_missing_package_is_a_fault_and_a_missing_extra_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(doctor, "version", missing)
    assert found("numpy").state is State.FAULT
    assert found("scikit-sundae").state is State.ABSENT
    assert found("matplotlib").advice == "pip install 'acausal[plot]'"


def test_cache_folder_that_is_a_file_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "acausal").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert found("cache folder").state is State.ABSENT
