"""Symbolic solution of blocks."""
