"""A command of the session as data: help, completion and dispatch read the same table."""

from collections.abc import Callable
from enum import Enum, auto

from acausal.base.frozen import dataclass
from acausal.base.near_names import unknown_name
from acausal.repl.model import Model
from acausal.repl.state import misunderstood

END = ("quit", "exit", "stop")
"""Words that end the session."""


class Kind(Enum):
    """Names that an argument may have, for completion."""

    FILE = auto()
    VARIABLE = auto()
    PARAMETER = auto()
    INPUT = auto()
    CLASS = auto()
    COMMAND = auto()


@dataclass(frozen=True, slots=True)
class Command:
    """`usage` and `about` are the text of `help`.

    `words` are offered as arguments: words and options as they are written, and names of some kind. Of `first` words
    one comes before all others. The answer to a command that is `listing` is text of the language.
    """

    usage: str
    about: str
    run: Callable[[Model, str], str]
    words: tuple[str | Kind, ...] = ()
    first: tuple[str, ...] = ()
    listing: bool = False

    @property
    def takes_file(self) -> bool:
        """True if an argument is the name of a file, which ends with the line."""
        return Kind.FILE in self.words


def need_nothing(command: str, rest: str) -> None:
    """UsageError F010 if a command that takes no arguments is given any."""
    if rest.strip():
        raise misunderstood(f"{command} takes no arguments", command)


def need_variable(model: Model, name: str) -> None:
    """UsageError F005 if the model has no such variable."""
    if name in model.variable_names():
        return
    if name in model.parameters():
        raise misunderstood(f"{name} is a parameter, not a variable", f"set {name}=1 gives it a value")
    raise unknown_name("variable", name, model.variable_names())
