"""The sets of states that a run of the model's experiment selects: exported programs have the code for each.

A program cannot be translated again where it runs, as `simulate` does: it has what its experiment needs.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from acausal.base.diagnostics import ModelError, SimulationError, UsageError
from acausal.base.options import SimulateOptions
from acausal.ir.names import Symbol, show_name
from acausal.ir.program.program import Program
from acausal.simulate.run.simulate import simulate
from acausal.simulate.system.parameters import Folded, parameter_values
from acausal.simulate.system.settings import settings
from acausal.targets.homotopy_starts import with_homotopy
from acausal.targets.resting_relations import with_resting_relations
from acausal.targets.unsupported import unsupported

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.codegen.native.state_sets import Best
    from acausal.compiled_model import CompiledModel
    from acausal.simulate.run.variants import Variants

ANOTHER = "simulate the model, or give it an experiment that ends before"


def state_sets(model: "CompiledModel", target: str) -> tuple[Program, ...]:
    """The programs of a run of the experiment in the order of their use, first that of the model.

    ModelError F040 where the target cannot change from one to another: their discrete values and root functions must be
    the same. A run that fails, or lacks values of inputs, has used what it used until then.
    """
    first = model.program
    variants, p = model.variants({}), parameter_values(model.executable, {})
    if variants is None or isinstance(p, Folded):
        return (as_exported(first, model),)
    used = _Used(variants)
    with suppress(SimulationError, UsageError):
        simulate(model.executable, p, {}, settings(SimulateOptions(), first.experiment), None, used)
    others = [program for program in used.programs if program is not first]
    for other in others:
        if first.delays or _shape(other) != _shape(first):
            raise other_states(model, target)
    return (as_exported(first, model), *[with_resting_relations(other, model) for other in others])


def as_exported(program: Program, model: "CompiledModel") -> Program:
    """The program with what it cannot ask for where it runs: the homotopy at the start, relations that may rest."""
    return with_resting_relations(with_homotopy(program), model)


def require_one_set(model: "CompiledModel", target: str) -> None:
    """ModelError F040 at a state where a run of the model's experiment selects others, which the target cannot."""
    if len(state_sets(model, target)) > 1:
        raise other_states(model, target)


def other_states(model: "CompiledModel", target: str) -> ModelError:
    """ModelError F040 at a state that the target cannot change for another one."""
    program = model.program
    states = {name for name, _ in [slot.symbol for slot in program.state_slots]}
    chosen = [n for slot in program.choice_table.slots for n, _ in slot.candidates if n in states]
    origins = {v.symbol.name: v.origin for v in model.stages.dae.variables}
    part = f"other states during a run, and that of the experiment cannot continue with {show_name(chosen[0])}"
    return unsupported(target, part, origins.get(chosen[0]), ANOTHER)


def _shape(program: Program) -> tuple[object, ...]:
    """Features that programs which replace each other in a run have in common."""
    table = program.table
    return (
        len(program.state_slots),
        [slot.name for slot in program.parameter_slots],
        program.input_slots,
        [(slot.kind, slot.text, slot.crossing) for slot in table.frozen],
        (table.watched, table.results),
        (len(table.restarts), len(table.announcements), [slot.kind for slot in program.conditions]),
        (program.memory, program.followed),
    )


class _Used:
    """Variants of a model that keep their programs in the order in which a run asks for them."""

    def __init__(self, variants: "Variants") -> None:
        self._variants = variants
        self.transfers = variants.transfers
        self.programs: list[Program] = []

    def _noted(self, found: "Executable") -> "Executable":
        if all(found.program is not known for known in self.programs):
            self.programs.append(found.program)
        return found

    def good_at(
        self, executable: "Executable", best: "Best", values: Callable[[], Mapping[Symbol, float]]
    ) -> "Executable":
        """In the run."""
        return self._noted(self._variants.good_at(executable, best, values))

    def good_for(self, executable: "Executable", values: Mapping[Symbol, float]) -> "Executable":
        """At its start."""
        return self._noted(self._variants.good_for(executable, values))

    def parameters(self, executable: "Executable") -> "Array":
        """As of the variants."""
        return self._variants.parameters(executable)

    def dummies(self, executable: "Executable") -> tuple[str, ...]:
        """As of the variants."""
        return self._variants.dummies(executable)

    def with_dummies(self, dummies: tuple[str, ...]) -> "Executable":
        """As of the variants."""
        return self._noted(self._variants.with_dummies(dummies))
