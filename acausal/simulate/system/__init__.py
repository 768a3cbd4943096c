"""The compiled model as the solvers see it."""
