"""Pages of the gallery that run: the examples through `--target html`, beside the pages of the manual."""

from collections.abc import Callable
from pathlib import Path

from acausal.base.diagnostics import ModelError
from acausal.base.files.paths import examples_folder
from acausal.manual.gallery import grouped

FOLDER = "live"
LINK = '<p><a href="{}/{}.html">Run this model in the browser</a></p>'


def write_live_pages(site: Path, tell: Callable[[str], None]) -> tuple[Path, ...]:
    """Write a page for each example that C code can run, and a link to it below the title of its page.

    `tell` gets a line for each of the others. UsageError F007 where no compiler for WebAssembly is installed.
    """
    from acausal.targets.html.compile_wasm import wasm_compiler

    wasm_compiler()
    folder = site / "gallery" / FOLDER
    folder.mkdir()
    found = []
    for place in [place for places in grouped().values() for place in places]:
        page = _live_page(place, folder, tell)
        if page is not None:
            _add_link(site / "gallery" / page.name, page.stem)
            found.append(page)
    return tuple(found)


def _live_page(place: str, folder: Path, tell: Callable[[str], None]) -> Path | None:
    from acausal.cached import translate

    try:
        (page,) = translate(examples_folder() / place).export("html", folder / f"{Path(place).stem}.html")
    except ModelError as error:
        tell(f"{place} stays without a page that runs: {error.report.diagnostics[0].message}")
        return None
    return page


def _add_link(page: Path, stem: str) -> None:
    text = page.read_text(encoding="utf-8")
    head, end, rest = text.partition("</h1>")
    page.write_text(f"{head}{end}\n{LINK.format(FOLDER, stem)}{rest}", encoding="utf-8", newline="")
