"""State-selection monitor: called by machine code, here only where that is not running."""

import ctypes
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from acausal.base.caches import once
from acausal.codegen.address import address_of
from acausal.codegen.context_memory import ContextMemory
from acausal.ir.program.slots import ChoiceTable
from acausal.runtime.kernel.signature import fields
from acausal.runtime.limits import ILL_CONDITIONED
from acausal.runtime.state_selection import StateSelections, judge_selections, vectors_size

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.codegen.native.state_sets import Best


_CALL = ctypes.PYFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)


def selection_numbers(table: ChoiceTable) -> dict[str, Any]:
    """The fields of `StateSelections` for one program, as numbers and lists."""
    sizes = [(len(slot.dummies), len(slot.candidates)) for slot in table.slots]
    dummies = [dummy for slot in table.slots for dummy in slot.dummies]
    return {
        "count": len(sizes),
        "rows": [rows for rows, _ in sizes],
        "columns": [columns for _, columns in sizes],
        "position": [slot.position for slot in table.slots],
        "first_weight": list(accumulate([columns for _, columns in sizes], initial=0)),
        "weights": [weight for slot in table.slots for weight in slot.weights],
        "first_dummy": list(accumulate([rows for rows, _ in sizes], initial=0)),
        "dummies": dummies,
        "best": dummies.copy(),
        "vectors": max([vectors_size(*size) for size in sizes], default=0),
    }


class StateMonitor:
    """Judges the choices of one program (`runtime/state_selection`); serves one thread."""

    def __init__(self, table: ChoiceTable, results: "Array") -> None:
        import numpy as np

        self._results, self._at_results = results, address_of(results)
        self._present = tuple([slot.dummies for slot in table.slots])
        numbers = selection_numbers(table)
        room = np.empty(numbers.pop("vectors"))
        arrays = {
            n: np.array(v, dtype=float if n == "weights" else np.int64) for n, v in numbers.items() if n != "count"
        }
        self._memory = memory = ContextMemory(
            tuple(fields(StateSelections)), {"count": numbers["count"], **arrays, "vectors": room}
        )
        ranges = list(pairwise(numbers["first_dummy"]))
        self._dummies = [memory.array("dummies")[first:end] for first, end in ranges]
        self._best = [memory.array("best")[first:end] for first, end in ranges]
        self._call = _CALL(_address())

    @property
    def addresses(self) -> tuple[int, int, int]:
        """Addresses of the results, of `StateSelections` and of `judge_selections`, for machine code."""
        return self._at_results, self._memory.address, _address()

    def ill_conditioned(self, results: "Array | None" = None) -> bool:
        """True if a choice is ill-conditioned by these results of the routine `choices`, or those of the last call."""
        at = self._at_results if results is None else address_of(results)
        return bool(self._call(at, self._memory.address) == ILL_CONDITIONED)

    def ill_conditioned_with(self, others: "Best") -> bool:
        """True if other dummies than the present ones would be ill-conditioned by the results of the last call."""
        for dummies, other in zip(self._dummies, others, strict=True):
            dummies[:] = other
        verdict = self.ill_conditioned()
        for dummies, present in zip(self._dummies, self._present, strict=True):
            dummies[:] = present
        return verdict

    def best(self) -> "Best":
        """For each choice the best dummies, as found by the last judgement."""
        return tuple([tuple(sorted(best.tolist())) for best in self._best])


@once
def _address() -> int:
    from acausal.codegen.native.kernel_addresses import kernel_address

    return kernel_address(judge_selections)
