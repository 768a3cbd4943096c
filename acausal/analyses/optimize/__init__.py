"""Optimization: controls over time by direct collocation, parameters by gradients of runs.

`functionals` reads objectives and constraints, numbers made of trajectories: `integral(u^2) + final(x)`. For controls
`transcription` makes a nonlinear program of them and of the equations, whose values and exact derivatives at all nodes
are computed by machine code in one call (`node_functions`); `ipopt` or `scipy_method` solve it, and `optimal_control`
simulates the model with the controls found.
"""
