"""Kernels of events: discrete values, root functions, event iteration, the loop over output times."""
