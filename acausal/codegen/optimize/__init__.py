"""Optimizations of straight-line programs."""
