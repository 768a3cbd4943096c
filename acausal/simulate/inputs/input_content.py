"""Content of inputs, as a text that can be compared."""

import hashlib
from numbers import Real
from pathlib import Path

from acausal.base.files.regular_files import is_file
from acausal.simulate.inputs.csv_input import Table


def content_of(value: object) -> str | None:
    """Text of an expression, a number or values at times, digest of a file's content; None for functions."""
    names_file = isinstance(value, Path) or (isinstance(value, str) and value.lower().endswith(".csv"))
    if names_file and is_file(str(value)):
        return hashlib.sha256(Path(str(value)).read_bytes()).hexdigest()
    if isinstance(value, Real):
        return repr(float(value))
    return str(value) if isinstance(value, str | Path | Table) else None
