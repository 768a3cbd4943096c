"""Explanations of failed solutions and searches for others."""
