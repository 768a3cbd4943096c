"""The verifier of flat models."""

from collections.abc import Iterator, Sequence

from acausal.ir.check.expressions import Leaves, expression_faults
from acausal.ir.events import When
from acausal.ir.flat import Equation, FlatModel
from acausal.ir.show.expressions import show_equation, show_expr


def check_flat(flat: FlatModel) -> tuple[str, ...]:
    """Faults of a flat model, each with its surroundings; empty if it is sound."""
    return tuple(_faults(flat))


def _faults(flat: FlatModel) -> Iterator[str]:
    yield from expression_faults(flat.pool)
    symbols = [*[p.symbol for p in flat.parameters], *[v.symbol for v in flat.variables]]
    yield from repeated("name", [s.name for s in symbols])
    declared = {(s.op, s.name, s.shape) for s in symbols}
    leaves = Leaves(flat.pool, lambda x: (x.op, x.name, x.shape) in declared)
    for p in flat.parameters:
        place = f"parameter {show_expr(p.symbol)}"
        if p.binding.varies:
            yield f"{place} is bound to {show_expr(p.binding)}, which varies"
        if p.binding.shape != p.symbol.shape:
            yield f"{place} of shape {p.symbol.shape} has a binding of {p.binding.shape}"
        yield from (f"{place}: {fault}" for fault in leaves.faults([p.binding]))
    for kind, equations in (("equation", flat.equations), ("initial equation", flat.initial_equations)):
        for number, equation in enumerate(equations):
            found = leaves.faults(equation.sides)
            if equation.left.shape != equation.right.shape:
                found.append(f"shape {equation.left.shape} = shape {equation.right.shape}")
            yield from (f"{kind} {number}: {fault}\n{around(equations, number)}" for fault in found)
    for condition in flat.conditions:
        yield from (f"{condition.kind} {condition.text}: {fault}" for fault in leaves.faults([condition.condition]))
    for when in flat.whens:
        yield from (f"when: {fault}" for fault in _when_faults(when, leaves))


def _when_faults(when: When, leaves: Leaves) -> Iterator[str]:
    for branch in when.branches:
        roots = [a.value for a in branch.actions] + [a.target for a in branch.actions if a.target is not None]
        yield from leaves.faults(roots if branch.condition is None else [branch.condition, *roots])
        for action in branch.actions:
            if (action.kind in ("init", "new")) != (action.target is not None):
                yield f"{action.kind} of {action.target}"


def repeated(what: str, items: Sequence[object]) -> Iterator[str]:
    """Items that are there twice."""
    seen: set[object] = set()
    for item in items:
        if item in seen:
            yield f"{what} {item} is there twice"
        seen.add(item)


def around(equations: Sequence[Equation], number: int) -> str:
    """An equation between its neighbours."""
    first, last = max(number - 1, 0), min(number + 2, len(equations))
    marks = [("  > " if i == number else "    ", i) for i in range(first, last)]
    return "\n".join(f"{mark}{i}: {show_equation(equations[i])}" for mark, i in marks)
