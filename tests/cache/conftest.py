"""A cache of its own for each test."""

from pathlib import Path

import pytest


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the entries; it does not exist yet."""
    monkeypatch.setenv("ACAUSAL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "translations"
