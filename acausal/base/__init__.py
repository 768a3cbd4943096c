"""Foundations that every part may use: sources, diagnostics, options, files, caches."""
