"""The command `acausal`: commands are in `command_table.py`, exit codes in `process/session.py`."""

import gc
import sys
from collections.abc import Sequence
from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the arguments are those of the process if none are given. The exit code."""
    from acausal.cli.process.exit_codes import INTERRUPTED
    from acausal.cli.process.streams import prepare, unread, unwritable

    if arguments is None:
        gc.set_threshold(100_000)  # a process of its own keeps most of what it makes: modules, the model
        prepare()
    try:
        code = _run(sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
        sys.stderr.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return unread()
    except OSError as error:  # of the standard streams: others are reported where they happen
        return unwritable(error)
    return code


def command() -> NoReturn:
    """The command of a shell: `main`, and the process ends."""
    code = main()
    from acausal.cli.process.process_end import end_process

    end_process(code)


def _run(arguments: list[str]) -> int:
    from acausal.cli.app import app

    if any("\0" in argument for argument in arguments):  # no shell passes one, but a caller of `main` may
        from acausal.base.diagnostics import UsageError

        print("error[F006]: an argument contains a null character", file=sys.stderr)
        return UsageError.exit_code
    try:
        app(arguments, prog_name="acausal")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    return 0
