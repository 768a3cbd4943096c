"""Symbolic solution of blocks.

A block of the sorted system becomes `Assign` steps where a formula is known, else it is torn. Tearing uses only pivots
that cannot vanish: numbers, products of parameters, reciprocals. In linear blocks tearing variables that the others
determine are taken back (`structure/tear_reduction`), and in small ones two are exchanged for one
(`structure/exchange_tears`), so that the cut forces of a mechanism's loops are left, with `mbsinv.lib` also
accelerations; integer programming finds nothing smaller (`tests/multibody/test_loop_sizes.py`). In nonlinear blocks
coordinates are preferred, and places guessed from them (`initial/start_values`).

Up to three tearing variables of a linear block are solved by formula, more at run time: as a narrow band, where some
order of rows and columns makes the matrix one (inner unknowns are assigned breadth first for it,
`structure/breadth_first`), else densely. A matrix of parameters alone is factored once. Blocks with many coefficients
that switch at run time are reduced by `sparse_elimination` first. Nonlinear blocks are solved by Newton's method in the
tearing variables with the exact Jacobian. Where the chain of inner unknowns would magnify rounding errors, it is cut by
a further tearing variable (`conditioning_cuts`).
"""
