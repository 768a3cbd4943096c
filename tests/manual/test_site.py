"""The site: complete without a network, with an index to search in; the commands that write it."""

import json
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from acausal.base import caches
from acausal.cli import main
from acausal.cli.site import manual as command
from acausal.codegen.llvm import kernel_code, shipped_code
from acausal.manual import site
from acausal.manual.command_pages import CommandList
from acausal.pipeline import translate
from tests.collection import ROOT

COMMANDS = CommandList((), "")


class Links(HTMLParser):
    """Addresses that a page links to or loads."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        if tag in ("script", "img") and given.get("src"):
            self.loaded.append(given["src"] or "")
        if tag == "link" and given.get("rel") in ("stylesheet", "search"):
            self.loaded.append(given["href"] or "")


def test_content_of_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Built from the folders that pyproject.toml names, and in no folder of the checkout."""
    pytest.importorskip("furo")
    builder = pytest.importorskip("hatchling.builders.wheel").WheelBuilder(str(ROOT))
    (wheel,) = builder.build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path)
        names = set(packed.namelist())
    assert {"acausal/examples/rc.mdl", "acausal/examples/robot/R3robot.lib"} <= names
    assert {"acausal/stdlib/electrical.lib", "acausal/stdlib/examples/electrical.mdl"} <= names
    site = tmp_path / "acausal" / "manual" / "site"
    assert (site / "classes" / "electrical" / "resistor.html").is_file()
    check_links(site)
    check_search_index(site)
    check_kernels(tmp_path / "acausal" / "kernels", monkeypatch)
    assert not (ROOT / "acausal" / "manual" / "site").exists()
    assert not (ROOT / "acausal" / "kernels").exists()


def check_kernels(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs use the object code of the wheel, compile no kernels, and have the same bits as with compiled kernels."""
    models = [ROOT / "examples" / name for name in ("h_bridge.mdl", "fourbar.mdl")]
    compiled = [translate(model).simulate(stop=0.05) for model in models]
    monkeypatch.setattr(shipped_code, "FOLDER", folder)
    monkeypatch.setattr(kernel_code, "module_of", None)  # compiling kernels is an error
    caches.clear()
    for model, expected in zip(models, compiled, strict=True):
        found = translate(model).simulate(stop=0.05)
        assert list(found) == list(expected)
        assert all(found[name].tobytes() == expected[name].tobytes() for name in found)
    monkeypatch.undo()
    caches.clear()


def check_links(site: Path) -> None:
    """No page needs the network, and no link is broken."""
    paths = list(site.rglob("*.html"))
    assert len(paths) > 350
    for path in paths:
        found = Links()
        found.feed(path.read_text(encoding="utf-8"))
        assert [address for address in found.loaded if "//" in address] == []
        for address in [*found.loaded, *found.links]:
            if "://" in address or address.startswith(("#", "mailto:")):
                continue
            target = unquote(re.split(r"[?#]", address)[0])
            assert (path.parent / target).resolve().is_file(), f"{path.relative_to(site)}: {address}"


def check_search_index(site: Path) -> None:
    """The index knows classes and codes."""
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    titles = {title.lower() for title in index["alltitles"]}
    assert {"capacitor", "revolute", "electrical.lib", "acausal simulate"} <= titles
    assert any(title.startswith("c004") for title in titles)
    assert not (site / "_sources").exists()


def test_folder_with_files_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("x")
    assert main(["docs", "--site", str(tmp_path)]) == 2
    assert "error[F019]" in capsys.readouterr().err
    assert main(["docs", "resistor", "--site", str(tmp_path / "new")]) == 2
    assert "error[F006]" in capsys.readouterr().err


def test_shipped_site_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Sphinx, as in an installed wheel."""
    shipped = tmp_path / "site"
    (shipped / "classes").mkdir(parents=True)
    (shipped / "index.html").write_text("first")
    (shipped / "classes" / "gear.html").write_text("gear")
    monkeypatch.setattr(site, "SHIPPED", shipped)
    monkeypatch.setattr(site, "lacking", lambda: ["sphinx"])
    assert command.first_page(COMMANDS) == shipped / "index.html"
    assert main(["docs", "--site", str(tmp_path / "copy"), "--quiet"]) == 0
    assert (tmp_path / "copy" / "classes" / "gear.html").read_text() == "gear"


def test_checkout_without_sphinx(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(site, "SHIPPED", tmp_path / "none")
    monkeypatch.setattr(site, "lacking", lambda: ["sphinx"])
    assert command.first_page(COMMANDS) is None
    assert main(["docs", "--site", str(tmp_path / "copy")]) == 2
    assert "pip install 'acausal[docs]'" in capsys.readouterr().err
    assert not (tmp_path / "copy").exists()


def test_checkout_builds_once_for_each_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Path] = []

    def build(target: Path, commands: CommandList) -> None:
        target.mkdir()
        (target / "index.html").write_text(commands.exit_codes)
        built.append(target)

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(site, "SHIPPED", tmp_path / "none")
    monkeypatch.setattr(site, "lacking", list)
    monkeypatch.setattr(site, "build_site", build)
    first = command.first_page(COMMANDS)
    assert first == command.first_page(COMMANDS)
    second = command.first_page(CommandList((), "changed"))
    assert second is not None
    assert second.read_text() == "changed"
    assert len(built) == 2
    assert [path.name for path in (tmp_path / "acausal" / "manual").iterdir()] == [second.parent.name]


def test_browser_only_where_there_is_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(opened.append(address)) or True)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not command.open_in_browser(Path("/site/index.html"))
    monkeypatch.setenv("DISPLAY", ":0")
    assert command.open_in_browser(Path("/site/index.html"))
    assert opened == ["file:///site/index.html"]
