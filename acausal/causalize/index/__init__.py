"""Index reduction and selection of states.

`plan/causalize` goes from `reduce_index` to `sort` in rounds: what the numbers of a round show is part of the next.
`numeric_rank` evaluates the coefficients of each block (`symbolic/slopes`, `structure/null_space`): dependent equations
are explained, or `hidden_constraints` makes the constraint of them that structure did not see (else `augment_system`);
contradictions are proved by what is left of the sum. Where a relation leaves an equation without unknowns in one mode,
`mode_dependent_index` differentiates it there and `impulses` lets the states meet it.

Derivatives given by hand replace an equation in `structure/pantelides`; `dependency_closure` leads the equation before
through what determines its variables, so that states are selected by the total derivative, at the start and at a
`generic_point`; `combined_derivatives` finds those whose elements are combinations of the elements before, at a
`consistent_point`. `structure/dummy` lets an equation of places that are no integrals of velocities (the length of a
quaternion) choose together with the closures that speak of them.
"""
