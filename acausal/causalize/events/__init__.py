"""Relations, discrete variables, samples and delays as known values of the continuous equations.

`lift_events` replaces relations, `floor`, discrete variables and the like by leaves with values that are frozen between
events: the equations see them as known, so that all later stages stay as they are. A switch whose branches agree where
its relation changes (`continuity`) needs no frozen value: `unfreeze` lets the steps read the relation itself, unless a
linear loop depends on what it decides. Its crossing is still located, and the solver begins again behind the kink.
Branches with roots, logarithms or quotients are guarded by the relation as well as by its frozen value, so that trial
steps beyond the crossing never evaluate them.
"""
