"""Limits of events, the same in Python (`simulate/solver/event_iteration`) and in machine code (`native_events`)."""

NEAR = 1e-12
"""Times that differ by this share are one time."""
MOST_PASSES, PASSES_EACH = 200, 10
"""So many passes an event may take, or so many for each frozen value, unless the user says another number."""
MOST_FIRST_INSTANTS = 50
"""So often the first instant is solved until relations agree with it."""
ALL_AT_ONCE = 12
"""Passes in which every relation that disagrees is changed, before only the first one is."""
MOST_RELATION_PASSES = 2000
UNCHANGED = 1e-9
"""A located crossing stays one as long as what crosses is that near to its value there, relatively."""
STEPS_IN_PERIOD = 16.0
"""A solver makes at least so many steps in the period of a sine of time: it could not see what it steps over."""
SEEN = 1e-13
"""A change that is smaller against its values is rounding."""
SMALL = 0.01
"""A value below which a state without nominal value counts as small: its error is then absolute, no longer relative."""
SIMULTANEOUS = 1e-4
"""Share of the look-ahead time within which a function that reaches zero counts as zero."""
AHEAD = 1e-8
"""Look-ahead time for the direction of a crossing, as a share of the whole time."""
FIRST_CHECK = 1e-6
"""From a beginning on sines are evaluated after this share of the whole time (`phase_checks`)."""
TURN = 16.0
"""Angles are compared modulo this number."""
LEAST = 1e-200
"""Next to zero: a function that is zero throughout never crosses."""
ASIDE = 1e-10
"""Relative distance from zero at which a function on the wrong side starts on its own side."""
FIRST_STEP = 1e-4
"""The first step, as a share of the whole time, where blocks may move faster than states."""
SHORT = 1e-5
"""A share of the whole time so short that a solver may not see it at its start."""
SHARE_OF_FLIGHT = 0.1
"""The first step may be as long as this share of the time in which something comes back."""
CLOSEST = 1e-15
"""No solver can go a shorter way than this share of the time."""
SHORTEST = 1e-15
"""The shortest step as a share of the time where the solver begins: a shorter one would not change the time at all."""
DIFFERENCE = 2.0**-26
"""For differences a state is moved by this share of itself, or of its scale where that is larger.

(J. E. Dennis, R. B. Schnabel, Numerical Methods for Unconstrained Optimization, 1983, section 5.4.)"""
STALLED = 200
"""So many calls for one time, four Jacobians besides, no steps that change the time make."""
ROUNDING = 2.0**-50
"""Times that differ by less, as a share, are one for `STALLED`."""
WITHOUT_END = 24
WITHIN = 1e-9
"""So many events within this share of the whole time do not end."""
MOST_ROWS = 2
"""So many rows are made in one turn of the loop over output times and events."""

WELL_CONDITIONED, ILL_CONDITIONED, NEARLY_ILL_CONDITIONED = range(3)
"""Verdicts on the selected states; the last one asks for judgements at each step."""
