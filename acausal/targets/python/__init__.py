"""Python target: one module that depends on NumPy only."""
