"""Numbers by which events are done: the same in Python (`simulate/instant`) and in machine code (`native_events`)."""

NEAR = 1e-12
"""Times that differ by this share are one time."""
MOST_PASSES = 200
MOST_BEGINNINGS = 50
"""So often machine code solves the first instant until relations agree with it."""
ALL_AT_ONCE = 12
"""Passes in which every relation that disagrees is changed, before only the first one is."""
MOST_SETTLING = 2000
UNCHANGED = 1e-9
"""A located crossing stays one as long as what crosses is that near to its value there, relatively."""
SEEN = 1e-13
"""A change that is smaller against its values is rounding."""
AHEAD = 1e-8
"""How far, as a share of the whole time, one looks ahead to see where a crossing goes."""
LEAST = 1e-200
"""Next to zero: a function that is zero throughout never crosses."""
ASIDE = 1e-10
"""What is on the wrong side begins so near to zero on its own, relatively."""
SHORT = 1e-5
"""A share of the whole time so short that a solver may not see it at its start."""
SHARE_OF_FLIGHT = 0.1
"""The first step may be as long as this share of the time in which something comes back."""
CLOSEST = 1e-15
"""No solver can go a shorter way than this share of the time."""
SHORTEST = 1e-15
"""The shortest step as a share of the time where the solver begins: a shorter one would not change the time at all."""
WITHOUT_END = 24
WITHIN = 1e-9
"""So many events within this share of the whole time do not end."""
