"""Relations that may rest, in the program of a model: an exported one cannot examine its equations where it runs."""

from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.causalize.events.rest import relations_that_may_rest
from acausal.ir.program.program import Program

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel


def with_resting_relations(program: Program, model: "CompiledModel") -> Program:
    """The program, whose frozen values say which of them may rest (`causalize/events/rest`)."""
    table = program.table
    relations = [s.name for s in table.frozen if s.kind == "relation" and s.crossing is not None and not s.continuous]
    resting = relations_that_may_rest(model.equations.reduced, relations) if relations else ()
    slots = [replace(s, may_rest=True) if s.continuous or s.name in resting else s for s in table.frozen]
    return replace(program, table=replace(table, frozen=tuple(slots)))
