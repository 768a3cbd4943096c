"""Expressions of variables as further stored variables of a program.

x^2 + y        a variable of that name, computed with the others
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.sensitivities.integrals import Copy, register_of, results_of
from acausal.ir.expr import Expr
from acausal.ir.names import Symbol
from acausal.ir.program.program import Program
from acausal.ir.program.slots import VariableSlot


def with_expressions(
    program: Program, exprs: Sequence[tuple[Symbol, Expr]], leaves: Mapping[Expr, VariableSlot], most: int
) -> Program:
    """The program with these expressions as variables; `leaves` are the slots of what stands in them."""
    found, count = Copy(Code(), most), len(exprs)
    results = results_of(found, program, program.variables)
    registers = {leaf: register_of(found, slot, results) for leaf, slot in leaves.items()}
    made = [found.code.expression(expr, registers) for _, expr in exprs]
    results[program.stored : program.stored] = made
    names = tuple([(found.there[register], symbol) for register, symbol in program.variables.names])
    slots = [VariableSlot(symbol, "stored", program.stored + k) for k, (symbol, _) in enumerate(exprs)]
    return replace(
        program,
        variable_slots=(*program.variable_slots, *slots),
        conditions=tuple([replace(c, position=c.position + count) for c in program.conditions]),
        stored=program.stored + count,
        shared=0,
        variables=found.code.routine(results, found.keeps, names),
    )
