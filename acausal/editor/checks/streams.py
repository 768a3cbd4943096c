"""Standard output as a channel of messages, into which nothing else may be printed."""

import os
import sys
from typing import BinaryIO


def own_output() -> BinaryIO:
    """The channel that standard output was; what is printed from now on goes to the error stream.

    Only for a process that serves messages and nothing else.
    """
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return channel
