"""The group of commands `acausal`; what a command does is imported only when it runs."""

from importlib import import_module
from typing import Annotated, Any

from typer import Exit, Option, Typer
from typer.core import TyperCommand
from typer.main import get_command

from acausal.cli.command_table import COMMANDS
from acausal.cli.flags.plain_values import PlainCommand, PlainGroup

# typer's own types differ from version to version.
Command = Any
Context = Any

EPILOG = (
    "Exit codes: 0 success, 1 error in the model, or results that differ, 2 error in the command, 3 the run failed or "
    "its result is not finite (rows are written), 4 limit reached, 70 internal error (a bug: please report it), "
    "130 interrupted."
)
_NO_RICH: dict[str, Any] = {"rich_markup_mode": None, "pretty_exceptions_enable": False}


class CommandGroup(PlainGroup):
    """The commands of the table: names and summaries alone until one is called by its name."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401
        super().__init__(**settings)
        self.commands = {name: TyperCommand(name, help=entry.summary) for name, entry in COMMANDS.items()}

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """The command with its arguments and options, which imports its module, and the arguments that follow it."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else _imported(name), rest

    def load_all(self) -> dict[str, Command]:
        """Every command with its arguments and options, in the order of `acausal --help`."""
        return {name: _imported(name) for name in self.commands}


def _imported(name: str) -> Command:
    """The command, from its function."""
    from acausal.cli.process.session import with_session

    entry = COMMANDS[name]
    body = getattr(import_module(f"acausal.cli.commands.{entry.module}"), entry.function)
    single = Typer(add_completion=False, **_NO_RICH)
    single.command(name, cls=PlainCommand)(with_session(body))
    return get_command(single)


app = Typer(
    name="acausal",
    cls=CommandGroup,
    help="Translate and simulate models written as equations and connections.",
    epilog=EPILOG,
    no_args_is_help=True,
    **_NO_RICH,
)


def root_context() -> Context:
    """The context of the group of commands."""
    return get_command(app).make_context("acausal", [], resilient_parsing=True)


def _show_version(wanted: bool) -> None:
    if wanted:
        from acausal.version import __version__

        print(f"acausal {__version__}")
        raise Exit


@app.callback()
def common(
    version: Annotated[
        bool, Option("--version", help="show the version and exit", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Translate and simulate models written as equations and connections."""
