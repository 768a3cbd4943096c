"""The commands with their arguments and options as data, for the manual."""

import re
from dataclasses import fields
from typing import Any

from acausal.cli.process.session import Session
from acausal.manual.command_pages import CommandHelp, CommandList, Flag
from acausal.repl.commands import COMMANDS, OTHER_LINES

Click = Any
"""Commands and parameters of click, whose types differ from version to version of typer."""


def all_commands(root: Click) -> CommandList:
    """Every command of the group that the root context belongs to, in the order of `acausal --help`."""
    commands = tuple([_command(name, command, root) for name, command in root.command.load_all().items()])
    exit_codes = (root.command.epilog or "").removeprefix("Exit codes: ")
    interactive = (*[(command.usage, command.about) for command in COMMANDS.values()], *OTHER_LINES.items())
    return CommandList(commands, exit_codes, interactive)


def _command(name: str, command: Click, context: Click) -> CommandHelp:
    own = type(context)(command, parent=context, info_name=name)
    shared = {field.name for field in fields(Session)}
    options = [p for p in command.params if p.param_type_name == "option"]
    return CommandHelp(
        name,
        command.help or "",
        " ".join(command.get_usage(own).removeprefix("Usage: ").split()),
        tuple([_flag(p, own) for p in command.params if p.param_type_name == "argument"]),
        tuple([_flag(p, own) for p in options if p.name not in shared and not p.hidden]),
        tuple([_flag(p, own) for p in options if p.name in shared]),
    )


def _flag(parameter: Click, context: Click) -> Flag:
    """The form of a parameter, with its choices or placeholder; its default stands at the end of its help."""
    text, help_ = parameter.get_help_record(context)
    found = _DEFAULT.search(help_)
    default = "" if found is None else found[2] if found[2] != "required" else ""
    return Flag(text, help_ if found is None else help_[: found.start()].rstrip(), default)


_DEFAULT = re.compile(r"\s*\[(default: )?([^\[\]]*)\]$")
