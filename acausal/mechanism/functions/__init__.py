"""Functions of trees of rigid bodies as expressions, and as native code.

`rigid_tree` is what they are made from: joints with the bodies behind them, every number an expression of one `Pool`.
Modules of one algorithm each give expressions (`inverse_dynamics`, `mass_matrix`, `forward_dynamics`, `kinematics`,
`jacobians`, `energies`, `constraints`, `null_space`). `function_program` lowers them by the code generator of models,
so that every function exists symbolically, as native code, for many rows at once, and in other languages
(`tree_function`).
`inverse_kinematics`, `equilibrium` and `workspace` search for positions.
"""
