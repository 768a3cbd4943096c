"""Kinematic loops and other redundant constraints."""
