"""Files on disk: what is read, and what is told of one that cannot be."""

import os
from pathlib import Path

import pytest

from acausal.base.diagnostics import Diagnostic, LimitError, ModelError
from acausal.base.options import Limits
from acausal.syntax.read import read_source


def fault(path: Path, limits: Limits = Limits()) -> Diagnostic:
    with pytest.raises(ModelError) as caught:
        read_source(path, limits=limits)
    return caught.value.report.errors[0]


def test_text_comes_as_it_is_without_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.mdl"
    path.write_bytes("\ufeffmodel µ\r\n".encode())
    assert read_source(path).text == "model µ\r\n"
    assert read_source(path).name == str(path)
    assert read_source(path, "a.mdl").name == "a.mdl"


def test_missing_file_and_folder(tmp_path: Path) -> None:
    assert fault(tmp_path / "none.mdl").code == "F001"
    assert fault(tmp_path).code == "F001"
    assert fault(tmp_path / "a\0b").code == "F001"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert fault(tmp_path / "pipe").code == "F001"


@pytest.mark.parametrize(
    ("data", "line"),
    [(b"model A\n\xe9 = 2\nend", 2), (b"\xef\xbb\xbfmodel A\nx\0 = 2\nend", 2), (b"\xff", 1), (b"a\n\n\xc3", 3)],
)
def test_what_is_not_text_has_a_place(tmp_path: Path, data: bytes, line: int) -> None:
    path = tmp_path / "a.mdl"
    path.write_bytes(data)
    found = fault(path)
    assert found.code == "F002"
    assert found.primary is not None
    assert found.primary.span.line == line


def test_utf_16_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.mdl"
    path.write_text("model A", encoding="utf-16")
    assert "UTF-16" in fault(path).message


def test_length_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "a.mdl"
    path.write_text("model A\nend")
    assert read_source(path, limits=Limits(file_length=11)).text
    with pytest.raises(LimitError, match="L001"):
        read_source(path, limits=Limits(file_length=10))
