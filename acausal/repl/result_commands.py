"""Commands over the last result: `plot` and `write`."""

import re

from acausal.repl.model import Model
from acausal.repl.state import misunderstood
from acausal.repl.values import names_in

_FILE_AND_NAMES = re.compile(r"(.+?\.(?:csv|npz|mat|parquet))(?:\s+(.*))?", re.IGNORECASE)
"""The name of a file may have blanks."""


def plot(model: Model, rest: str) -> str:
    """`plot x y figure=FILE.png`."""
    from acausal.results.plot_request import plot_words

    return plot_words({model.result.name: model.result}, names_in(rest), model.color)


def write(model: Model, rest: str) -> str:
    """`write FILE.csv x`."""
    if not rest.strip():
        raise misunderstood("write needs a file name", "write FILE.csv x R.*")
    found = _FILE_AND_NAMES.fullmatch(rest.strip())
    file, names = (found[1], names_in(found[2] or "")) if found else (rest.strip(), [])
    model.result.write(file, names or None)
    return f"written: {file}"
