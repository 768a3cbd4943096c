"""Settings of a run: the options, else the values of the model's `experiment`, else the defaults."""

from dataclasses import replace
from functools import cached_property
from math import floor, inf, isfinite
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.base.options import SimulateOptions
from acausal.ir.experiment import Experiment

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

DEFAULT_STOP = 1.0
DEFAULT_TOLERANCE = 1e-6
DEFAULT_ROWS = 500
MOST_ROWS = 100_000_000
SAME = 1e-6
"""Output times that differ by this share of the interval are one."""


@dataclass(frozen=True)
class Settings:
    """Times in seconds; `tolerance` is the relative error that one step may make.

    An event may take `event_passes`; None leaves that to the number of frozen values. With `ends_only` there are no
    rows between the first output time, which a solver begins by, and the last. A run that goes on from a state begins
    at the time `resumed`, with the output times of the whole run. `times` are the output times behind the start in the
    place of those at an interval.
    """

    start: float
    stop: float
    interval: float
    tolerance: float
    solver: str
    event_passes: int | None = None
    ends_only: bool = False
    resumed: float | None = None
    times: tuple[float, ...] | None = None

    @property
    def begin(self) -> float:
        """The time of the first row."""
        return self.start if self.resumed is None else self.resumed

    @cached_property
    def grid(self) -> "Array":
        """The output times: start, start + interval, ... and in any case stop. Not to be written to.

        They begin with the time `resumed`, if there is one.
        """
        import numpy as np

        if self.times is not None:
            return np.array([self.start, *self.times])
        count = floor((self.stop - self.start) / self.interval + 1e-9) if self.stop > self.start else 0
        times = self.start + self.interval * np.arange(count + 2, dtype=np.float64)
        last = count if self.stop - times[count] <= SAME * self.interval else count + 1
        times[last] = self.stop
        if self.resumed is not None:
            later = times[: last + 1]
            later = later[later - self.resumed > SAME * self.interval]
            times, last = np.concatenate([[self.resumed], later]), len(later)
        return times[[0, 1, last]] if self.ends_only and last > 1 else times[: last + 1]


SHORTEST_RUN = 1e-200
"""Seconds; the squares of steps must be numbers."""
RESOLUTION = 1e-13
"""The least share of its times that a run lasts: instants are numbers of 16 digits."""


def require_within(at: float, start: float) -> None:
    """UsageError F006 for an instant before the start of the run, or one that is no finite number."""
    if not start <= at < inf:
        raise _out_of_range("at", at, f"the run starts at {start:g}")


def settings(options: SimulateOptions, experiment: Experiment) -> Settings:
    """The settings of a run; UsageError F006 where a value lies outside its range."""
    start = experiment.start
    stop = _first(options.stop, experiment.stop, max(DEFAULT_STOP, start + DEFAULT_STOP))
    if not isfinite(stop) or stop < start:
        raise _out_of_range("stop", stop, f"the run starts at {start:g} and cannot stop earlier")
    if start < stop < start + max(SHORTEST_RUN, RESOLUTION * max(abs(start), abs(stop))):
        raise _out_of_range("stop", stop, f"too close to the start at {start:g}")
    interval = _first(options.interval, experiment.interval, (stop - start) / DEFAULT_ROWS or 1.0)
    if not isfinite(interval) or interval <= 0:
        raise _out_of_range("interval", interval, "the interval must be positive")
    if (stop - start) / interval > MOST_ROWS:
        raise _out_of_range("interval", interval, f"more than {MOST_ROWS} rows")
    tolerance = _first(options.tolerance, experiment.tolerance, DEFAULT_TOLERANCE)
    if not 1e-14 <= tolerance <= 0.1:
        raise _out_of_range("tolerance", tolerance, "the tolerance must be between 1e-14 and 0.1")
    if options.event_passes is not None and options.event_passes < 1:
        raise _out_of_range("event_passes", options.event_passes, "at least one pass is required")
    return Settings(start, stop, interval, tolerance, options.solver, options.event_passes)


def resumed_at(chosen: Settings, t: float) -> Settings:
    """Settings of a run that goes on from t; UsageError F006 where it stops before."""
    shortest = max(SHORTEST_RUN, RESOLUTION * max(abs(t), abs(chosen.stop)))
    if chosen.stop < t or t < chosen.stop < t + shortest:
        raise _out_of_range("stop", chosen.stop, f"the run continues from a state at t = {t:g} and cannot stop before")
    return replace(chosen, resumed=t)


def _first(option: float | None, experiment: float | None, default: float) -> float:
    given = experiment if option is None else option
    return default if given is None else float(given)


def _out_of_range(name: str, value: float, why: str) -> UsageError:
    return UsageError(Diagnostic("F006", f"{name}={value:g}: {why}"))
