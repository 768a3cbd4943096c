"""Entry of `acausal explain CODE` for one kind of mistake."""

from acausal.base.frozen import dataclass

CHECK = "acausal check example.mdl"


@dataclass(frozen=True, slots=True)
class CodeEntry:
    """A kind of mistake: `title` in one line, `meaning`, a faulty `example`, how to `fix` it.

    The example is the text of a file example.mdl, empty where none is needed, further files after lines
    `--- NAME`; `command` is what tells of the mistake in it, empty where no single command does.
    """

    title: str
    meaning: str
    example: str
    fix: str
    command: str = CHECK
