"""Results of the stages of one translation: given, or made on demand."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Report
from acausal.base.frozen import dataclass
from acausal.base.gc_pause import gc_paused
from acausal.base.timing import StageTimer
from acausal.ir.experiment import Start

if TYPE_CHECKING:
    from acausal.ir.dae import Dae, ReducedDae, SortedSystem, StateSelection
    from acausal.ir.flat import FlatModel
    from acausal.ir.plan import SolvePlan
    from acausal.units.check.check_units import UnitCheck


@dataclass(frozen=True, slots=True)
class Stages:
    """Results of the stages of one translation; `seconds` is the time of each."""

    flat: "FlatModel"
    dae: "Dae"
    selection: "StateSelection"
    run: "SortedSystem"
    plan: "SolvePlan"
    report: Report
    units: "UnitCheck"
    seconds: dict[str, float]


class LazyStages:
    """The stages of one translation: given, or made when they are first asked for."""

    def __init__(self, stages: Stages | Callable[[], Stages]) -> None:
        self._make = None if isinstance(stages, Stages) else stages
        self._made = stages if isinstance(stages, Stages) else None
        self._lock = threading.RLock()

    def get(self) -> Stages:
        """The stages; made once, whatever the number of threads."""
        with self._lock:
            if self._made is None:
                assert self._make is not None
                self._made = self._make()
            return self._made

    def drop(self) -> None:
        """Give the memory back where the stages can be made again."""
        if self._make is not None:
            self._made = None

    def reduced(self) -> "ReducedDae":
        """The equations after index reduction."""
        return self.get().selection.reduced

    def flat(self) -> "FlatModel":
        """The model before its equations were reduced."""
        return self.get().flat

    def started(self, start: Start) -> Stages:
        """The same model with another first instant."""
        from acausal.causalize.initial.initial_system import initial_system
        from acausal.causalize.plan.make_plan import make_plan

        stages = self.get()
        with gc_paused():
            selection = stages.selection
            if start.initial:
                from acausal.causalize.initial.given_values import with_initial_parameters

                selection = with_initial_parameters(selection, start)
            first = initial_system(selection, start)
            if first.folded:
                selection = selection.with_folded(first.folded)
            plan = make_plan(selection, stages.run, first.system, stages.plan.outputs)
        if StageTimer.verify is not None:
            StageTimer.verify("another start", (first.system, plan))
        others = [d for d in stages.report.diagnostics if d.code != "I010"]
        report = Report((*others, *first.notes))
        return replace(stages, selection=selection, plan=plan, report=report, seconds=dict(stages.seconds))
