"""Sorting: the order in which equations can be solved, and which must be solved together.

    0: x [y]         0, 2 form a loop over y, z;    blocks: (1: x), (0 2: y z)
    1: [x]      ->   both need x
    2: y [z]

Each equation is a vertex; it needs the equations matched to its other variables.
The strong components of this graph are the blocks (Tarjan 1972; Duff and Reid
1978), and Tarjan's algorithm finds a component after all that it needs.
"""

from collections.abc import Sequence

from acausal.ir.graph import Block, Incidence, Matching

_DONE = 1 << 62


def sort_blocks(incidence: Incidence, matching: Matching) -> tuple[Block, ...]:
    """Block lower triangular form: each block needs variables of itself and of blocks before it only.

    Variables without equation count as known; equations without variable are
    left out. Equations that could be solved in their own order keep it. Linear.
    """
    blocks = []
    var_of_eq = matching.var_of_eq
    for component in strong_components(_needs(incidence, matching)):
        if len(component) == 1:
            var = var_of_eq[component[0]]
            if var is not None:
                blocks.append(Block((component[0],), (var,)))
            continue
        eqs = tuple(sorted(component))
        blocks.append(Block(eqs, tuple([var for eq in eqs if (var := var_of_eq[eq]) is not None])))
    return tuple(blocks)


def _needs(incidence: Incidence, matching: Matching) -> list[list[int]]:
    """For each equation those that determine its other variables; none for an equation without variable."""
    eq_of_var = matching.eq_of_var
    needs: list[list[int]] = []
    for eq, (var, variables) in enumerate(zip(matching.var_of_eq, incidence.vars_of_eq, strict=True)):
        if var is None:
            needs.append([])
        else:
            needs.append([owner for v in variables if (owner := eq_of_var[v]) is not None and owner != eq])
    return needs


def strong_components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """The strong components of a directed graph, each after those that it leads to.

    Source: R. Tarjan, Depth-first search and linear graph algorithms, SIAM J.
    Comput. 1(2), 1972, pp. 146-160, procedure STRONGCONNECT, on an explicit stack.
    """
    count = 0
    number = [0] * len(successors)
    low = [0] * len(successors)
    points: list[int] = []
    components: list[list[int]] = []
    for root, seen in enumerate(number):
        if seen:
            continue
        count += 1
        number[root] = low[root] = count
        points.append(root)
        path = [(root, iter(successors[root]))]
        while path:
            vertex, branches = path[-1]
            lowest = low[vertex]
            for following in branches:
                seen = number[following]
                if not seen:
                    count += 1
                    number[following] = low[following] = count
                    points.append(following)
                    path.append((following, iter(successors[following])))
                    break
                if seen < lowest:
                    lowest = low[vertex] = seen
            else:
                path.pop()
                if lowest == number[vertex]:
                    components.append(_take_component(points, vertex, number))
                elif lowest < low[path[-1][0]]:
                    low[path[-1][0]] = lowest
    return components


def _take_component(points: list[int], root: int, number: list[int]) -> list[int]:
    """Take the component of `root` from the stack of points, and let no later link count towards it."""
    component = []
    while True:
        point = points.pop()
        number[point] = _DONE
        component.append(point)
        if point == root:
            return component
