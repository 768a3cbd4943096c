"""Canonical text of expressions, flat models and programs."""
