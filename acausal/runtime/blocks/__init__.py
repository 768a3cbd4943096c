"""Kernels of equation blocks: linear algebra, Newton's method, branches of nonlinear blocks."""
