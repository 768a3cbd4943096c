"""The structures and kernels of the run time in the C text of a model."""
