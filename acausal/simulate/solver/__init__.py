"""Integrators behind one protocol, and events between their steps.

CVODE gets the addresses of machine code (`cvode_native`, `cvode_instance`; the library inside the scikit-sundae wheel);
`sundials` is the same solver called through Python, `scipy_solver` the fallback. After an event CVODE begins again,
with the lowest order and tiny steps, unless the event has changed no state and nothing that the derivatives read
(`system/derivative_inputs`): then it goes on. Chattering is named (`chattering`, `zeno`), relations at rest get a band
of the size of the solver's own errors (`rest_band`).
"""
