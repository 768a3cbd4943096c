"""Kernels of sweeps: many runs of a model, without Python in between."""
