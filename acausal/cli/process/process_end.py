"""The end of a process of our own."""

import atexit
import os
import sys
import threading
from contextlib import suppress
from typing import NoReturn


def end_process(code: int) -> NoReturn:
    """End the process with this code as `sys.exit` does, but without freeing what it holds.

    To free a million objects one after the other takes longer than a short run. What was registered with `atexit` is
    done first. The interpreter ends in its own way where other threads are at work, or a profiler, debugger or
    measurement of coverage waits for that.
    """
    if threading.active_count() > 1 or _is_watched():
        sys.exit(code)
    atexit._run_exitfuncs()  # noqa: SLF001 - the interpreter's own function, which clears what it has called
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # `main` has reported that a stream cannot be written
            stream.flush()
    _flush_library()
    os._exit(code)


def _flush_library() -> None:
    """Flush what libraries have printed through the C library: that has a buffer of its own."""
    ctypes = sys.modules.get("ctypes")
    if ctypes is not None:
        with suppress(OSError, AttributeError):
            ctypes.CDLL("ucrtbase" if hasattr(ctypes, "WinDLL") else None).fflush(None)


def _is_watched() -> bool:
    if sys.gettrace() is not None or sys.getprofile() is not None:
        return True
    monitoring = getattr(sys, "monitoring", None)  # from Python 3.12 on
    return monitoring is not None and any(monitoring.get_tool(number) is not None for number in range(6))
