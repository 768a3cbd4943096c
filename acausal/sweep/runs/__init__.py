"""Runs that are done, in portions, and the limit of their time."""
