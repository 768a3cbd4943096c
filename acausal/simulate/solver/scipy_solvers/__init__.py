"""Solvers of `scipy.integrate`, for runs in which Python goes from event to event and for Python modules."""
