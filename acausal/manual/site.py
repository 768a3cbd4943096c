"""The site: HTML built by Sphinx, which is needed only where a wheel is made or a checkout has no site yet.

Wheel: `acausal/manual/site`. Checkout: built into a folder, which `acausal docs` keeps among the user's caches.
"""

import re
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory

from acausal.base.diagnostics import Diagnostic, InternalError, UsageError
from acausal.manual.command_pages import CommandList
from acausal.manual.sources import STYLE, write_sources
from acausal.version import __version__

SHIPPED = Path(__file__).with_name("site")
"""The built site, in a wheel only."""
REQUIRED = ("sphinx", "myst_parser", "furo")
SETTINGS: dict[str, object] = {
    "project": "acausal",
    "author": "",
    "version": __version__,
    "release": __version__,
    "extensions": ["myst_parser"],
    "myst_enable_extensions": ["colon_fence"],
    "myst_heading_anchors": 4,
    "highlight_language": "text",
    "html_theme": "furo",
    "html_title": f"acausal {__version__}",
    "html_static_path": [str(STYLE)],
    "html_css_files": ["manual.css"],
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_show_copyright": False,
    "html_show_search_summary": False,  # fetches pages, which browsers refuse for files on disk
    "html_use_index": False,
    "html_domain_indices": False,
    "html_permalinks_icon": "#",
}


def copy_site(target: Path, commands: CommandList) -> None:
    """The site in a folder: that of the wheel, else built by Sphinx; UsageError F007 without Sphinx."""
    if SHIPPED.is_dir():
        copytree(SHIPPED, target, dirs_exist_ok=True)
        return
    if missing := lacking():
        message = f"building the manual needs {', '.join(missing)}"
        raise UsageError(Diagnostic("F007", message, help="pip install 'acausal[docs]'"))
    build_site(target, commands)


def lacking() -> list[str]:
    """The packages that building needs and that are not installed."""
    return [name for name in REQUIRED if find_spec(name) is None]


def build_site(target: Path, commands: CommandList) -> None:
    """Build the site in a folder; an InternalError for any warning, such as a link that leads nowhere."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    from acausal.syntax.highlight import CellLexer, MdlLexer

    warnings = StringIO()
    with TemporaryDirectory() as temporary, patch_docutils(), docutils_namespace():
        sources, trees = Path(temporary, "sources"), Path(temporary, "trees")
        sources.mkdir()
        write_sources(sources, commands)
        settings = {**SETTINGS}
        app = Sphinx(
            sources,
            None,
            target,
            trees,
            "html",
            settings,
            status=None,
            warning=warnings,
            freshenv=True,
        )
        app.add_lexer("mdl", MdlLexer)
        app.add_lexer("cell", CellLexer)
        app.build(force_all=True)
    if text := re.sub(r"\x1b\[[\d;]*m", "", warnings.getvalue()).strip():
        raise InternalError("manual", text)
    (target / ".buildinfo").unlink(missing_ok=True)
    rmtree(target / "_sources", ignore_errors=True)
