"""Constraints that are redundant in some mode only: two bearings of one shaft that stick, ideal switches in parallel.

    J*a = f - t1 - t2     a = 0 if b1 sticks, else t1 = T1     a = 0 if b2 sticks, else t2 = T2

In the mode where as many constraints are active as can be, the matrix of a block is singular, and all that is
undetermined are reactions: forces, torques, currents and what belongs to them alone. Such a block is solved whole, by
`runtime/blocks/least_norm`: wherever a run meets such a mode, reactions have minimum norm. Which components carry the
redundant constraints is found here and reported in a note; the norm is that of their reactions.
"""

from collections.abc import Iterator, Mapping, Sequence

from acausal.base.diagnostics import Diagnostic, Label, Severity
from acausal.base.frozen import dataclass
from acausal.causalize.explain.describe import declaration
from acausal.causalize.index.numeric_rank import POINTS, block_null_space
from acausal.causalize.loops.reactions import reactions_of
from acausal.ir.dae import Dae, Redundancy, SortedSystem
from acausal.ir.expr import FROZEN, VARIES, Expr
from acausal.ir.flat import Equation, FlatModel
from acausal.ir.graph import Block
from acausal.ir.names import listed, show_name, without_indices
from acausal.ir.origin import How
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import marked, variables_of
from acausal.structure.null_space import NullSpace
from acausal.symbolic.slopes import NoSlopeError, Point
from acausal.symbolic.substitute import substitute

SHOWN = 4
LARGEST = 100
"""Equations of a block that is solved whole."""

Modes = Mapping[Expr, bool]


@dataclass(frozen=True, slots=True)
class _Constraints:
    """The conditions of a block with the values that make equations constraints, and these equations."""

    modes: Modes
    equations: frozenset[int]


def find_redundant_modes(flat: FlatModel, dae: Dae, run: SortedSystem) -> Iterator[tuple[Redundancy, Diagnostic]]:
    """Redundant modes of all blocks, each with its note."""
    for block in run.blocks:
        if not 1 < len(block.eqs) <= LARGEST:
            continue
        conditions = _conditions(run, block)
        if not conditions:
            continue
        unknowns = [run.unknowns[v] for v in block.vars]
        reactions = _without_motion(flat, dae, run, block, reactions_of(flat, dae, unknowns))
        constraints = _constraints(run, block, conditions, frozenset(reactions))
        space = None if len(constraints.equations) < 1 else _null_space(dae, run, block, constraints.modes)
        if space is None or not space.rows:
            continue
        open_ = {unknowns[k] for vector in space.columns for k in vector}
        if open_.issubset(reactions):
            yield _redundancy(flat, dae, run, block, constraints, space, tuple(reactions))


def _conditions(run: SortedSystem, block: Block) -> dict[Expr, list[int]]:
    """Conditions between branches with different unknowns, which events change, and the equations they are in."""
    unknowns = {run.unknowns[v] for v in block.vars}
    found: dict[Expr, list[int]] = {}
    for e in block.eqs:
        equation = run.equations[e]
        for node in marked([equation.left, equation.right], FROZEN):
            if node.op == "if" and node.args[0].flags & FROZEN and (node.args[1].flags | node.args[2].flags) & VARIES:
                one, other = [unknowns.intersection(variables_of([branch])) for branch in node.args[1:]]
                if one != other:
                    found.setdefault(node.args[0], []).append(e)
    return found


def _without_motion(
    flat: FlatModel, dae: Dae, run: SortedSystem, block: Block, unknowns: Sequence[Expr]
) -> tuple[Expr, ...]:
    """Reactions that no equation without conditions determines from the motion.

    Through variables and what follows them.
    """
    through = _through(flat, dae, unknowns)
    left = dict.fromkeys(unknowns)
    fixed = [run.equations[e] for e in block.eqs]
    rows = [
        [x for x in e.variables if x in left] for e in fixed if not e.left.flags & FROZEN and not e.right.flags & FROZEN
    ]
    found = True
    while found:
        found = False
        for row in rows:
            inside = [x for x in row if x in left]
            if len(inside) == 1 and inside[0] not in through:
                del left[inside[0]]
                found = True
    return tuple(left)


def _through(flat: FlatModel, dae: Dae, unknowns: Sequence[Expr]) -> set[Expr]:
    """Through variables of connections, or variables equal to one."""
    sums = {
        without_indices(x.name)
        for e in flat.equations
        if e.origin.how in (How.FLOW_SUM, How.UNCONNECTED)
        for x in e.all_variables
    }
    found = {x for x in unknowns if without_indices(x.name) in sums}
    for alias in dae.aliases:
        if without_indices(alias.variable.symbol.name) in sums:
            found.update(variables_of([alias.value]))
    return found


