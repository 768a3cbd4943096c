"""CVODE, from the library inside the scikit-sundae wheel.

It gets the addresses of machine code (`machine_code`, `instance`; ordinary events there: `native_events`): no Python
runs between its steps.
"""
