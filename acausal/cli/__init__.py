"""The command `acausal`: every flag is named in `commands.py`, every exit code given in `session.py`."""

import sys
from collections.abc import Sequence

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the arguments are those of the process if none are given. The exit code."""
    try:
        from acausal.cli.commands import app

        app(sys.argv[1:] if arguments is None else list(arguments), prog_name="acausal")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0
