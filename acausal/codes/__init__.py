"""All codes of errors, warnings and notes, gathered from one table a subject.

Imported only where titles are shown and by tests: raising an error needs the code alone.
"""

from importlib import import_module

from acausal.codes.entry import CodeEntry

STAGES = {
    "F": ("files", "exchange"),
    "P": ("parsing",),
    "N": ("names",),
    "T": ("values",),
    "C": ("cuts",),
    "U": ("units",),
    "B": ("structure",),
    "S": ("structure",),
    "I": ("initial",),
    "E": ("events",),
    "R": ("running", "exchange"),
    "L": ("limits",),
    "W": ("sweeps",),
    "A": ("analyses", "saved_states"),
    "M": ("mechanisms",),
}
"""The modules of each stage, by the letter its codes begin with."""


def all_codes() -> dict[str, CodeEntry]:
    """Every code with its entry, in the order of the stages and of their numbers."""
    table: dict[str, CodeEntry] = {}
    for letter, subjects in STAGES.items():
        found: dict[str, CodeEntry] = {}
        for subject in subjects:
            found |= import_module(f"acausal.codes.{subject}").CODES
        table |= {code: found[code] for code in sorted(found) if code[0] == letter}
    return table
