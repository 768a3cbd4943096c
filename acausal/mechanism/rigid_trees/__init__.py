"""Trees of rigid bodies by symbols: what the functions of a mechanism are made from.

`rigid_tree` has the joints with the bodies behind them, every number an expression of one `Pool`; `joint_motion` is
their relative motion, `across` the directions that a joint does not move in, `vectors` the algebra of three
components, and `configurations` integrates velocities to positions.
"""
