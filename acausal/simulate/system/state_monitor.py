"""True if the states are still well chosen: asked by machine code, here only where that is not running."""

import ctypes
from typing import TYPE_CHECKING

from acausal.base.caches import once
from acausal.codegen.address import address_of, words_of
from acausal.ir.program import ChoiceTable

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.codegen.variants import Best


_CALL = ctypes.PYFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)


class Judge:
    """Judges the choices of one program (`native_choices`); serves one thread."""

    def __init__(self, table: ChoiceTable, results: "Array") -> None:
        import numpy as np

        from acausal.codegen.native_choices import WORDS, room

        self._results, self._at_results = results, address_of(results)
        self._present = tuple([slot.dummies for slot in table.slots])
        self._dummies = [np.array(dummies, dtype=np.int64) for dummies in self._present]
        self._best = [dummies.copy() for dummies in self._dummies]
        self._alive: list[object] = []
        words = [len(table.slots)]
        for slot, dummies, best in zip(table.slots, self._dummies, self._best, strict=True):
            rows, columns = len(slot.dummies), len(slot.candidates)
            arrays = np.array(slot.weights), dummies, np.empty(room(rows, columns)), best
            self._alive.append(arrays)
            words += [rows, columns, slot.position, *[address_of(a) for a in arrays]]
        assert len(words) == 1 + len(WORDS) * len(table.slots)
        self._table = words_of(words)
        self._call = _CALL(_address())

    @property
    def addresses(self) -> tuple[int, int, int]:
        """Addresses of the results, of the table and of `acausal_poor`, for machine code."""
        return self._at_results, address_of(self._table), _address()

    def poor(self, results: "Array | None" = None) -> bool:
        """True if a choice is a bad one by these results of the routine `choices`, or those of the last call."""
        at = self._at_results if results is None else address_of(results)
        return bool(self._call(at, address_of(self._table)) == 1)

    def poor_with(self, others: "Best") -> bool:
        """True if other dummies than the present ones would be poor by the results of the last call."""
        for dummies, other in zip(self._dummies, others, strict=True):
            dummies[:] = other
        verdict = self.poor()
        for dummies, present in zip(self._dummies, self._present, strict=True):
            dummies[:] = present
        return verdict

    def best(self) -> "Best":
        """For each choice the best dummies, as found by the last judgement."""
        return tuple([tuple(sorted(best.tolist())) for best in self._best])


@once
def _address() -> int:
    from acausal.codegen.native_choices import native_choices
    from acausal.codegen.to_llvm import published

    return int(published("acausal_poor", native_choices).get_function_address("acausal_poor"))
