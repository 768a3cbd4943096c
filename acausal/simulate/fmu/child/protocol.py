"""Requests and answers between the process of an FMU and its host.

Request: command and count as 32-bit numbers, then so many 64-bit floats; of LOAD, so many bytes of a text in JSON, the
description of what is to be loaded. Answer: status and count, then floats, or where status is not 0 the bytes of a
message.

An instant is a saved state of the FMU; 0 is that behind the initialization, in which no event has been treated.
"""

import struct
from typing import TypedDict

HEAD = struct.Struct("=ii")
LOAD, START, EVALUATE, EVENT, STEP, DERIVATIVE, COMPLETED = range(7)
RATES, OUTPUTS, INDICATORS = 1, 2, 4
"""Parts of what EVALUATE is asked for, a sum of them."""
NEVER = 1e300
"""Time of an event that does not come."""

Entries = list[tuple[int, str, int]]
"""Variables that are set or read together: value reference, type of FMI, number of elements."""


class About(TypedDict):
    """Description of what LOAD loads; `defaults` are the values of parameters."""

    version: int
    library: str
    cosimulation: bool
    token: str
    name: str
    resources: str
    start: float
    stop: float
    tolerance: float
    has_state: bool
    needs_steps: bool
    states: int
    indicators: int
    parameters: Entries
    inputs: Entries
    continuous: Entries
    events: Entries
    outputs: Entries
    discrete: Entries
    defaults: list[float]
