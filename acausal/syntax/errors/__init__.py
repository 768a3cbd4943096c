"""Syntax errors in the user's words."""
