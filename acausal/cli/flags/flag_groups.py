"""Flags that several commands have together; `with_session` puts those of a group in the place of its parameter."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from acausal.base.frozen import dataclass
from acausal.base.options import SimulateOptions
from acausal.cli.flags import flags
from acausal.cli.flags.translated import translated
from acausal.cli.flags.values import limits, numbers
from acausal.cli.process.session import Session

if TYPE_CHECKING:
    from acausal.translation import Translation

DEFAULTS = SimulateOptions()


@dataclass(frozen=True, slots=True)
class RunFlags:
    """The flags of a run that an analysis makes."""

    stop: flags.Stop = None
    interval: flags.Interval = None
    tolerance: flags.Tolerance = None
    known: flags.Known = None
    unknown: flags.Unknown = None
    solver: flags.Solver = DEFAULTS.solver
    input_: flags.Input = None
    steady: flags.Steady = DEFAULTS.steady
    limit: flags.Limit = None

    def translated(
        self, session: Session, file: Path, model: str | None, parameters: list[str] | None
    ) -> "Translation":
        """The translation that they ask for, with values of parameters."""
        return _translated(self, session, file, model, parameters)


@dataclass(frozen=True, slots=True)
class StartFlags:
    """The flags of the first instant from which an analysis searches."""

    set_: flags.Set = None
    init: flags.Init = None
    input_: flags.Input = None
    known: flags.Known = None
    unknown: flags.Unknown = None
    limit: flags.Limit = None

    def translated(self, session: Session, file: Path, model: str | None) -> "Translation":
        """The translation that they ask for."""
        return _translated(self, session, file, model, self.set_)


def _translated(
    given: RunFlags | StartFlags, session: Session, file: Path, model: str | None, parameters: list[str] | None
) -> "Translation":
    asked = given.known, given.unknown, None
    return translated(session, file, model, asked, numbers("--set", parameters), limits(given.limit))


RUN: Final = RunFlags()
START: Final = StartFlags()