def _constraints(
    run: SortedSystem, block: Block, conditions: Mapping[Expr, Sequence[int]], reactions: frozenset[Expr]
) -> _Constraints:
    """Constraint of the motion: an equation from which a condition removes all reactions."""
    unknowns = {run.unknowns[v] for v in block.vars}
    modes: dict[Expr, bool] = {}
    equations: set[int] = set()
    for condition, places in conditions.items():
        for e in places:
            for value in (True, False):
                inside = unknowns.intersection(_variables_in_mode(run, e, condition, value))
                if inside and inside.isdisjoint(reactions) and modes.setdefault(condition, value) is value:
                    equations.add(e)
    return _Constraints(modes, frozenset(equations))


def _variables_in_mode(run: SortedSystem, number: int, condition: Expr, value: bool) -> list[Expr]:
    """The variables of an equation with this value of a condition."""
    equation, pool = run.equations[number], run.pool
    chosen: dict[Expr, Expr] = {}
    sides = [equation.left, equation.right]
    for node in marked(sides, FROZEN):
        if node.op == "if" and node.args[0] is condition:
            chosen[node] = node.args[1 if value else 2]
    found: dict[Expr, None] = {}
    stack = [pool.sub(*sides)]
    seen: set[Expr] = set()
    while stack:
        node = chosen.get(stack[-1], stack[-1])
        stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.op == "variable":
            found[node] = None
        stack += node.args
    return list(found)


def _null_space(dae: Dae, run: SortedSystem, block: Block, modes: Modes) -> NullSpace | None:
    """At the last of some points, where the block is singular at all of them."""
    known = {p.symbol: float(p.value) for p in dae.parameters if isinstance(p.value, float | bool)}
    space = None
    for seed, size in POINTS:
        try:
            space = block_null_space(run, block, Point(run.pool, seed, size, known, modes))
        except NoSlopeError:
            return None
        if space is None or not space.rows:
            return None
    return space


def _redundancy(
    flat: FlatModel,
    dae: Dae,
    run: SortedSystem,
    block: Block,
    constraints: _Constraints,
    space: NullSpace,
    reactions: tuple[Expr, ...],
) -> tuple[Redundancy, Diagnostic]:
    unknowns = [run.unknowns[v] for v in block.vars]
    open_ = [unknowns[k] for k in sorted({k for vector in space.columns for k in vector})]
    rows = sorted({block.eqs[k] for vector in space.rows for k in vector})
    dependent = [e for e in rows if e in constraints.equations]
    paths = list(dict.fromkeys([run.equations[e].origin.path for e in dependent]))
    measured = tuple([x for x in open_ if any(path and x.name[: len(path)] == path for path in paths)])
    equations = [run.equations[e] for e in dependent]
    note = _note(flat, dae, equations, constraints.modes, measured or tuple(open_), len(space.rows))
    return Redundancy(reactions, measured, tuple(unknowns)), note


def _note(
    flat: FlatModel, dae: Dae, equations: Sequence[Equation], modes: Modes, shown: Sequence[Expr], count: int
) -> Diagnostic:
    texts = {h.symbol: h.written for h in dae.events.frozen if h.written is not None}
    named: dict[str, None] = {}
    for equation in equations:
        for node in marked([equation.left, equation.right], FROZEN):
            if node.op == "if" and node.args[0] in modes:
                condition = show_expr(substitute(dae.pool, node.args[0], texts))
                named[condition if modes[node.args[0]] else f"not ({condition})"] = None
    paths = list(dict.fromkeys([e.origin.path for e in equations if e.origin.path]))
    components = [show_name(path) for path in paths] or ["equations"]
    places = [declaration(flat, path) or Label(e.origin.span, "redundant") for path, e in _first(equations)]
    redundant = f"{count} redundant constraint{'' if count == 1 else 's'}"
    modes_named = " and ".join(list(named)[:SHOWN]) + (f" and {len(named) - SHOWN} more" if len(named) > SHOWN else "")
    return Diagnostic(
        "I041",
        f"{listed(components, SHOWN)} are overconstrained where {modes_named}: {redundant}",
        places[0] if places else None,
        tuple(places[1:]),
        notes=(
            "all other variables are unique; these reactions are not, and have minimum norm there: "
            + listed([show_name(x.name) for x in shown], SHOWN),
        ),
        severity=Severity.NOTE,
    )


def _first(equations: Sequence[Equation]) -> list[tuple[tuple[str | int, ...], Equation]]:
    """The first equation of each component."""
    found: dict[tuple[str | int, ...], Equation] = {}
    for equation in equations:
        found.setdefault(equation.origin.path, equation)
    return list(found.items())
