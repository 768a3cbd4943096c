"""Derivatives of trajectories, event times and objectives with respect to parameters."""
