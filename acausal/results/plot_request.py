"""Requests for plots: options from Python and the command line, and the words of an interactive `plot`.

plot crank.q rocker.q in deg x=time log=y events unit=deg,rpm figure=FILE.png
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from acausal.base.arguments import as_text, wrong_type
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.results.drawing.output import drawn, has_screen
from acausal.results.drawing.picture import Log
from acausal.results.plot import PlotOptions, picture_of
from acausal.results.trajectories import Trajectories

if TYPE_CHECKING:
    from acausal.results.drawing.picture import Picture

LOGS = ("", "x", "y", "xy")
OPTIONS = ("figure", "x", "unit", "log")
FLAGS = ("events",)


def options_of(x: str | None, units: tuple[str, ...], log: str, events: bool) -> PlotOptions:
    """Options of a plot; UsageError F006 for an unknown axis."""
    if x is not None:
        as_text("x", x)
    log = "xy" if as_text("log", log) == "yx" else log
    if log not in LOGS:
        hint = "log is x, y or xy"
        raise UsageError(Diagnostic("F006", f"unknown axis {log} of a logarithmic scale", help=hint))
    return PlotOptions(None if x == "time" else x, tuple(units), cast(Log, log), events)


def runs_of(
    first: Trajectories, others: Mapping[str, Trajectories] | Iterable[Trajectories] = ()
) -> dict[str, Trajectories]:
    """Results by their names in the legend; those with equal names are numbered."""
    named = [*others.items()] if isinstance(others, Mapping) else [(_name_of(r), r) for r in others]
    runs: dict[str, Trajectories] = {}
    for name, result in [(first.name, first), *named]:
        _name_of(result)
        key, number = name, 2
        while key in runs:
            key, number = f"{name} {number}", number + 1
        runs[key] = result
    return runs


def _name_of(result: object) -> str:
    if not isinstance(result, Trajectories):
        raise wrong_type("others", "results", result)
    return result.name


def text_of(picture: "Picture", color: bool = False) -> str:
    """A plot as text, as wide as the terminal."""
    from shutil import get_terminal_size

    from acausal.results.drawing.terminal import text_plot

    return text_plot(picture, min(120, get_terminal_size((80, 24)).columns - 1), color)


def plot_words(results: Mapping[str, Trajectories], words: Sequence[str], color: bool = False) -> str:
    """Do what the words of `plot` say: show it in a window or as the text returned, or write a file.

    Words are quantities and `NAME=VALUE` of `OPTIONS`, or `FLAGS`; a quantity may be followed by `in UNIT`.
    """
    names, given, events = _sorted(words)
    units = tuple(filter(None, given.get("unit", "").split(",")))
    options = options_of(given.get("x"), units, given.get("log", ""), events)
    picture = picture_of(results, names, options)
    file = given.get("figure")
    if file is None and not has_screen():
        return text_of(picture, color)
    drawn(picture, None if file is None else Path(file))
    return "" if file is None else f"written: {file}"


def _sorted(words: Sequence[str]) -> tuple[list[str], dict[str, str], bool]:
    """Quantities, options, and the flag `events`; UsageError F010 for an unknown option."""
    names: list[str] = []
    given: dict[str, str] = {}
    events = False
    rest = iter(words)
    for word in rest:
        key, equals, value = word.partition("=")
        if equals and key.isidentifier() and not value.startswith("="):
            if key not in OPTIONS:
                message = f"unknown option of plot: {key}"
                raise UsageError(Diagnostic("F010", message, help=f"the options are {', '.join((*OPTIONS, *FLAGS))}"))
            given[key] = value
        elif word in FLAGS:
            events = True
        elif word == "in" and names:
            names[-1] += f" in {next(rest, '')}"
        else:
            names.append(word)
    return names, given, events
