"""Plots of responses: Bode, Nyquist, step."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from acausal.base.files.output_folder import unknown_format
from acausal.base.optional_library import missing_library

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from acausal.analyses.linear_systems.sparse_systems import ComplexArray
    from acausal.codegen.executable import Array

KINDS = (".png", ".svg", ".pdf")


class Curves(NamedTuple):
    """Title of a plot; the outputs and inputs that have a curve, with their rows and columns."""

    title: str
    outputs: tuple[tuple[int, str], ...]
    inputs: tuple[tuple[int, str], ...]

    def each(self) -> "list[tuple[int, int, str]]":
        """Row, column and label of each curve."""
        return [(row, column, f"{y} / {u}") for row, y in self.outputs for column, u in self.inputs]


def check_figure(path: Path) -> None:
    """UsageError F008 for another kind of file, F007 without Matplotlib."""
    from importlib.util import find_spec

    if path.suffix.lower() not in KINDS:
        raise unknown_format(path, "format", KINDS)
    if find_spec("matplotlib") is None:
        raise missing_library("a plot", "matplotlib", "'acausal[plot]'")


def bode_figure(curves: Curves, response: "ComplexArray", omega: "Array", path: Path | None) -> "Figure | None":
    """Magnitude in dB and phase in degrees over the frequency in Hz; None after it has been written."""
    import numpy as np

    def draw(figure: "Figure") -> None:
        upper, lower = figure.subplots(2, 1, sharex=True)
        frequencies = omega / (2 * np.pi)
        for row, column, label in curves.each():
            values = response[:, row, column]
            with np.errstate(divide="ignore"):
                upper.semilogx(frequencies, 20 * np.log10(np.abs(values)), label=label)
            lower.semilogx(frequencies, np.degrees(np.unwrap(np.angle(values))))
        upper.set_ylabel("magnitude [dB]")
        lower.set_ylabel("phase [deg]")
        lower.set_xlabel("frequency [Hz]")
        upper.set_title(curves.title)
        upper.legend()
        for axes in (upper, lower):
            axes.grid(visible=True, which="both", alpha=0.3)

    return drawn(draw, path)


def nyquist_figure(
    title: str, curves: list[tuple[int, int, str]], response: "ComplexArray", path: Path | None
) -> "Figure | None":
    """The frequency response in the complex plane, with its mirror image of negative frequencies (dashed), and -1."""

    def draw(figure: "Figure") -> None:
        axes = figure.subplots()
        for row, column, label in curves:
            values = response[:, row, column]
            line = axes.plot(values.real, values.imag, label=label)[0]
            axes.plot(values.real, -values.imag, linestyle="--", color=line.get_color())
        axes.plot([-1.0], [0.0], marker="+", linestyle="none", color="black", label="-1")
        axes.set_xlabel("real part")
        axes.set_ylabel("imaginary part")
        axes.set_title(title)
        axes.grid(visible=True, alpha=0.3)
        axes.legend()

    return drawn(draw, path)


def step_figure(curves: Curves, times: "Array", values: "Array", path: Path | None) -> "Figure | None":
    """Deviations of the outputs over time after a step of 1 in each input."""

    def draw(figure: "Figure") -> None:
        axes = figure.subplots()
        for row, column, label in curves.each():
            axes.plot(times, values[:, row, column], label=label)
        axes.set_xlabel("time [s]")
        axes.set_ylabel("deviation")
        axes.set_title(curves.title)
        axes.grid(visible=True, alpha=0.3)
        axes.legend()

    return drawn(draw, path)


def drawn(draw: "Callable[[Figure], None]", path: Path | None) -> "Figure | None":
    """A figure as `draw` fills it; None after it has been written."""
    from acausal.base.files.writing import writing

    check_figure(Path("response.png") if path is None else path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 5.5), layout="constrained")
    draw(figure)
    if path is None:
        return figure
    with writing(path) as temporary:
        figure.savefig(temporary, format=path.suffix.lower()[1:], dpi=150)
    return None
