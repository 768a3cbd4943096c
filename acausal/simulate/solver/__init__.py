"""Integrators behind one protocol, and events between their steps."""
