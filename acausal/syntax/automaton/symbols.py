"""Symbols of the grammar that the tables and their users name."""

STARTS = ("file", "statement", "lone_expression")
"""Start symbols."""
END_OF_TEXT = "$END"
"""The terminal behind the last token."""
