"""Constraints on units contradict each other just where linear algebra says so, with elimination or without.

Reference: with exponents as unknowns, each base unit gives a system of linear equations; it has no solution where the
rank of the matrix grows by the right-hand side (Rouche and Capelli). Ranks are found here by fractions.
"""

import random
from fractions import Fraction

import pytest

from acausal.base.source import SourceFile, Span
from acausal.ir.origin import Origin
from acausal.ir.pool import Pool
from acausal.units.check.constraints import Constraint
from acausal.units.check.open_units import Open, form_of
from acausal.units.check.solve import Solution
from acausal.units.dimension import ONE, Dimension, base, power, product

UNITS = (base("m"), base("s"))
ORIGIN = Origin(Span(SourceFile("test.mdl", "x"), 0, 1), ())

Row = tuple[tuple[int, ...], tuple[int, int]]
"""Exponents of the unknowns, then those of metre and second on the other side."""


def drawn(seed: int) -> list[Row]:
    """Few unknowns in most constraints, no dimension in many: as in models."""
    draw = random.Random(seed)
    unknowns = draw.randint(2, 6)
    rows: list[Row] = []
    for _ in range(draw.randint(1, 8)):
        exponents = [0] * unknowns
        for unknown in draw.sample(range(unknowns), min(unknowns, draw.choice((1, 2, 2, 3, 3, 4)))):
            exponents[unknown] = draw.choice((-2, -1, 1, 1, 2))
        right = (0, 0) if draw.random() < 0.7 else (draw.randint(-1, 1), draw.randint(-1, 1))
        rows.append((tuple(exponents), right))
    return rows


def solution_of(rows: list[Row]) -> Solution:
    zero = Pool().zero
    constraints = []
    for exponents, (metres, seconds) in rows:
        left = form_of(ONE, dict(enumerate(exponents)))
        right = product(power(UNITS[0], metres), power(UNITS[1], seconds))
        constraints.append(Constraint("", zero, zero, (left, right), ORIGIN))
    found = Solution(constraints, len(rows[0][0]))
    found.solve()
    return found


def rank(matrix: list[list[Fraction]]) -> int:
    rows, done = [row[:] for row in matrix], 0
    for column in range(len(rows[0])):
        pivot = next((r for r in range(done, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[done], rows[pivot] = rows[pivot], rows[done]
        for r in range(done + 1, len(rows)):
            factor = rows[r][column] / rows[done][column]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[done], strict=True)]
        done += 1
    return done


def contradicts(rows: list[Row]) -> bool:
    left = [[Fraction(e) for e in exponents] for exponents, _ in rows]
    whole = [[*row, *map(Fraction, right)] for row, (_, right) in zip(left, rows, strict=True)]
    return rank(whole) > rank(left)


@pytest.mark.parametrize("seed", range(40))
def test_a_clash_where_and_only_where_there_is_no_solution(seed: int) -> None:
    for number in range(25):
        rows = drawn(25 * seed + number)
        assert bool(solution_of(rows).clashes) == contradicts(rows), rows


def test_both_kinds_are_drawn() -> None:
    kinds = [contradicts(drawn(number)) for number in range(1000)]
    assert 200 < sum(kinds) < 800


@pytest.mark.parametrize("seed", range(10))
def test_the_units_found_meet_all_constraints(seed: int) -> None:
    for number in range(50):
        rows = drawn(50 * seed + number)
        solution = solution_of(rows)
        if solution.clashes:
            continue
        solution.find_all()
        for constraint in solution.constraints:
            left, right = map(solution.now, constraint.forms)
            assert left is right or isinstance(left, Open)
            assert isinstance(right, Dimension)
