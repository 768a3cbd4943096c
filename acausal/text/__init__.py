"""Diagnostics as text for people, on a terminal and as the text of exceptions."""
