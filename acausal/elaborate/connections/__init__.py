"""Connect statements to connection sets and equations.

`close_loops` and `spanning_forest` put instances of closing classes where directed submodels form a loop.
"""
