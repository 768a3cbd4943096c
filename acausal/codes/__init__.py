"""All codes of errors, warnings and notes, gathered from one table a stage.

Imported only by `explain` and by tests: raising an error needs the code alone.
"""

from importlib import import_module

from acausal.codes.entry import CodeEntry

STAGES = (
    "files",
    "parsing",
    "names",
    "values",
    "cuts",
    "units",
    "balance",
    "structure",
    "initial",
    "running",
    "limits",
)


def all_codes() -> dict[str, CodeEntry]:
    """Every code with its entry, in the order of the stages."""
    table: dict[str, CodeEntry] = {}
    for stage in STAGES:
        table |= import_module(f"acausal.codes.{stage}").CODES
    return table
