"""Simulation of a compiled model."""
