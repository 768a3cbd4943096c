"""Pairs of models that say the same in different words must have the same results."""
