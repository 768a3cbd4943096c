"""A function of the module `native_events`: its first argument is the table of `event_words`."""

from llvmlite import ir

from acausal.codegen.event_words import KINDS, NUMBERS, PLACE
from acausal.codegen.native_function import integer
from acausal.codegen.table_function import TableFunction


class EventFunction(TableFunction):
    """It returns 0, or 1 where Python is to do the event."""

    places, numbers = PLACE, NUMBERS

    def is_kind(self, index: ir.Value, kind: str) -> ir.Value:
        """Whether a held value is of this kind."""
        return self.b.icmp_signed("==", self.whole("kind", index), integer(KINDS.index(kind)))
