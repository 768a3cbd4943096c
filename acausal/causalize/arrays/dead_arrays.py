"""Arrays that nothing needs go with the equation that defines them, before elements are made.

    --outputs a:    f = I*a + b     f stands in no other equation: out, and then what only f needed

The same as `prune` after index reduction, for the plain case: a variable that stands in one equation alone can be
matched with it, whatever the others say. What is left, `prune` finds; so where another array stood in this equation
alone, too, and one of them has no equation, analysis of structure reports it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from acausal.causalize.aliases.representative import may_be_left_out
from acausal.causalize.arrays.element_names import array_variables
from acausal.causalize.arrays.output_names import wanted_arrays
from acausal.ir.events import map_when
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel


def prune_arrays(flat: FlatModel, outputs: Sequence[str]) -> FlatModel:
    """The model without arrays that the outputs do not need; linear in its size."""
    arrays_of = [array_variables(flat.pool, e.sides, {}) for e in flat.equations]
    equations_of: dict[Expr, dict[int, None]] = {}
    for number, named in enumerate(arrays_of):
        for array in named:
            equations_of.setdefault(array, {})[number] = None
    needed = set(_needed(flat, outputs))
    arrays = [v for v in flat.variables if v.symbol.shape]
    free = {v.symbol for v in arrays if v.symbol not in needed and may_be_left_out(v)}
    gone: set[int] = set()
    dead: set[Expr] = set()
    open_ = [v.symbol for v in arrays if v.symbol in free and len(equations_of.get(v.symbol, ())) == 1]
    while open_:
        array = open_.pop()
        (number,) = equations_of[array]
        others = [a for a in arrays_of[number] if a is not array]
        if any(len(equations_of[a]) == 1 for a in others) or not _defines(flat, number, array):
            continue
        gone.add(number)
        dead.add(array)
        for other in others:
            del equations_of[other][number]
            if other in free and len(equations_of[other]) == 1:
                open_.append(other)
    return replace(
        flat,
        variables=tuple([v for v in flat.variables if v.symbol not in dead]),
        equations=tuple([e for i, e in enumerate(flat.equations) if i not in gone]),
    )


def _needed(flat: FlatModel, outputs: Iterable[str]) -> Iterator[Expr]:
    """The arrays that are wanted, known or read by conditions, events and initial equations."""
    yield from wanted_arrays([v.symbol for v in flat.variables], outputs)
    known = {name[:depth] for name in flat.known for depth in range(1, len(name) + 1)}
    yield from [v.symbol for v in flat.variables if v.symbol.name in known]
    exprs = [side for e in flat.initial_equations for side in e.sides]
    exprs += [c.condition for c in flat.conditions]

    def gather(expr: Expr) -> Expr:
        exprs.append(expr)
        return expr

    for when in flat.whens:
        map_when(when, gather)
    yield from array_variables(flat.pool, exprs, {})


def _defines(flat: FlatModel, number: int, array: Expr) -> bool:
    """True if the array alone stands on one side, and not on the other."""
    equation = flat.equations[number]
    for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if side is array:
            return not equation.derivatives and array not in array_variables(flat.pool, (other,), {})
    return False
