"""Output of pictures: into a file, in a window, or as a figure that a notebook shows."""

from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.files.output_folder import unknown_format
from acausal.base.files.writing import writing
from acausal.base.optional_library import required
from acausal.results.drawing.picture import Picture
from acausal.results.drawing.style import INSTALL, STYLE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WITHOUT_WINDOW = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")
"""Backends of matplotlib that only write files."""
KINDS = (".png", ".svg", ".pdf", ".html")
"""Suffixes of files that any installation can write."""
PAGES = (".html", ".htm")
"""Suffixes of files that are pages to zoom in."""


def drawn(picture: Picture, figure: Path | None = None) -> "Figure | None":
    """Write a picture into a file, show it in a window, or return it for a notebook.

    UsageError F007 where the library is missing, F008 where the file cannot be written.
    """
    if figure is not None and figure.suffix.lower() in PAGES:
        from acausal.results.drawing.page import write_page

        write_page(picture, figure)
        return None
    on_screen = figure is None and has_screen()
    found = _figure(picture, on_screen)
    if figure is not None:
        _save(found, figure)
    return found


def has_screen() -> bool:
    """True if matplotlib can open a window."""
    try:
        from matplotlib import get_backend
    except ImportError:
        return False
    backend = get_backend().lower()
    return backend not in WITHOUT_WINDOW and "inline" not in backend


def _figure(picture: Picture, on_screen: bool) -> "Figure":
    with required("a plot", "matplotlib", INSTALL):
        from matplotlib import style

        from acausal.results.drawing.figure import Plot, draw
    with style.context(STYLE):
        figure = _window() if on_screen else Plot()
        draw(picture, figure)
    if on_screen:
        _show()
    return figure


def _window() -> "Figure":
    from matplotlib import pyplot

    return pyplot.figure()


def _show() -> None:
    from matplotlib import pyplot

    pyplot.show()


def _save(found: "Figure", path: Path) -> None:
    from acausal.results.drawing.figure import save

    try:
        with writing(path) as temporary:
            save(found, temporary)
    except ValueError:
        raise unknown_format(path, "format", KINDS) from None
