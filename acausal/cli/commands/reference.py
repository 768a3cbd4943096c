"""The commands `list`, `docs`, `new`, `examples` and `explain`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Context, Option

from acausal.cli.process.session import Session

if TYPE_CHECKING:
    from acausal.reference.page import Page

GroupContext = Any
"""The context of the group of commands, whose type differs from version to version of typer."""
STYLES = {"title": "bold", "heading": "bold cyan", "name": "green", "code": "", "text": "", "faint": "dim"}
"""Styles of rich for the roles of a page."""
_WIDEST = 110


def _complete(incomplete: str) -> list[str]:
    """The names of pages that begin so."""
    from acausal.reference.find import names

    return [name for name in names() if name.startswith(incomplete)]


def list_(
    session: Session,
    word: Annotated[
        str | None,
        Argument(metavar="WORD", help="a part of a name or description; default: all", show_default=False),
    ] = None,
) -> None:
    """List libraries and their classes, or search their names and descriptions."""
    from acausal.base.diagnostics import Diagnostic, UsageError
    from acausal.reference.library_page import list_data, list_page

    page = list_page(word)
    if page is None:
        from acausal.base.near_names import did_you_mean
        from acausal.reference.find import names

        near = None if word is None else did_you_mean(word, names())
        hint = near or "search with a shorter word; `acausal list` shows all libraries and classes"
        raise UsageError(Diagnostic("F018", f"no library or class contains {word}", help=hint))
    _show(session, [page], {"libraries": list_data(word)})


def docs(
    session: Session,
    context: Context,
    name: Annotated[
        str | None,
        Argument(
            metavar="NAME",
            help="a class, library, word or function of the language, command or code; default: an overview",
            show_default=False,
            autocompletion=_complete,
        ),
    ] = None,
    site: Annotated[Path | None, Option("--site", metavar="DIR", help="write the manual as a web site to DIR")] = None,
    live: Annotated[
        bool, Option("--live", help="with --site: examples as pages that run them, as `--target html` writes them")
    ] = False,
) -> None:
    """Open the manual, or describe a class, a library, a word of the language, a command or a code."""
    if site is not None:
        _site(session, context.find_root(), name, site, live)
        return
    if live:
        from acausal.base.diagnostics import Diagnostic, UsageError

        raise UsageError(Diagnostic("F006", "--live is an option of --site", help="acausal docs --site DIR --live"))
    from acausal.reference.find import find
    from acausal.reference.overview import overview

    commands = _help_of_commands(context.find_root())
    if name is not None:
        _show(session, find(name, commands, _width()), None)
        return
    _show(session, [overview(commands)], None)
    if sys.stdout.isatty() and session.talks:
        _open_manual(session, context.find_root())


def _site(session: Session, root: GroupContext, name: str | None, folder: Path, live: bool) -> None:
    """Write the manual into a folder, with pages that run where these are asked for."""
    from acausal.base.diagnostics import Diagnostic, UsageError
    from acausal.cli.site.command_help import all_commands
    from acausal.cli.site.manual import write_site

    if name is not None:
        raise UsageError(Diagnostic("F006", f"--site writes the whole manual: it takes no {name}"))
    if live:
        from acausal.targets.html.compile_wasm import wasm_compiler

        wasm_compiler()  # an error now, before anything is written
    write_site(folder, all_commands(root))
    if live:
        from acausal.cli.site.live_pages import write_live_pages

        write_live_pages(folder, session.say)
    session.say(f"written: {folder / 'index.html'}")
    session.finish(data={"written": [str(folder / "index.html")]})


def _open_manual(session: Session, root: GroupContext) -> None:
    """The manual in the browser, or else where it is."""
    from acausal.cli.site.command_help import all_commands
    from acausal.cli.site.manual import first_page, open_in_browser
    from acausal.render.progress import working

    try:
        with working("building the manual", session.talks):
            page = first_page(all_commands(root))
    except OSError as error:
        session.say(f"\nThe manual cannot be written: {error}; `acausal docs --site DIR` writes it to a folder")
        return
    if page is None:
        session.say("\nFor the manual as a web site: pip install 'acausal[docs]'")
    else:
        session.say(f"\nManual: {page.as_uri()}")
        open_in_browser(page)


def _help_of_commands(root: GroupContext) -> dict[str, str]:
    """The text of `acausal COMMAND --help` for every command."""
    commands = root.command.load_all()
    return {name: command.get_help(type(root)(command, root, name)) for name, command in commands.items()}


def new(
    session: Session,
    name: Annotated[str, Argument(metavar="NAME", help="the name of the model", show_default=False)],
) -> None:
    """Write NAME.mdl with a small model as a starting point."""
    from acausal.base.files.writing import save_text
    from acausal.reference.model_examples import need_absent
    from acausal.reference.new_model import new_model

    file = Path(name if name.endswith(".mdl") else f"{name}.mdl")
    text = new_model(file.stem)
    need_absent(file)
    save_text(file, text)
    session.say(f"written: {file}; acausal simulate {file} runs it")
    session.finish(data={"written": [str(file)]})


def examples(
    session: Session,
    copy: Annotated[
        Path | None, Option("--copy", metavar="DIR", help="copy the examples into this folder, which is created")
    ] = None,
) -> None:
    """List the examples, or copy them into a folder."""
    from acausal.base.files.paths import examples_folder
    from acausal.reference.model_examples import copy_examples, model_examples
    from acausal.reference.page import Page, Section, Table

    if copy is not None:
        written = copy_examples(copy)
        session.say(f"{len(written)} files written to {copy}")
        session.finish(data={"written": [str(path) for path in written]})
        return
    known = {example.place: example.summary for example in model_examples()}
    table = Table(tuple(known.items()))
    page = Page("Examples", "acausal examples --copy DIR copies them", (Section(str(examples_folder()), (table,)),))
    _show(session, [page], {"folder": str(examples_folder()), "examples": known})


def _width() -> int:
    """Columns of the terminal; elsewhere those of a page."""
    from acausal.reference.page import WIDTH

    if not sys.stdout.isatty():
        return WIDTH
    from rich.console import Console

    return min(Console().width, _WIDEST)


def _show(session: Session, pages: "Sequence[Page]", data: dict[str, object] | None) -> None:
    """Pages in colors on a terminal, as text elsewhere."""
    from acausal.reference.page import plain

    width = _width()
    text = plain(pages, width)
    if session.json or not session.colored(sys.stdout):
        session.finish(text, {"text": text} if data is None else data)
        return
    _print_in_colors(pages, width)
    session.finish()


def _print_in_colors(pages: "Sequence[Page]", width: int) -> None:
    from rich.console import Console
    from rich.text import Text

    from acausal.reference.page import lines

    console = Console(file=sys.stdout, force_terminal=True, color_system="standard", width=width, highlight=False)
    for number, page in enumerate(pages):
        if number:
            console.print("\n")
        for line in lines(page, width):
            console.print(Text.assemble(*[(text, STYLES[role]) for role, text in line]), soft_wrap=True)


def explain(
    session: Session,
    code: Annotated[
        str | None,
        Argument(
            metavar="CODE",
            help="a code such as C004 or a word such as terminal; default: list all codes",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Explain the code of an error or warning, or a word of the language."""
    from acausal.render.explain import all_titles
    from acausal.render.explain import explain as explain_code
    from acausal.render.table import table

    if code is None:
        titles = all_titles()
        session.finish(table(titles), {"codes": titles})
    else:
        from acausal.elaborate.foreign_habits import all_habits

        text = explain_code(code, all_habits())
        session.finish(text, {"code": code.upper(), "text": text})
