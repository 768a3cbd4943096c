"""Syntax tree from parsed rules, and back to text."""
