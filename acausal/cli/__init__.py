"""The command `acausal`: every flag is named in `commands.py`, every exit code given in `session.py`."""

import gc
import sys
from collections.abc import Sequence

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the arguments are those of the process if none are given. The exit code."""
    if arguments is None:
        gc.set_threshold(100_000)  # a process of its own keeps most of what it makes: modules, the model
    try:
        from acausal.cli.commands import app

        app(sys.argv[1:] if arguments is None else list(arguments), prog_name="acausal")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0
