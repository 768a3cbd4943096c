"""Symbols of the grammar that the tables and their users name."""

STARTS = ("file", "statement", "lone_expression")
"""Start symbols."""
END_OF_TEXT = "$END"
"""The terminal behind the last token."""
QUANTITY = "QUANTITY"
"""The terminal that has no pattern: numbers with units, which the lexer makes."""
