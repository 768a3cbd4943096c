"""Branches of nonlinear blocks: their continuation, and results beside the places where they cross."""
