"""Characteristics and maps: points from files, and expressions through points."""
