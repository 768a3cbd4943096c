"""Pages of the commands, from the declarations of their arguments and options."""

from collections.abc import Sequence

from acausal.base.frozen import dataclass
from acausal.manual.markdown import Pages, code, contents, name, page, prose, section, table


@dataclass(frozen=True, slots=True)
class Flag:
    """An argument or option: how it is written, what it does, and its default (empty if none is shown)."""

    text: str
    help: str
    default: str


@dataclass(frozen=True, slots=True)
class CommandHelp:
    """A command; `common` are the options that every command has."""

    name: str
    summary: str
    usage: str
    arguments: tuple[Flag, ...]
    options: tuple[Flag, ...]
    common: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class CommandList:
    """All commands, the meaning of their exit codes, and the commands of the interactive session with what they do."""

    commands: tuple[CommandHelp, ...]
    exit_codes: str
    interactive: tuple[tuple[str, str], ...] = ()


def command_pages(listed: CommandList) -> Pages:
    """A page for each command, one for the interactive session, and the list of all."""
    pages = {f"commands/{command.name}.md": _command(command) for command in listed.commands}
    rows = [(f"[{name(f'acausal {c.name}')}]({c.name}.md)", prose(c.summary)) for c in listed.commands]
    pages["commands/index.md"] = page(
        "# Commands",
        table(("command", "content"), rows),
        "The commands within `acausal repl` are on the page [Interactive session](session.md).",
        section("Exit codes", prose(listed.exit_codes)),
        contents([*[command.name for command in listed.commands], "session"], hidden=True),
    )
    pages["commands/session.md"] = page(
        "# Interactive session",
        "`acausal repl [FILE]` starts a session in which a model stays loaded: "
        "[how to work in it](../howto/session.md). "
        "Names of variables and parameters, and expressions of them, show their values.",
        table(("command", "meaning"), [(name(usage), prose(about)) for usage, about in listed.interactive]),
    )
    return pages


def _command(command: CommandHelp) -> str:
    return page(
        f"# acausal {command.name}",
        prose(command.summary),
        code(command.usage, "text"),
        section("Arguments", _flags(command.arguments, "argument")),
        section("Options", _flags(command.options, "option")),
        section("Options of every command", _flags(command.common, "option")),
    )


def _flags(flags: Sequence[Flag], head: str) -> str:
    return table((head, "meaning", "default"), [(name(f.text), prose(f.help), name(f.default)) for f in flags])
