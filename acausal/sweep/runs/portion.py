"""Runs that are done, in portions: the receiver gets many at once, and can stop between them."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import NamedTuple

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import dataclass
from acausal.simulate.run.outcome import Outcome

PORTION = 0.05
"""Seconds that a portion takes about."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run that is done: its numbers are those of the quantities, none where it failed.

    Where it cannot be done with this translation, `changed` are parameters that are part of its equations with
    another value.
    """

    index: int
    numbers: tuple[float, ...]
    failure: Diagnostic | None = None
    outcome: Outcome | None = None
    changed: tuple[str, ...] = ()


class Portion(NamedTuple):
    """The first of some runs, as many as take about PORTION seconds; less where one was halted before its end."""

    runs: list[Run]
    is_halted: bool = False


def one_by_one(indices: Sequence[int], one: Callable[[int], Run | None]) -> Portion:
    """The first of these runs, as `one` does them."""
    made: list[Run] = []
    due = monotonic() + PORTION
    for index in indices:
        run = one(index)
        if run is None:
            return Portion(made, is_halted=True)
        made.append(run)
        if monotonic() > due:
            break
    return Portion(made)
