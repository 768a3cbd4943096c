"""Functional mock-up units: the archive and its model description, read without executing anything.

Sources: FMI 2.0.4 and 3.0.1 (fmi-standard.org). What is wrong with a file is an `FmuError`; who names the file in a
model adds the place there.
"""
