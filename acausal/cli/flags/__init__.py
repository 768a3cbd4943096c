"""Flags of commands, and what they ask for."""
