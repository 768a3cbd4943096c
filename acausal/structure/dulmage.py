"""The Dulmage-Mendelsohn decomposition: where a system has too many equations, and where too few.

    0: x                                  over: eqs 0 1, vars x
    1: x             ->                   well: eqs 2, vars y
    2: x y                                under: eqs 3, vars z w
    3: y z w

Source: A. L. Dulmage, N. S. Mendelsohn, Coverings of bipartite graphs, Canad. J.
Math. 10, 1958, p. 517; A. Pothen, C.-J. Fan, Computing the block triangular form of
a sparse matrix, ACM TOMS 16(4), 1990, p. 303.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from acausal.ir.graph import Incidence, Matching
from acausal.structure.matching import match


@dataclass(frozen=True, slots=True)
class Part:
    """Some equations and variables, each ascending."""

    eqs: tuple[int, ...]
    vars: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The three parts; they do not depend on which matching of largest size was found.

    The equations of `over` have variables of `over` only, more equations
    than variables; those of `under` fewer than variables, whatever else is solved;
    `well` has as many of each. An equation of `well` may also have variables of `over`,
    an equation of `under` any.
    """

    over: Part
    well: Part
    under: Part
    matching: Matching

    @property
    def is_well_determined(self) -> bool:
        """True if there is neither an over- nor an under-determined part."""
        return self.matching.is_perfect


def decompose(incidence: Incidence, start: Matching | None = None) -> Decomposition:
    """The coarse decomposition of any system. Linear after `match(incidence, start)`.

    The fine decomposition of the well-determined part is `blt.sort_blocks` with the matching found.
    """
    matching = match(incidence, start)
    over_vars, over_eqs = _alternating(matching.unmatched_eqs, incidence.vars_of_eq, matching.eq_of_var)
    under_eqs, under_vars = _alternating(matching.unmatched_vars, incidence.eqs_of_var(), matching.var_of_eq)
    well_eqs = [e for e in range(incidence.equation_count) if not (over_eqs[e] or under_eqs[e])]
    well_vars = [v for v in range(incidence.variable_count) if not (over_vars[v] or under_vars[v])]
    return Decomposition(
        over=Part(_numbers(over_eqs), _numbers(over_vars)),
        well=Part(tuple(well_eqs), tuple(well_vars)),
        under=Part(_numbers(under_eqs), _numbers(under_vars)),
        matching=matching,
    )


def connected_components(incidence: Incidence, part: Part) -> tuple[Part, ...]:
    """A part split where no equation joins it, in the order of the first equation, lone variables last.

    Each component of an over- or under-determined part is one fault to explain.
    """
    eqs_of_var = incidence.select(part.eqs, part.vars).eqs_of_var()
    new_of_var = {var: new for new, var in enumerate(part.vars)}
    seen_eqs, seen_vars = bytearray(len(part.eqs)), bytearray(len(part.vars))
    components = []
    for root in range(len(part.eqs)):
        if seen_eqs[root]:
            continue
        seen_eqs[root] = True
        eqs, variables = [root], list[int]()
        for eq in eqs:
            for var in incidence.vars_of_eq[part.eqs[eq]]:
                new = new_of_var.get(var)
                if new is None or seen_vars[new]:
                    continue
                seen_vars[new] = True
                variables.append(new)
                reached = [e for e in eqs_of_var[new] if not seen_eqs[e]]
                for other in reached:
                    seen_eqs[other] = True
                eqs.extend(reached)
        components.append(
            Part(tuple([part.eqs[e] for e in sorted(eqs)]), tuple([part.vars[v] for v in sorted(variables)]))
        )
    lone = (Part((), (var,)) for var, seen in zip(part.vars, seen_vars, strict=True) if not seen)
    return (*components, *lone)


def _alternating(
    roots: Sequence[int], neighbours: Sequence[Sequence[int]], partner: Sequence[int | None]
) -> tuple[bytearray, bytearray]:
    """Reach out from unmatched vertices by any edge, back by matched edges; marks of both sides, far side first."""
    far, near = bytearray(len(partner)), bytearray(len(neighbours))
    reached = list(roots)
    for vertex in reached:
        near[vertex] = True
        for other in neighbours[vertex]:
            if not far[other]:
                far[other] = True
                back = partner[other]
                assert back is not None, "a matching of largest size has no augmenting path"
                reached.append(back)
    return far, near


def _numbers(marks: bytearray) -> tuple[int, ...]:
    return tuple([number for number, mark in enumerate(marks) if mark])
