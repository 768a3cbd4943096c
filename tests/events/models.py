"""Models of a few lines, translated and run."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.runs import RunError

Array = np.ndarray


def model(lines: str, **simulate: float) -> Result:
    """The result of a model whose body is `lines`; a RunError carries what there is of it."""
    return library_model("", lines, **simulate)


def library_model(classes: str, lines: str, **simulate: float) -> Result:
    """The same with classes before it."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.mdl"
        file.write_text(f"{classes}model M\n{lines}\nend\n", encoding="utf-8")
        return translate(file).simulate(**simulate)  # type: ignore[arg-type]


def failed(lines: str, **simulate: float) -> RunError:
    """The error that ends the run of such a model."""
    try:
        model(lines, **simulate)
    except RunError as error:
        return error
    raise AssertionError("the run came to its end")


def event_times(result: Result, name: str) -> Array:
    """The times at which a variable jumps."""
    return result.time[np.flatnonzero((np.diff(result.time) == 0) & (np.diff(result[name]) != 0))]
