"""Array variables and equations to scalar ones.

Connections of frames equate whole arrays: `array_aliases` removes arrays that equal another one before elements are
made, and with given outputs `dead_arrays` those that nothing else needs. Equations keep the names of merged arrays;
who reads them asks `element_names.stands_for`. `symmetry` finds square arrays that stay symmetric by their equations,
of which `scalarize` keeps the lower triangle. Elements that an equation makes constant are substituted at once. The
inverse of one number is its reciprocal, so that it cancels.

Few operations are a matter of all stages: `aliases` looks again at equations in which something became zero or equal,
`Pool.add` opens a sum that holds the negative of another term, `codegen/optimize` takes common factors out of sums,
and with given outputs computes once what is equal by algebra. The text of the multibody libraries is general; zeros
and ones of the axes make it cheap (`tests/multibody/test_counts.py` bounds the operations).
"""
