"""Functions of trees of rigid bodies as expressions, and as native code.

They are made from the trees of `mechanism/rigid_trees`. Modules of one algorithm each give expressions
(`inverse_dynamics`, `mass_matrix`, `forward_dynamics`, `kinematics`, `jacobians`, `energies`, `constraints`,
`null_space`). `function_program` lowers them by the code generator of models, so that every function exists
symbolically, as native code, for many rows at once, and in other languages (`tree_function`). `inverse_kinematics`,
`equilibrium` and `workspace` search for positions.
"""
