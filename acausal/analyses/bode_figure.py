"""Bode plots: magnitude and phase over frequency."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from acausal.base.diagnostics import Diagnostic, UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from acausal.analyses.frequency import ComplexArray
    from acausal.codegen.executable import Array


class BodeNames(NamedTuple):
    """Title of a plot, and the names of its curves."""

    title: str
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]


KINDS = (".png", ".svg", ".pdf")


def check_figure(path: Path) -> None:
    """UsageError F008 for another kind of file, F007 without Matplotlib."""
    from importlib.util import find_spec

    if path.suffix.lower() not in KINDS:
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: a Bode plot is {', '.join(KINDS)}"))
    if find_spec("matplotlib") is None:
        raise UsageError(Diagnostic("F007", "a Bode plot requires matplotlib", help="pip install 'acausal[plot]'"))


def bode_figure(
    names: BodeNames, response: "ComplexArray", omega: "Array", places: tuple[list[int], list[int]], path: Path | None
) -> "Figure | None":
    """The figure, or None after it has been written."""
    import numpy as np

    from acausal.base.atomic_write import replacing

    check_figure(Path("bode.png") if path is None else path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 5.5), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    frequencies = omega / (2 * np.pi)
    for row in places[0]:
        for column in places[1]:
            values = response[:, row, column]
            label = f"{names.outputs[row]} / {names.inputs[column]}"
            with np.errstate(divide="ignore"):
                upper.semilogx(frequencies, 20 * np.log10(np.abs(values)), label=label)
            lower.semilogx(frequencies, np.degrees(np.unwrap(np.angle(values))))
    upper.set_ylabel("magnitude [dB]")
    lower.set_ylabel("phase [deg]")
    lower.set_xlabel("frequency [Hz]")
    upper.set_title(names.title)
    upper.legend()
    for axes in (upper, lower):
        axes.grid(visible=True, which="both", alpha=0.3)
    if path is None:
        return figure
    try:
        with replacing(path) as temporary:
            figure.savefig(temporary, format=path.suffix.lower()[1:], dpi=150)
    except OSError as error:
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: {error.strerror or error}")) from None
    return None
