"""Structural algorithms on integers: matching, index reduction, sorting, tearing, orderings."""
