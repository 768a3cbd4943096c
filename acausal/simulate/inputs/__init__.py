"""Inputs as expressions, tables, samples; histories of delays."""
