"""Kinematic loops and other redundant constraints.

An overconstrained loop loses closures: `open_chain` makes formulas of all places with the loops open,
`redundant_closures` finds where they close and which closures follow from the others there (off the closures such a
loop looks regular), `drop_closures` leaves these out and sets as many forces to zero, `undetermined_forces` others
where these leave some open. Redundant constraints outside of loops are left out by `reactions`, which adds that the
reactions left open have minimum norm.
"""
