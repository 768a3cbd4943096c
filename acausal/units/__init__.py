"""Units and dimensions: their table, texts, names and conversion.

A scale factor is a product of powers of primes, so mm against m is a clash like V against A. `check/` infers the units
of a model and finds contradictions.
"""
