"""Arrays that nothing needs go with the equation that defines them, before elements are made.

    --outputs a:    f = I*a + b     f stands in no other equation: out, and then what only f needed

The same as `prune` after index reduction, for the plain case: a variable that stands in one equation alone can be
matched with it, whatever the others say. What is left, `prune` finds.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from acausal.ir.events import map_when
from acausal.ir.expr import ARRAY, VARIES, Expr
from acausal.ir.flat import NO_ATTRIBUTES, Equation, FlatModel, Variable
from acausal.ir.names import Name, show_name


def prune_arrays(flat: FlatModel, outputs: Sequence[str]) -> FlatModel:
    """The model without arrays that the outputs do not need; linear in its size.

    All of it if there is an output of unknown name, so that the message can name all variables.
    """
    named = {show_name(v.symbol.name) for v in flat.variables}
    if any(name.split("[")[0] not in named and name not in named for name in outputs):
        return flat
    arrays_of = [_arrays(e.sides) for e in flat.equations]
    equations_of: dict[Name, dict[int, None]] = {}
    for number, arrays in enumerate(arrays_of):
        for name in arrays:
            equations_of.setdefault(name, {})[number] = None
    free = {v.symbol.name: v.symbol for v in flat.variables if _may_go(v)}
    for name in _needed(flat, outputs, free):
        free.pop(name, None)
    gone: set[int] = set()
    dead: set[Name] = set()
    open_ = [name for name in free if len(equations_of.get(name, ())) == 1]
    while open_:
        name = open_.pop()
        (number,) = equations_of[name]
        if number in gone or not _defines(flat.equations[number], free[name]):
            continue
        gone.add(number)
        dead.add(name)
        for other in arrays_of[number]:
            del equations_of[other][number]
            if other in free and other not in dead and len(equations_of[other]) == 1:
                open_.append(other)
    return replace(
        flat,
        variables=tuple([v for v in flat.variables if v.symbol.name not in dead]),
        equations=tuple([e for i, e in enumerate(flat.equations) if i not in gone]),
    )


def _arrays(exprs: Iterable[Expr]) -> tuple[Name, ...]:
    """The arrays in the expressions, in the order in which they are met."""
    found: dict[Name, None] = {}
    seen: set[Expr] = set()
    stack = [e for e in exprs if e.flags & ARRAY]
    while stack:
        node = stack.pop()
        if node in seen or not node.flags & VARIES:
            continue
        seen.add(node)
        if node.op == "variable":
            found[node.name] = None
        else:
            stack += [a for a in node.args if a.flags & ARRAY]
    return tuple(found)


def _may_go(variable: Variable) -> bool:
    """An array of which no more is said than its unit."""
    plain = replace(variable.attributes, unit=None, unit_at=None, start_at=None) == NO_ATTRIBUTES
    return bool(variable.symbol.shape) and plain and variable.kind not in ("input", "discrete")


def _needed(flat: FlatModel, outputs: Iterable[str], free: dict[Name, Expr]) -> Iterator[Name]:
    """The arrays that are wanted, known or read by conditions, events and initial equations."""
    wanted = set(outputs) | {name.split("[")[0] for name in outputs}
    yield from [name for name in free if show_name(name) in wanted]
    for name in flat.known:
        yield from (name[:depth] for depth in range(1, len(name) + 1))
    exprs = [side for e in flat.initial_equations for side in e.sides]
    exprs += [c.condition for c in flat.conditions]

    def gather(expr: Expr) -> Expr:
        exprs.append(expr)
        return expr

    for when in flat.whens:
        map_when(when, gather)
    yield from _arrays(exprs)


def _defines(equation: Equation, array: Expr) -> bool:
    """Whether the array alone stands on one side, and not on the other."""
    for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if side is array:
            return not equation.derivatives and array.name not in _arrays((other,))
    return False
