"""Derivatives of programs in forward mode."""
