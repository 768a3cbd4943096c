"""Units and dimensions: table, parser, inference and check on the flat model.

A scale factor is a product of powers of primes, so mm against m is a clash like V against A; literals may have any
unit; nothing is guessed. `result_units` names for results what the check found.
"""
