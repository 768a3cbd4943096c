"""Gradients by the adjoint equations: one run forwards and one backwards, for any number of parameters."""
