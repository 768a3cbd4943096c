"""All codes of errors, warnings and notes, gathered from one table a stage.

Imported only where titles are shown and by tests: raising an error needs the code alone.
"""

from importlib import import_module

from acausal.codes.entry import CodeEntry

STAGES = {
    "F": "files",
    "P": "parsing",
    "N": "names",
    "T": "values",
    "C": "cuts",
    "U": "units",
    "B": "balance",
    "S": "structure",
    "I": "initial",
    "E": "events",
    "R": "running",
    "L": "limits",
    "W": "sweeps",
    "A": "analyses",
    "M": "mechanisms",
}
"""The module of each stage, by the letter its codes begin with."""


def all_codes() -> dict[str, CodeEntry]:
    """Every code with its entry, in the order of the stages."""
    table: dict[str, CodeEntry] = {}
    for stage in STAGES.values():
        table |= import_module(f"acausal.codes.{stage}").CODES
    return table
