"""What `acausal explain CODE` tells about one kind of mistake."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CodeEntry:
    """A kind of mistake: `title` in one line, `meaning`, a faulty `example`, how to `mend` it."""

    title: str
    meaning: str
    example: str
    mend: str
