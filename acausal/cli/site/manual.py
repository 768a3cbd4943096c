"""The manual as a site: opened in the browser, or written into a folder."""

import os
import re
import sys
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.output_folder import cannot_write
from acausal.base.files.paths import cache_folder

if TYPE_CHECKING:
    from acausal.manual.command_pages import CommandList


def write_site(target: Path, commands: "CommandList") -> None:
    """The site in a folder, which is made; UsageError F019 if the folder has files already."""
    from acausal.manual.site import copy_site

    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise UsageError(Diagnostic("F019", f"{target} exists already", help="choose another folder"))
    try:
        copy_site(target, commands)
    except OSError as error:
        raise cannot_write(target, error) from None


def first_page(commands: "CommandList") -> Path | None:
    """The first page of the site: that of the wheel; in a checkout one among the user's caches, None without Sphinx."""
    from acausal.manual.site import SHIPPED, lacking

    if (SHIPPED / "index.html").is_file():
        return SHIPPED / "index.html"
    return None if lacking() else _built(commands)


def _built(commands: "CommandList") -> Path:
    """The first page of a site built from the pages as they are now."""
    from acausal.manual.site import build_site
    from acausal.manual.sources import digest

    folder = cache_folder() / "manual" / digest(commands)
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent) as temporary:
            build_site(Path(temporary, "site"), commands)
            Path(temporary, "site").replace(folder)
        _remove_others(folder)
    return folder / "index.html"


def _remove_others(folder: Path) -> None:
    """Remove the sites of earlier states of the checkout."""
    for other in folder.parent.iterdir():
        if other != folder and re.fullmatch(r"[0-9a-f]{16}", other.name):
            rmtree(other, ignore_errors=True)


def open_in_browser(page: Path) -> bool:
    """Open a page in the user's browser; False if there is no display."""
    import webbrowser

    if sys.platform not in ("win32", "darwin") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    return webbrowser.open(page.as_uri())
