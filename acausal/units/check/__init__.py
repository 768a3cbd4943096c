"""Inference and check of units on the flat model; literals may have any unit, nothing is guessed.

`result_units` names for results what the check found.
"""
