"""Changes of states in a run of a model with several sets of states (`runtime/state_sets`)."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING

from acausal.runtime.rows import nothing
from acausal.runtime.state_sets import StateSets, StateTransfer, complete_known, judge_set, select_set, show_known
from acausal.targets.python.run_values import SimulationError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.targets.python.run_system import ModelSystem


class SetsOfRun:
    """The systems of one run; `make` makes that of a set by its number."""

    def __init__(self, first: "ModelSystem", make: "Callable[[int], ModelSystem]") -> None:
        import numpy as np

        self._make, self._model = make, first.model
        self._systems = {0: first}
        self._present = first
        self._known = np.zeros(max([self._known_size(model) for model in self._model.sets]))
        self._sets = StateSets(
            count=len(self._model.sets),
            number=0,
            is_due=0,
            transfer=StateTransfer(**self._model.transfers),
            states=len(self._model.states),
            memory=self._model.memory,
            known=self._known,
            shown_count=len(self._model.shown[0][0]),
            bind=self._bind,
            model=0,
            setup=nothing,
            given=(),
            first_parameters=(),
            own_parameters=0,  # of systems: `make`
            **self._fields(first),
        )

    def switched(self, system: "ModelSystem", t: float) -> "ModelSystem":
        """The system to go on with from t: the first one that is well-conditioned there, else another one."""
        judge_set(self._sets, t)
        if not select_set(self._sets, t):
            names = ", ".join(list(system.model.states)[:6])
            raise SimulationError(f"at t = {t:.10g} other states than {names} are needed: use `acausal simulate`")
        return self._present

    def shown(self, t: float, values: "Array") -> "Array":
        """Variables of the present system as the first one stores them."""
        import numpy as np

        begin = self._sets.choice_count
        self._known[begin : begin + len(values)] = values
        complete_known(self._sets, t)
        out = np.empty(self._sets.shown_count)
        show_known(self._sets, out)
        return out

    def _bind(self, model: int) -> None:  # noqa: ARG002 - as in C
        number, frozen = self._sets.number, self._present.frozen
        if number not in self._systems:
            self._systems[number] = self._make(number)
        self._present = self._systems[number]
        self._present.frozen[:] = frozen
        self._sets.__dict__.update(self._fields(self._present))

    def _fields(self, system: "ModelSystem") -> dict[str, object]:
        """Fields that differ between the sets."""
        sizes, model = system.model.result_sizes, system.model
        shown, factors = self._model.shown[model.number]
        return {
            "variables": lambda t, y, _u, _p, _m, out: system.row_into(t, y, out),
            "choices": lambda t, y, _u, _p, _m, _out: system.evaluate("choices", t, y),
            "choice_count": sizes["choices"],
            "stored": sizes["variables"],
            "parameters": model.parameter_size,
            "memory_size": model.memory_size,
            "y": system.y,
            "u": system.u,
            "p": system.p,
            "m": system.m,
            "choice_results": system.results["choices"],
            "selections": system.selections,
            "shown": shown,
            "shown_factors": factors,
        }

    @staticmethod
    def _known_size(model: SimpleNamespace) -> int:
        sizes: dict[str, int] = model.result_sizes
        return sizes["choices"] + sizes["variables"] + int(model.parameter_size) + 2
