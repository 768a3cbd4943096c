"""Kernels of relations: discrete values, the fixed point with the variables, consistency, relations at rest."""
