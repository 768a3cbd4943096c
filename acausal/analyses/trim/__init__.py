"""Trim: operating points at which outputs have given values."""
