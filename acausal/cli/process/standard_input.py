"""A model that comes by standard input, where a command is given `-` for a file."""

import sys
from pathlib import Path

from acausal.base.options import Limits

DASH = "-"
SHOWN = Path("<stdin>")
"""Name of standard input in messages."""


def source_of(file: Path, limits: Limits) -> tuple[Path, str | None]:
    """The file and no text, or for `-` a name and the text of standard input; F002, L001 as for a file."""
    if str(file) != DASH:
        return file, None
    from acausal.syntax.read import decoded, within_limit

    data = within_limit(sys.stdin.buffer.read(limits.file_length + 1), str(SHOWN), limits)
    return SHOWN, decoded(data, str(SHOWN)).text
