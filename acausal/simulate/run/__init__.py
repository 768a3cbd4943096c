"""A run from the first instant to the last row."""
