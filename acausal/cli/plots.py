"""Plots as commands ask for them: flags, and the place where a plot is shown."""

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.output_folder import require_folder, unknown_format
from acausal.base.frozen import dataclass
from acausal.cli.process.session import Session

if TYPE_CHECKING:
    from acausal.results.drawing.picture import Picture
    from acausal.results.plot import PlotOptions
    from acausal.results.trajectories import Trajectories

KINDS = (".png", ".svg", ".pdf", ".html", ".htm", ".eps", ".jpg", ".jpeg", ".ps", ".tif", ".tiff", ".webp")
"""Extensions of figures."""


@dataclass(frozen=True, slots=True)
class PlotFlags:
    """The flags of a plot: `names` and `figure` make one, the others only say how.

    No names stand for those of the experiment: with a figure, or if they are `asked` for.
    """

    names: tuple[str, ...] = ()
    figure: Path | None = None
    x: str | None = None
    units: tuple[str, ...] = ()
    log: str | None = None
    events: bool = False
    asked: bool = False

    @property
    def plots(self) -> bool:
        """True if there is a plot."""
        return bool(self.names) or self.asked or self.figure is not None

    def check(self, session: Session, others: Mapping[str, bool] = MappingProxyType({})) -> None:
        """UsageError for what cannot be done, before time is spent on a run; `others` are further flags of plots."""
        given = {"--x": self.x, "--unit": self.units, "--log": self.log, "--events": self.events, **others}
        flag = next((name for name, value in given.items() if value), None)
        if flag is not None and not self.plots:
            hint = "name what to plot: --plot X,Y, or a file: --figure FILE.png"
            raise UsageError(Diagnostic("F006", f"{flag} needs a plot", help=hint))
        if self.plots:
            require_folder(self.figure)
            if self.figure is not None and self.figure.suffix.lower() not in KINDS:
                raise unknown_format(self.figure, "format", KINDS)
            check_place(self.figure, session)
            self.options  # noqa: B018  # raises its errors now

    @property
    def options(self) -> "PlotOptions":
        """The options of a plot."""
        from acausal.results.plot_request import options_of

        return options_of(self.x, self.units, self.log or "", self.events)

    def variables(self, result: "Trajectories") -> tuple[str, ...]:
        """The variables that the plot reads; errors as of a plot, for a result that has no rows yet, too."""
        if not self.plots:
            return ()
        from acausal.results.plot import chosen, panels_of

        shown = chosen([result], self.names, self.options)
        panels_of(shown[0 if self.options.x is None else 1 :])
        return tuple(dict.fromkeys([name for quantity in shown for name in quantity.variables]))

    def show(self, results: "Mapping[str, Trajectories]", session: Session) -> None:
        """Make the plot."""
        if self.plots:
            from acausal.results.plot import picture_of

            show_picture(picture_of(results, self.names, self.options), self.figure, session)


def check_place(figure: Path | None, session: Session) -> None:
    """UsageError F011 where a plot has no place to be shown."""
    if figure is None and (session.json or session.format != "human"):
        from acausal.results.drawing.output import has_screen

        if not has_screen():
            hint = "write the plot to a file: --figure FILE.png"
            raise UsageError(Diagnostic("F011", "no screen to plot on", help=hint))


def show_picture(picture: "Picture", figure: Path | None, session: Session) -> None:
    """Write a plot to a file or show it in a window, without display as text on standard output."""
    from acausal.results.drawing.output import drawn, has_screen

    if figure is not None or has_screen():
        drawn(picture, figure)
        return
    from acausal.results.plot_request import text_of

    print(text_of(picture, session.colored(sys.stdout)))
