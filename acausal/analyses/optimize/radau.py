"""Radau IIA collocation with three stages, of order 5.

E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd edition 1996, table 5.6 on page 74.
"""

from math import sqrt

_S = sqrt(6.0)
NODES = ((4 - _S) / 10, (4 + _S) / 10, 1.0)
"""Times of the stages within an interval."""
STAGES = (
    ((88 - 7 * _S) / 360, (296 - 169 * _S) / 1800, (-2 + 3 * _S) / 225),
    ((296 + 169 * _S) / 1800, (88 + 7 * _S) / 360, (-2 - 3 * _S) / 225),
    ((16 - _S) / 36, (16 + _S) / 36, 1 / 9),
)
"""Stage i is x + h*sum(STAGES[i][j]*f_j); the last one is the state at the end of the interval."""
WEIGHTS = STAGES[-1]
