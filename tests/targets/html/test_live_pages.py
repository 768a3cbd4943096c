"""`acausal docs --site DIR --live`: pages of the gallery that run."""

from pathlib import Path

import pytest

from acausal.cli import main
from acausal.cli.site import live_pages
from acausal.targets.html import compile_wasm, html_files


def test_a_page_and_a_link_for_each_example_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gallery = tmp_path / "gallery"
    gallery.mkdir()
    for name in ("rc", "bricard"):
        (gallery / f"{name}.html").write_text(f"<h1>{name}</h1><p>text</p>", encoding="utf-8")
    faulty = tmp_path / "faulty.mdl"
    faulty.write_text("model D\n  local x\n  x = y\nend\n", encoding="utf-8")
    monkeypatch.setattr(live_pages, "grouped", lambda: {"some": ["rc.mdl", str(faulty)]})
    for module in (compile_wasm, html_files):
        monkeypatch.setattr(module, "wasm_compiler", lambda: None)
    monkeypatch.setattr(html_files, "compile_wasm", lambda source, exported: b"code")
    told: list[str] = []
    (page,) = live_pages.write_live_pages(tmp_path, told.append)
    assert page == gallery / "live" / "rc.html"
    assert 'id="code">Y29kZQ==<' in page.read_text(encoding="utf-8")
    text = (gallery / "rc.html").read_text(encoding="utf-8")
    assert text.startswith('<h1>rc</h1>\n<p><a href="live/rc.html">')
    assert "live" not in (gallery / "bricard.html").read_text(encoding="utf-8")
    (line,) = told
    assert "unknown variable or parameter y" in line


def test_without_a_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compile_wasm, "find_spec", lambda name: None)
    monkeypatch.setattr(compile_wasm.shutil, "which", lambda name: None)
    assert main(["docs", "--site", str(tmp_path / "site"), "--live"]) == 2
    assert "no C compiler for WebAssembly is installed" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()
    assert main(["docs", "--live"]) == 2
    assert "--live is an option of --site" in capsys.readouterr().err
