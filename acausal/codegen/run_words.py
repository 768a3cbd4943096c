"""What the machine code of many runs (`native_runs`) shares with `sweep/quick`: a table of 64-bit words.

A word is a whole number or the address of an array.
"""

CALL = ("count", "done", "steps", "most_steps", "given", "table")
"""Of one call: `given` are the values of `count` runs, `table` gets their columns; `done` runs are in it, which took
`steps`: when these are `most_steps`, no further run begins."""
ROUTINES = ("setup", "initial", "derivatives", "cvode_rows", "variables_many", "variables")
SIZES = (
    *("names", "parameters", "memory_size", "memory", "states", "found_count", "output_times", "stored_size"),
    *("limited_count", "folded_count", "rate_count", "condition_count", "column_count", "fixed_tolerances"),
)
"""`fixed_tolerances` is 1 where the solver cannot take others."""
PARAMETERS = ("usual", "is_given", "places", "limited", "low", "high", "folded", "expected")
"""Usual values; those that are given, and where in p; limits, and values that the equations have, where in p."""
LIMITS = ("nominal", "rates")
"""Where in p the nominal value of each state is, -1: there is none; and the angular velocities of sines of time."""
CONDITIONS = ("condition_at", "condition_asserts")
COLUMNS = ("column_at", "column_apart", "column_kind", "column_sign")
"""Of each column: the address of its first value, how many numbers further on that of the next row is."""
ROOM = ("p", "m", "setup_room", "found", "slope", "wanted", "times", "row_states", "row_memory", "stored", "numbers")
SOLVER = ("cvode", "vector", "numbers_there", "place", "order", "user", "absolute", "tolerances")
FUNCTIONS = ("solve", "set_stop", "reinit", "set_tolerances", "set_longest", "count_steps")
WORDS = (*CALL, *ROUTINES, *SIZES, *PARAMETERS, *LIMITS, *CONDITIONS, *COLUMNS, *ROOM, *SOLVER, *FUNCTIONS)
PLACE = {name: number for number, name in enumerate(WORDS)}

NUMBERS = ("t", "longest", "start", "stop", "shortest", "relative", "nominal_share", "small", "steps_in_period")
"""float64 at the word `numbers`: where the solver is, and the longest step that it was told; its shortest step; its
tolerances, the absolute ones as a share of nominal values, which are `small` where there are none."""

FINAL, SMALLEST, LARGEST = range(3)
"""Kinds of columns."""

ODD, SPOILT = 1, 2
"""What the code says of a run that is out of the ordinary, and of one after which the solver is not used again."""
