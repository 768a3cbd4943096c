"""Expressions of the language to expressions of the intermediate representation."""
