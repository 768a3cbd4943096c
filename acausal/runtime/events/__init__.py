"""Kernels of events: root functions, event iteration, the loop over output times; `relations/`: values of relations."""
