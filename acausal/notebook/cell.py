"""A cell that begins with `%%mdl`: its options, and the translation of the model in it."""

import builtins
import keyword
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.near_names import near_name

if TYPE_CHECKING:
    from acausal.translation import Translation

USAGE = "%%mdl [NAME] [--model M] [--known x,y] [--unknown u] [--outputs x,y] [--set p=1] [--path DIR]"
OPTIONS = ("model", "known", "unknown", "outputs", "set", "path")
REPEATED = ("set", "path")
CELL = Path("<cell>")
"""Name of a cell in messages; its number is not known while it runs."""
RESERVED = ("In", "Out", "get_ipython", "exit", "quit")
"""Names that belong to IPython."""


def translate_cell(line: str, cell: str) -> "tuple[str, Translation]":
    """Translate the model in the cell and assign it to a Python variable.

    %%mdl [NAME] [--model M] [--known x,y] [--unknown u] [--outputs x,y] [--set p=1] [--path DIR]

    The variable is called NAME, or else as the model. The other options are those of `acausal translate`.
    """
    from acausal.cached import translate

    name, given = _arguments(line)
    parameters = dict([_pair(text) for text in given.get("set", ())])
    translation = translate(
        CELL,
        model=given["model"][-1] if "model" in given else None,
        known=_listed(given.get("known", ())),
        unknown=_listed(given.get("unknown", ())),
        outputs=_listed(given.get("outputs", ())),
        parameters=parameters,
        path=given.get("path", ()),
        text=f"\n{cell}",  # the line of %%mdl: errors show lines of the cell
    )
    return _variable(name or translation.name, given=name is not None), translation


def _arguments(line: str) -> tuple[str | None, dict[str, list[str]]]:
    """NAME, and the values of the options."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise _wrong(f"{line.strip()}: {str(error).lower()}") from None
    name, given = None, dict[str, list[str]]()
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            if name is not None:
                raise _wrong(f"%%mdl takes one name, not {name} and {word}")
            name = word
            continue
        option, equals, value = word.removeprefix("--").partition("=")
        if option not in OPTIONS or not word.startswith("--"):
            near = near_name(option, OPTIONS)
            raise _wrong(f"unknown option {word} of %%mdl", f"did you mean --{near}?" if near else USAGE)
        text = value if equals else next(rest, None)
        if not text:
            raise _wrong(f"--{option} needs a value")
        if option in given and option not in REPEATED:
            raise _wrong(f"--{option} is given twice")
        given.setdefault(option, []).append(text)
    return name, given


def _pair(text: str) -> tuple[str, float]:
    from acausal.given_number import given_number, number_hint

    name, _, value = text.partition("=")
    number = given_number(value)
    if number is None:
        raise _wrong(f"--set {text} is not of the form NAME=NUMBER", number_hint(value) or USAGE)
    return name.strip(), number


def _listed(texts: "list[str] | tuple[()]") -> list[str]:
    """Names separated by commas."""
    return [name.strip() for text in texts for name in text.split(",") if name.strip()]


def _variable(name: str, *, given: bool) -> str:
    """The name, if a Python variable may have it without hiding anything."""
    taken = name in RESERVED or hasattr(builtins, name) or keyword.iskeyword(name)
    if not name.isidentifier() or taken or name.startswith("_"):
        why = "Python or IPython needs this name" if taken else "not a name of a Python variable"
        hint = None if given else "name the variable: %%mdl NAME"
        raise _wrong(f"{name}: {why}", hint or "choose another name")
    return name


def _wrong(message: str, hint: str = USAGE) -> UsageError:
    return UsageError(Diagnostic("F006", message, help=hint))
