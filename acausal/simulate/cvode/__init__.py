"""CVODE, from the library inside the scikit-sundae wheel.

It gets the addresses of machine code (`machine_code`, `instance`; ordinary events there: `native_events`), or is called
through Python where a part of the run is Python (`callbacks`): the same solver with the same settings.
"""
