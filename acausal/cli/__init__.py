"""The command `acausal`: every flag is named in `commands.py`, every exit code given in `session.py`."""

import gc
import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the arguments are those of the process if none are given. The exit code."""
    if arguments is None:
        gc.set_threshold(100_000)  # a process of its own keeps most of what it makes: modules, the model
    try:
        code = _run(sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return unread()
    return code


def unread() -> int:
    """Nobody reads our output any more, as with `| head`: that is no mistake, the rest goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _run(arguments: list[str]) -> int:
    from acausal.cli.commands import app

    try:
        app(arguments, prog_name="acausal")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    return 0
