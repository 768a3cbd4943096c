"""Jacobians of the states: storage, sparsity, exact and by differences."""
