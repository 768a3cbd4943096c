"""A translated model: what the stages found, the program, and how to run it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from acausal.causalize import report as texts
from acausal.diagnostics import Diagnostic, Report, UsageError
from acausal.ir.dae import Dae, SortedSystem, StateSelection
from acausal.ir.flat import FlatModel
from acausal.ir.plan import SolvePlan
from acausal.ir.show import show_flat

if TYPE_CHECKING:
    from acausal.codegen.executable import Executable
    from acausal.ir.program import Program

T = TypeVar("T")
Values = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Stages:
    """What the stages of one translation made; `seconds` how long each took."""

    flat: FlatModel
    dae: Dae
    selection: StateSelection
    run: SortedSystem
    plan: SolvePlan
    report: Report
    seconds: dict[str, float]


class Translation:
    """A model ready to run. Code is generated and compiled when first needed.

    `again` translates the same text with other parameter values: needed where a value
    that was folded into the equations changes.
    """

    def __init__(self, stages: Stages, again: "Callable[[Values], Translation]") -> None:
        self.stages = stages
        self._again = again

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.stages.plan.name

    @property
    def report(self) -> Report:
        """Warnings and notes of the translation."""
        return self.stages.report

    @cached_property
    def program(self) -> "Program":
        """The straight-line program."""
        from acausal.codegen.lower import lower

        return self._timed("lower", lambda: lower(self.stages.plan))

    @cached_property
    def executable(self) -> "Executable":
        """The program as native code."""
        from acausal.codegen.to_llvm import compile_llvm

        program = self.program
        return self._timed("compile", lambda: compile_llvm(program))

    def _timed(self, stage: str, work: Callable[[], T]) -> T:
        start = perf_counter()
        made = work()
        self.stages.seconds[stage] = perf_counter() - start
        return made

    @property
    def statistics(self) -> dict[str, object]:
        """Sizes of the system before and after each stage, operations of the derivative code, seconds by stage."""
        from dataclasses import asdict

        stages = self.stages
        counts = texts.statistics(stages.dae, stages.selection, stages.plan)
        operations = asdict(self.program.derivatives.operations)
        return {**counts, "operations": operations, "seconds": dict(stages.seconds)}

    def equations(self, stage: str = "sorted") -> str:
        """The equations as text: `flat`, `sorted` or `solved`."""
        if stage == "flat":
            return show_flat(self.stages.flat)
        if stage == "sorted":
            return texts.show_sorted(self.stages.run)
        if stage == "solved":
            return texts.show_solved(self.stages.plan)
        raise UsageError(Diagnostic("F006", f"there is no stage {stage!r}", help="it is flat, sorted or solved"))

    def code(self) -> str:
        """The generated program as NumPy text."""
        from acausal.codegen.to_numpy import numpy_text

        return numpy_text(self.program)
