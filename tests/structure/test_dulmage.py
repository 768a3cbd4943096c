"""The decomposition against its definition by brute force."""

from itertools import combinations
from random import Random

import networkx as nx
import pytest

from acausal.ir.graph import Incidence
from acausal.structure.dulmage import Part, connected_components, decompose
from tests.structure.graphs import bipartite, random_incidence, random_square, rank


@pytest.mark.parametrize("seed", range(80))
def test_parts_by_definition(seed: int) -> None:
    """An equation is over-determined if a largest matching can do without it, a variable under-determined alike."""
    rng = Random(seed)
    incidence = random_incidence(rng, rng.randint(1, 12), rng.randint(1, 12), 3)
    eqs, variables = range(incidence.equation_count), range(incidence.variable_count)
    size = rank(incidence)
    spare_eqs = [e for e in eqs if rank(incidence.select([o for o in eqs if o != e], variables)) == size]
    spare_vars = [v for v in variables if rank(incidence.select(eqs, [o for o in variables if o != v])) == size]
    parts = decompose(incidence)
    assert list(parts.over.eqs) == spare_eqs
    assert list(parts.under.vars) == spare_vars
    assert set(parts.over.vars) == {v for e in spare_eqs for v in incidence.vars_of_eq[e]}
    assert set(parts.under.eqs) == {e for e in eqs if set(incidence.vars_of_eq[e]) & set(spare_vars)}
    assert sorted(parts.over.eqs + parts.well.eqs + parts.under.eqs) == list(eqs)
    assert sorted(parts.over.vars + parts.well.vars + parts.under.vars) == list(variables)
    assert len(parts.well.eqs) == len(parts.well.vars)
    assert parts.is_well_determined == (not parts.over.eqs and not parts.under.vars)


def test_over_part_is_the_greatest_deficiency() -> None:
    for seed in range(30):
        incidence = random_incidence(Random(seed), 8, 7, 2)
        part = decompose(incidence).over
        deficiency = max(
            count - len({v for e in chosen for v in incidence.vars_of_eq[e]})
            for count in range(9)
            for chosen in combinations(range(8), count)
        )
        assert len(part.eqs) - len(part.vars) == deficiency


def test_docstring_example() -> None:
    parts = decompose(Incidence(((0,), (0,), (0, 1), (1, 2, 3)), 4))
    assert parts.over == Part((0, 1), (0,))
    assert parts.well == Part((2,), (1,))
    assert parts.under == Part((3,), (2, 3))


@pytest.mark.parametrize("seed", range(30))
def test_connected_components(seed: int) -> None:
    incidence = random_incidence(Random(seed), 25, 25, 2)
    whole = Part(tuple(range(25)), tuple(range(25)))
    components = connected_components(incidence, whole)
    oracle = {frozenset(c) for c in nx.connected_components(bipartite(incidence))}
    assert {frozenset([("e", e) for e in p.eqs] + [("v", v) for v in p.vars]) for p in components} == oracle
    over = decompose(incidence).over
    for part in connected_components(incidence, over):
        assert len(part.eqs) > len(part.vars)


def test_well_determined() -> None:
    assert decompose(random_square(Random(2), 500, 3)).is_well_determined
