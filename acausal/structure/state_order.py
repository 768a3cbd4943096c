"""Order of preference among candidates for states, and what must be chosen together."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from acausal.ir.graph import Block, Incidence, Reduction
from acausal.structure.blt import sort_blocks

NEVER, AVOID, DEFAULT, PREFER, ALWAYS = range(5)
"""Preference of a variable as a state (its attribute `state`)."""


def order_by_preference(
    reduced: Reduction, preference: Sequence[float], ease: Mapping[int, int] | None = None
) -> tuple[int, ...]:
    """All derivatives, those first that should become dummies: whose variable is least wanted as a state.

    `preference[v]` is NEVER to ALWAYS, or between, for the variables of the system given;
    derivatives made by the reduction have DEFAULT. A derivative is ranked by the
    variable it is the derivative of, of equals by the variable which that is the
    derivative of, and so on; then by `ease`, the easily solved first; then the
    variables declared first remain states.
    """
    predecessor = predecessors(reduced.var_derivative)
    wanted: list[float] = [*preference, *[DEFAULT] * (len(reduced.var_derivative) - len(preference))]
    easy = ease or {}
    below = {var: list(_chain_down(predecessor, var)) for var, lower in enumerate(predecessor) if lower is not None}
    longest = max(map(len, below.values()), default=0)

    def rank(derivative: int) -> tuple[list[float], int, int]:
        chain = below[derivative]
        preferences = [wanted[var] for var in chain] + [DEFAULT] * (longest - len(chain))
        return preferences, -easy.get(derivative, 0), -chain[-1]

    return tuple(sorted(below, key=rank))


def ease_of_solving(
    incidence: Incidence, reduced: Reduction, solvable: Mapping[tuple[int, int], int]
) -> dict[int, int]:
    """For each derivative the best class (see `tearing`) in which a differentiated equation can be solved for it.

    So x = L*sin(phi), differentiated, makes x' a dummy and leaves phi a state.
    """
    is_derivative = [below is not None for below in predecessors(reduced.eq_derivative)]
    ease: dict[int, int] = {}
    for eq, row in enumerate(incidence.vars_of_eq):
        if is_derivative[eq]:
            for var in row:
                ease[var] = max(ease.get(var, 0), solvable.get((eq, var), 0))
    return ease


def highest_blocks(incidence: Incidence, reduced: Reduction) -> tuple[Block, ...]:
    """The blocks of the equations without derivative over the variables without derivative."""
    highest_var = [der is None for der in reduced.var_derivative]
    rows = [
        tuple([var for var in row if highest_var[var]]) if der is None else ()
        for row, der in zip(incidence.vars_of_eq, reduced.eq_derivative, strict=True)
    ]
    return sort_blocks(Incidence(tuple(rows), incidence.variable_count), reduced.matching)


def tied_blocks(
    blocks: Sequence[Block],
    incidence: Incidence,
    reduced: Reduction,
    by_hand: Mapping[int, Sequence[int]],
    preferred: Collection[int],
) -> Sequence[Block]:
    """The blocks; those that have to choose together are one.

    A differentiated equation with a preferred variable ties blocks together. So do derivatives with which lower levels
    of several blocks may begin again: only one equation can have each of these.
    """
    if not preferred and not by_hand:
        return blocks
    block_of_var = {var: number for number, block in enumerate(blocks) for var in block.vars}
    eq_below, var_below = predecessors(reduced.eq_derivative), predecessors(reduced.var_derivative)
    root = list(range(len(blocks)))

    def find(number: int) -> int:
        while root[number] != number:
            root[number] = number = root[root[number]]
        return number

    first: dict[int, int] = {}
    for number, block in enumerate(blocks):
        for eq in block.eqs if by_hand else ():
            for var in [var for lower in _chain_down(eq_below, eq) for var in by_hand.get(lower, ())]:
                if reduced.var_derivative[var] is None:
                    root[find(first.setdefault(var, number))] = find(number)
        for eq in [eq for eq in block.eqs if eq_below[eq] is not None] if preferred else ():
            row = [v for v in incidence.vars_of_eq[eq] if v in block_of_var and var_below[v] is not None]
            if any(below in preferred for v in row for below in _chain_down(var_below, v)):
                for var in row:
                    root[find(block_of_var[var])] = find(number)
    joined: dict[int, list[Block]] = {}
    for number, block in enumerate(blocks):
        joined.setdefault(find(number), []).append(block)
    return [
        Block(tuple(sorted(e for b in group for e in b.eqs)), tuple(v for b in group for v in b.vars))
        for group in joined.values()
    ]


def predecessors(derivative_of: Sequence[int | None]) -> tuple[int | None, ...]:
    """For each variable (or equation) the one that it is the derivative of."""
    predecessor: list[int | None] = [None] * len(derivative_of)
    for var, derivative in enumerate(derivative_of):
        if derivative is not None:
            predecessor[derivative] = var
    return tuple(predecessor)


def _chain_down(predecessor: Sequence[int | None], derivative: int) -> Iterator[int]:
    below = predecessor[derivative]
    while below is not None:
        yield below
        below = predecessor[below]
