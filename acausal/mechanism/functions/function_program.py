"""Expressions as a program of the code generator of models.

results = f(inputs)     is the model      der(result[k]) = f[k](inputs)

whose routine `derivatives` computes all results: what models have as native code, for many rows at once, and in other
languages, functions have too.
"""

from collections.abc import Sequence

from acausal.base.frozen import record
from acausal.base.source import SourceFile, Span
from acausal.codegen.lower.lower import lower
from acausal.ir.experiment import Experiment
from acausal.ir.expr import Expr
from acausal.ir.flat import Parameter, Variable
from acausal.ir.origin import Origin
from acausal.ir.plan import Assign, SolveLinear, SolvePlan, Step
from acausal.ir.pool import Pool
from acausal.ir.program.program import Program
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, transpose
from acausal.symbolic.differentiate import differentiate
from acausal.symbolic.substitute import substitute


@record(frozen=True, slots=True)
class FunctionBody:
    """The `results` of a function of `inputs` (leaves), in terms of `solved` linear equations before them."""

    results: tuple[Expr, ...]
    inputs: tuple[Expr, ...]
    solved: tuple[SolveLinear, ...] = ()


def function_program(name: str, pool: Pool, parameters: Sequence[Parameter], body: FunctionBody) -> Program:
    """The program of a function; its state k stands for result k."""
    origin = origin_of(name)
    states = [pool.variable(("result", k)) for k in range(1, len(body.results) + 1)]
    steps: list[Step] = list(body.solved)
    steps += [Assign(pool.derivative(s), value, origin) for s, value in zip(states, body.results, strict=True)]
    variables = [Variable(s, "local", "real", origin) for s in states]
    return lower(
        SolvePlan(
            name=name,
            pool=pool,
            parameters=tuple(parameters),
            folded=(),
            inputs=tuple([Variable(leaf, "input", "real", origin) for leaf in body.inputs]),
            variables=tuple(variables),
            aliases=(),
            states=tuple(states),
            steps=tuple(steps),
            initial_steps=tuple([Assign(s, pool.zero, origin) for s in states]),
            conditions=(),
            outputs=(),
            experiment=Experiment(),
        )
    )


def affine_form(pool: Pool, results: Sequence[Expr], unknowns: Sequence[Expr]) -> tuple[Matrix, Vector]:
    """Factors of the unknowns in results that are affine in them, a row each, and what is left without them."""
    columns = [[differentiate(pool, x, {unknown: pool.one}, {}) for x in results] for unknown in unknowns]
    nothing = dict.fromkeys(unknowns, pool.zero)
    return transpose(tuple(map(tuple, columns))), tuple([substitute(pool, x, nothing) for x in results])


def origin_of(name: str) -> Origin:
    """The place of what stands in no text."""
    return Origin(Span(SourceFile(name, ""), 0, 0), ())
