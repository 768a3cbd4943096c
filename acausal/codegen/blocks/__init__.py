"""Blocks of equations in the text of programs, whatever the language."""
