"""All pages of the manual as Markdown in a folder, from which Sphinx builds the site."""

from hashlib import sha256
from pathlib import Path
from shutil import copyfile

from acausal.manual import gallery
from acausal.manual.class_pages import class_pages
from acausal.manual.code_pages import code_pages
from acausal.manual.command_pages import CommandList, command_pages
from acausal.manual.markdown import Pages
from acausal.manual.python_pages import python_pages
from acausal.manual.word_pages import word_pages

TEXTS = Path(__file__).with_name("pages")
"""The pages that are written by hand."""
STYLE = Path(__file__).with_name("style")
"""Folder of the style sheet."""


def all_pages(commands: CommandList) -> Pages:
    """Every page by its place."""
    return {
        **written_pages(),
        **word_pages(written_pages()),
        **class_pages(),
        **code_pages(),
        **command_pages(commands),
        **python_pages(),
        **gallery.gallery_pages(),
    }


def written_pages() -> Pages:
    """The pages that are written by hand, by their place."""
    paths = sorted(TEXTS.rglob("*.md"))
    return {path.relative_to(TEXTS).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def pictures() -> dict[str, Path]:
    """All pictures by their place."""
    return {**gallery.pictures(), **{path.relative_to(TEXTS).as_posix(): path for path in sorted(TEXTS.rglob("*.png"))}}


def write_sources(folder: Path, commands: CommandList) -> None:
    """Write all pages and pictures into a folder."""
    for place, text in all_pages(commands).items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    for place, picture in pictures().items():
        copyfile(picture, folder / place)


def digest(commands: CommandList) -> str:
    """The contents of all pages, pictures and styles as a short text."""
    found = sha256()
    for place, text in all_pages(commands).items():
        found.update(f"{place}\0{text}\0".encode())
    for path in [*pictures().values(), *sorted(STYLE.iterdir())]:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
