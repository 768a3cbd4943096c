"""Integrators behind one protocol, and events between their steps.

CVODE has a folder of its own (`simulate/cvode`); `scipy_solver` is the fallback. After an event CVODE begins again,
with the lowest order and tiny steps, unless the event has changed no state and nothing that the derivatives read
(`system/derivative_inputs`): then it goes on. Chattering is named (`chattering`, `zeno`), relations at rest get a band
of the size of the solver's own errors (`rest_band`).
"""
