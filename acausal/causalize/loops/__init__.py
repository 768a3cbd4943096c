"""Redundant constraints, of closed kinematic loops and all others.

`open_chain` makes formulas of all places and velocities without the constraints, `redundant_constraints` finds where
they hold and which of them follow from the others there (elsewhere an overconstrained mechanism looks regular).
`relieve` removes and asserts these; `open_reactions` has the null space of the reactions that this leaves open, and
which of them count in the norm; `minimum_norm` the equations for the shortest ones. `redundant_modes` finds constraints
that are redundant in some mode only: their blocks are solved with minimum norm during the run; `held_shafts` those
that are formulas of one unknown, as what they hold is held by a drive or a support.
"""
