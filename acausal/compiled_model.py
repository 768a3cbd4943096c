"""A model's program and machine code, made from its stages when first needed, or read from the cache."""

import threading
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from acausal.base.diagnostics import Report
from acausal.base.file_lock import locked_property
from acausal.base.gc_pause import gc_paused
from acausal.base.timing import StageTimer
from acausal.ir.experiment import AS_MODELED, Start
from acausal.ir.names import Name
from acausal.simulate.failure.equations_behind import Equations
from acausal.stages import LazyStages, Stages

if TYPE_CHECKING:
    from acausal.cache.keeper import Keeper, Ready
    from acausal.codegen.executable import Executable
    from acausal.codegen.native.state_sets import OtherStates
    from acausal.ir.program.program import Program
    from acausal.simulate.run.variants import Variants
    from acausal.simulate.system.state_transfer import StateTransfers

T = TypeVar("T")


class CompiledModel:
    """Stages, program and machine code of one model; threads may share it.

    A model from the cache is `ready`; its stages are then made only when they are asked for. `keeper` writes a model
    that is not to the cache. `start` is how runs start.
    """

    def __init__(
        self,
        stages: Stages | Callable[[], Stages],
        start: Start = AS_MODELED,
        keeper: "Keeper | None" = None,
        ready: "Ready | None" = None,
    ) -> None:
        self._lock = threading.RLock()
        self._stages = LazyStages(stages)
        self._keeper = keeper
        self._ready = ready
        self.start = start

    @property
    def stages(self) -> Stages:
        """Results of the stages."""
        return self._stages.get()

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._ready.program.name if self._ready else self.stages.plan.name

    @property
    def report(self) -> Report:
        """Warnings and notes of the translation."""
        return self._ready.report if self._ready else self.stages.report

    @property
    def folded(self) -> tuple[Name, ...]:
        """The parameters whose values are part of the equations."""
        return self._ready.folded if self._ready else tuple([symbol.name for symbol in self.stages.plan.folded])

    @locked_property
    def program(self) -> "Program":
        """The straight-line program."""
        if self._ready:
            return self._ready.program
        from acausal.codegen.lower.lower import lower
        from acausal.codegen.lower.texts import with_texts
        from acausal.units.check.result_units import with_initial_units, with_units

        stages = self.stages
        program = with_texts(self._timed("lower", lambda: lower(stages.plan)), stages.flat)
        program = self._timed("units of results", lambda: with_units(program, stages.flat, stages.units))
        return with_initial_units(program, self.start) if self.start.initial else program

    @locked_property
    def executable(self) -> "Executable":
        """The program as native code."""
        from acausal.codegen.llvm.to_llvm import compile_llvm

        if self._ready:
            made = compile_llvm(self.program, digest=self._ready.digest)
        else:
            with gc_paused():  # one pause: what lowering makes is not traversed before it is compiled
                program = self.program
                made = self._timed("compile", lambda: compile_llvm(program))
        if not (self._ready and self._ready.digest):
            self._keep(made.digest)
        return made

    @property
    def digest(self) -> str:
        """Digest of the code."""
        self.executable  # noqa: B018  # made now
        return (self._ready and self._ready.digest) or ""

    def drop_stages(self) -> None:
        """Makes the code and gives the memory of the stages back, where they can be made again when asked for."""
        self.executable  # noqa: B018  # made now
        self._stages.drop()

    def ready(self) -> "Ready":
        """Everything that a run needs, without the stages."""
        from acausal.cache.keeper import Ready

        return self._ready or Ready(self.program, self.report, self.folded, None)

    def started(self, start: Start) -> "CompiledModel":
        """The model with another first instant; ModelError I012 if there is no steady state."""
        keeper = self._keeper and self._keeper.started(start)
        ready = keeper.load() if keeper else None
        stages = self._stages
        made = CompiledModel(lambda: stages.started(start), start, keeper, ready)
        if not ready:
            made.stages  # noqa: B018  # raises its errors now
        if keeper and not self._ready:
            self._keep(None)
        return made

    @locked_property
    def equations(self) -> Equations:
        """The equations behind the program, for messages."""
        return Equations(self._stages.reduced, self.start, self._stages.flat)

    def variants(self, given: dict[str, float]) -> "Variants | None":
        """The model with the states that are good at a point, for these parameter values; None without choice."""
        if not self.program.choice_table.slots:
            return None
        from acausal.simulate.run.variants import ForValues

        return ForValues(lambda: self._other_states, self._transfers, given)

    @locked_property
    def _transfers(self) -> "StateTransfers":
        from acausal.simulate.system.state_transfer import StateTransfers

        return StateTransfers()

    @locked_property
    def _other_states(self) -> "OtherStates":
        from acausal.codegen.native.state_sets import OtherStates

        return OtherStates(self.stages.selection, self.stages.plan, self.executable, self.start)

    def _keep(self, digest: str | None) -> None:
        """Store what a run needs in the cache."""
        from acausal.cache.keeper import Ready

        self._ready = Ready(self.program, self.report, self.folded, digest)
        if self._keeper:
            self._keeper.save(self._ready)

    def _timed(self, stage: str, work: Callable[[], T]) -> T:
        start = perf_counter()
        with gc_paused():
            made = work()
        self.stages.seconds[stage] = perf_counter() - start
        if StageTimer.verify is not None:
            StageTimer.verify(stage, made)
        return made
