"""The states of exported programs: they cannot select others while they run, so those of the start must last."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from acausal.base.diagnostics import SimulationError, UsageError
from acausal.base.options import SimulateOptions
from acausal.ir.names import Symbol, show_name
from acausal.simulate.run.simulate import simulate
from acausal.simulate.system.parameters import Folded, parameter_values
from acausal.simulate.system.settings import settings
from acausal.simulate.system.state_transfer import StateTransfers
from acausal.targets.unsupported import unsupported

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.codegen.native.state_sets import Best
    from acausal.compiled_model import CompiledModel


def require_lasting_states(model: "CompiledModel", target: str) -> None:
    """ModelError F040 at a state where a run of the model's experiment selects others, which the target cannot.

    A run that fails, or lacks values of inputs, says nothing.
    """
    program = model.program
    if not program.choice_table.slots:
        return
    p = parameter_values(model.executable, {})
    if isinstance(p, Folded):
        return
    try:
        simulate(model.executable, p, {}, settings(SimulateOptions(), program.experiment), None, _NoOthers())
    except _OtherStatesError:
        states = {name for name, _ in [slot.symbol for slot in program.state_slots]}
        chosen = [n for slot in program.choice_table.slots for n, _ in slot.candidates if n in states]
        origins = {v.symbol.name: v.origin for v in model.stages.dae.variables}
        part = f"other states during a run, and that of the experiment cannot continue with {show_name(chosen[0])}"
        hint = "simulate the model, or give it an experiment that ends before"
        raise unsupported(target, part, origins.get(chosen[0]), hint) from None
    except (SimulationError, UsageError):
        return


class _OtherStatesError(Exception):
    """A run asks for other states."""


class _NoOthers:
    """Variants of a model that has none."""

    def __init__(self) -> None:
        self.transfers = StateTransfers()

    def good_at(
        self,
        executable: "Executable",  # noqa: ARG002
        best: "Best",  # noqa: ARG002
        values: Callable[[], Mapping[Symbol, float]],  # noqa: ARG002
    ) -> "Executable":
        """In the run."""
        raise _OtherStatesError

    def good_for(self, executable: "Executable", values: Mapping[Symbol, float]) -> "Executable":  # noqa: ARG002
        """At its start."""
        raise _OtherStatesError

    def parameters(self, executable: "Executable") -> "Array":  # noqa: ARG002
        """Of other programs: there are none."""
        raise _OtherStatesError

    def dummies(self, executable: "Executable") -> tuple[str, ...]:  # noqa: ARG002
        """Of the only program."""
        return ()

    def with_dummies(self, dummies: tuple[str, ...]) -> "Executable":  # noqa: ARG002
        """Of other programs: there are none."""
        raise _OtherStatesError
