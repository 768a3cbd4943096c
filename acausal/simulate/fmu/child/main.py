"""Reads requests and answers them, until the host has gone."""

import ctypes
import json
import os
import struct
import sys
from collections.abc import Callable, Mapping, Sequence

from acausal.simulate.fmu.child.api import FailureError
from acausal.simulate.fmu.child.instance import Instance
from acausal.simulate.fmu.child.protocol import COMPLETED, DERIVATIVE, EVALUATE, EVENT, HEAD, LOAD, START, STEP

Ways = Mapping[int, Callable[[Sequence[float]], list[float]]]
_LONGEST = 2000
"""Bytes of a message."""
_DIE_WITH_PARENT, _KILL = 1, 9


def main() -> None:
    """The process; the FMU may print, but nobody sees it."""
    if sys.platform == "linux":  # also where the FMU hangs
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, _KILL)
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    ways: Ways = {}
    while True:
        command, count = HEAD.unpack(_read(source, HEAD.size))
        data = _read(source, count if command == LOAD else 8 * count)
        try:
            if command == LOAD:
                ways, found = _loaded(data), []
            else:
                found = ways[command](struct.unpack(f"={count}d", data))
            answer = HEAD.pack(0, len(found)) + struct.pack(f"={len(found)}d", *found)
        except (FailureError, OSError, AttributeError, OverflowError, ValueError) as error:
            text = str(error).encode("utf-8", "replace")[:_LONGEST]
            answer = HEAD.pack(1, len(text)) + text
        while answer:
            answer = answer[os.write(target, answer) :]


def _loaded(data: bytes) -> Ways:
    instance = Instance(json.loads(data))
    ways = {START: instance.start, EVALUATE: instance.evaluate, EVENT: instance.event}
    return {**ways, STEP: instance.step, DERIVATIVE: instance.derivative, COMPLETED: instance.completed}


def _read(source: int, count: int) -> bytes:
    """So many bytes; the process ends with its host."""
    data = b""
    while len(data) < count:
        more = os.read(source, count - len(data))
        if not more:
            os._exit(0)
        data += more
    return data
