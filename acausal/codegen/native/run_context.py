"""The structure on which machine code of many runs (`native_runs`) works, made by `sweep/quick`.

It begins with the fields of `LoopContext`, of which a quiet model has those that other code uses, too.
"""

from acausal.runtime.context import LoopContext
from acausal.runtime.kernel.signature import fields

CALL = ("run_count", "done", "steps_made", "most_steps", "given", "table")
"""Of one call: `given` are the values of so many runs, `table` gets their columns; `done` runs are in it, which took
`steps_made`: when these are `most_steps`, no further run begins."""
ROUTINES = ("setup", "variables", "cvode_rows", "variables_many", "cvode_crossings")
EVENTS = ("start_events", "begin_events", "run_events")
"""The functions of `native_events`, 0 where nothing happens but the motion of states."""
SIZES = (
    *("names", "parameters", "system_size", "found_count", "output_times", "stored_size"),
    *("limited_count", "folded_count", "rate_count", "condition_count", "column_count", "fixed_tolerances"),
)
"""`fixed_tolerances` is 1 where the solver cannot take others."""
PARAMETERS = ("usual", "is_given", "places", "limited", "low", "high", "folded", "expected")
"""Usual values; those that are given, and where in p; limits, and values that the equations have, where in p."""
LIMITS = ("nominal", "rates")
"""Positions in p of the nominal value of each state (-1: none), and of the angular velocities of sines of time."""
CONDITIONS = ("condition_at", "condition_asserts")
COLUMNS = ("column_at", "column_apart", "column_kind", "column_sign")
"""Of each column: the address of its first value, how many numbers further on that of the next row is."""
ROOM = ("grid", "system_numbers", "setup_room", "first_states", "slope", "wanted", "stored")
SOLVER = ("user", "absolute", "tolerances", "set_tolerances", "set_longest", "set_roots")
_OWN = (*CALL, *ROUTINES, *EVENTS, *SIZES, *PARAMETERS, *LIMITS, *CONDITIONS, *COLUMNS, *ROOM, *SOLVER)
NUMBERS = ("longest", "start_time", "shortest", "relative", "nominal_share", "small", "steps_in_period")
WORDS = (*fields(LoopContext), *_OWN, *NUMBERS)
PLACE = {name: number for number, name in enumerate(WORDS)}
"""NUMBERS are float64: the longest step set in the solver; its shortest step; its tolerances, the
absolute ones as a share of nominal values, which are `small` where there are none."""

FINAL, SMALLEST, LARGEST = range(3)
"""Kinds of columns."""
ODD, SPOILT = 1, 2
"""Results of the code for a run that needs the fallback, and for one after which the solver is not used again."""
