"""Derivatives of trajectories, times of events and objectives by parameters."""
