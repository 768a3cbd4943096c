"""What the machine code of events (`native_events`) shares with `simulate/event_table`: a table of 64-bit words.

A word is a whole number or the address of an array.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    Words = Mapping[str, int | NDArray[np.generic]]
    """Some of them, with the arrays themselves."""

CALL = (
    *("times", "count", "number"),
    *("row_room", "rows", "row_times", "row_states", "row_held", "row_memory"),
    *("event_room", "event_count", "steps", "jacobians"),
)
"""Of one call: `times[number]` is the next of the `count` output times; up to `rows` and `event_count` are there;
`steps` and `jacobians` count what the solver forgets where it begins again."""
MOST_ROWS = 2
"""So many are made in one turn of the loop over output times and events."""
ROUTINES = ("initial", "derivatives", "events", "crossings")
SIZES = (
    "held_count",
    "results_count",
    "crossing_count",
    "watched",
    "states",
    "memory",
    "restarts",
    "announcements",
    "ticks",
    "befores",
    "goes_on",
)
"""`ticks` and `befores` are 1 where there are clocks or samples, and held values of the kind `before`; `goes_on` where
an event may leave the motion as it is (`simulate/motion`)."""
SLOTS = ("kind", "above", "at_zero", "now", "clock", "crossing", "start", "moves")
"""Of each held value: its kind, whether a relation is true above zero, and at zero; whether the derivatives read it
(`moves`); the others are those of `HeldSlot`, -1 where there is none."""
RESTARTS = ("restart_at", "restart_state")
ANNOUNCEMENTS = ("announced_at", "announced_assert")
EVENT_ROOM = (
    *("results", "later", "fresh", "direction", "was", "flag"),
    *("held_before", "held_at_first", "offset_before", "values"),
)
"""Results of `events` now and a little later; new held values; in which direction a crossing was located (0: it was
not) and what was there; samples that are due; what was before the event, and before the first instant was
solved again; three rows of crossings."""
STATE_ROOM = ("rate", "y", "moved", "taken", "memory_before")
"""The slope; states of the event, and moved ones; which `init` has given."""
SYSTEM = ("u", "p", "m", "offset", "record", "numbers")
SOLVER = ("cvode", "vector", "numbers_there", "place", "order", "roots")
FUNCTIONS = ("solve", "set_stop", "root_info", "reinit", "set_least", "set_first", "count_steps", "count_jacobians")
EVENTS = ("event_times", "event_held", "event_roots")
"""Event k is at k + WITHOUT_END - 1 (`event_rules`) of `event_times`, behind those of earlier calls."""
WORDS = (
    *(*CALL, *ROUTINES, *SIZES, *SLOTS, *RESTARTS, "restart_sign", *ANNOUNCEMENTS),
    *(*EVENT_ROOM, *STATE_ROOM, *SYSTEM, *SOLVER, *FUNCTIONS, *EVENTS),
)
PLACE = {name: number for number, name in enumerate(WORDS)}

NUMBERS = ("t", "limit", "last_row", "solver_limit", "stop", "ahead", "unending", "first_step", "found")
"""float64 at the word `numbers`: the time; that of the next event that is known; that of the last row; what CVODE must
not go beyond (NaN: nothing); the end; how far `Settling` looks ahead; within which time events do not
end; results of functions."""

KINDS = ("relation", "step", "sample", "before", "discrete", "initial")
