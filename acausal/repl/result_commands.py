"""Commands over the last result: `plot` and `write`."""

import re

from acausal.repl.model import Model
from acausal.repl.names import Names
from acausal.repl.state import misunderstood
from acausal.repl.values import names_in, number_of

_FILE_AND_NAMES = re.compile(r"(.+?\.(?:csv|npz|mat|parquet))(?:\s+(.*))?", re.IGNORECASE)
"""The name of a file may have blanks."""


_RESULT_FILE = re.compile(r".+\.(?:csv|npz|mat|parquet)", re.IGNORECASE)


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


def animate(model: Model, rest: str) -> str:
    """`animate FILE.html`."""
    if not rest.strip():
        raise misunderstood("animate needs a file name", "animate FILE.html")
    model.result.animate(rest.strip())
    return f"written: {rest.strip()}"


def compare(model: Model, rest: str) -> str:
    """`compare FILE x y tolerance=1e-3`: the last result with a file, or with the result before it."""
    from acausal.results.read import read

    words = names_in(rest)
    options = {key: value for key, _, value in [word.partition("=") for word in words] if value}
    wrong = [name for name in options if name != "tolerance"]
    if wrong:
        raise misunderstood(f"unknown option of compare: {wrong[0]}", "compare [FILE] [x y] [tolerance=1e-3]")
    tolerance = number_of("tolerance", options.get("tolerance", "1e-3"), Names(model, "the tolerance must be a number"))
    named = [word for word in words if "=" not in word]
    result, earlier = model.result, model.earlier_result
    if named and _RESULT_FILE.fullmatch(named[0]):
        earlier, named = read(named[0]), named[1:]
    if earlier is None:
        raise misunderstood("there is no earlier result", "compare FILE, or simulate a second time")
    return str(earlier.compare(result, tolerance, 0.0, named))
