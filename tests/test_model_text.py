"""A model given as a text or as the name of a file: which of both a string is does not depend on chance."""

from pathlib import Path

import pytest

import acausal
from acausal.base.files.model_text import TEXT_NAME, as_source

TEXT = "model A\n  local x\n  x = 1\nend\n"
LINE = "model A; local x; x = 1; end"


@pytest.mark.parametrize(
    "text",
    [TEXT, "\nmodel", LINE, f"{LINE} A;", f"{{ a remark }} {LINE}", f"@electrical.lib; {LINE}", "model A; end", "x\r"],
)
def test_texts(text: str) -> None:
    assert as_source(text) == (TEXT_NAME, text)
    assert as_source(Path(text)) == (Path(text), None)


@pytest.mark.parametrize("name", ["a.mdl", "model end.mdl", "model A; end.lib", "model", "modelend", "end", "models/A"])
def test_names_of_files(name: str) -> None:
    assert as_source(name) == (Path(name), None)


@pytest.mark.parametrize("text", ["model A; local x; x = 1", "der(x) = -x", "@electrical", "{ nothing }", "x = 1" * 90])
def test_neither(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(acausal.ModelError) as caught:
        acausal.translate(text)
    (found,) = caught.value.report.diagnostics
    assert found.code == "F001"
    assert "begins with `model` and ends with `end`" in (found.help or "")
    monkeypatch.chdir(tmp_path)
    if len(text) < 60:
        Path(text).write_text(TEXT, encoding="utf-8")
        assert acausal.translate(text).name == "A"  # a file may have such a name


def test_a_text_is_translated_and_checked() -> None:
    assert acausal.translate(TEXT).simulate(stop=1).final["x"] == 1.0
    assert acausal.translate("other.mdl", text=LINE).name == "A"
    assert not acausal.check(LINE).diagnostics
    (found,) = acausal.check("model A; local x; x = y; end").errors
    assert found.primary is not None
    assert str(found.primary.span) == "<text>:1:23"


def test_errors_are_rendered_without_a_traceback() -> None:
    with pytest.raises(acausal.ModelError) as caught:
        acausal.translate("model A; local x; x = y; end")
    lines = caught.value._render_traceback_()
    assert "error[N002]" in lines[0]
    assert len(lines) == str(caught.value).count("\n") + 1
