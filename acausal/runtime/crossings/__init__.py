"""Crossings of root functions within a step: the first one, and two in a row."""
