"""Modes of a block: what is in an equation in a mode, what is singular there, and the note on it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, Severity
from acausal.causalize.explain.describe import declaration
from acausal.causalize.index.numeric_rank import POINTS, block_null_space
from acausal.causalize.loops.reactions import Reactions
from acausal.ir.dae import Dae, SortedSystem
from acausal.ir.expr import FROZEN, Expr
from acausal.ir.flat import Equation, FlatModel, numbers_of
from acausal.ir.graph import Block
from acausal.ir.names import Name, listed, show_name
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import marked
from acausal.structure.null_space import NullSpace
from acausal.symbolic.slopes import NoSlopeError, Point
from acausal.symbolic.substitute import substitute

SHOWN = 4

Modes = Mapping[Expr, bool]
"""Conditions with their values."""


def with_open_switches(run: SortedSystem, smallest: int = 2) -> SortedSystem:
    """The system with conditions in place of variables that they switch between numbers, in blocks from this size on.

    k = if locked then 0 else 1,  (1 - k)*a + k*f = 0    ->    (if locked then a else f) = 0
    """
    switches = _switches(run)
    if not switches:
        return run
    equations = list(run.equations)
    for block in run.blocks:
        for e in block.eqs if len(block.eqs) >= smallest else ():
            equation = equations[e]
            for k in [x for x in equation.variables if x in switches]:
                condition, *values = switches[k].args
                residual = run.pool.sub(equation.left, equation.right)
                branches = [substitute(run.pool, residual, {k: value}) for value in values]
                equation = replace(equation, left=run.pool.if_(condition, *branches), right=run.pool.zero)
            equations[e] = equation
    return replace(run, equations=tuple(equations))


def _switches(run: SortedSystem) -> dict[Expr, Expr]:
    """Variables that are one of two numbers by a condition which events change."""
    found: dict[Expr, Expr] = {}
    for block in run.blocks:
        equation, unknown = run.equations[block.eqs[0]], run.unknowns[block.vars[0]]
        sides = {equation.left: equation.right, equation.right: equation.left}
        value = sides.get(unknown) if len(block.eqs) == 1 else None
        if value is None or value.op != "if" or not value.args[0].flags & FROZEN:
            continue
        if all(branch.op == "const" for branch in value.args[1:]):
            found[unknown] = value
    return found


def without_motion(run: SortedSystem, block: Block, forces: Reactions, unknowns: Sequence[Expr]) -> tuple[Expr, ...]:
    """Reactions that no equation without conditions determines from the motion.

    Through variables and what follows them.
    """
    through = forces.through(unknowns)
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


def variables_in_mode(run: SortedSystem, number: int, condition: Expr, value: bool) -> list[Expr]:
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


def null_space_of_modes(dae: Dae, run: SortedSystem, block: Block, modes: Modes) -> NullSpace | None:
    """At the last of some points, where the block is singular at all of them."""
    known = numbers_of(dae.parameters)
    space = None
    for seed, size in POINTS:
        try:
            space = block_null_space(run, block, Point(run.pool, seed, size, known, modes))
        except NoSlopeError:
            return None
        if space is None or not space.rows:
            return None
    return space


def note_of_modes(
    flat: FlatModel, dae: Dae, equations: Sequence[Equation], modes: Modes, shown: Sequence[Name], count: int
) -> Diagnostic:
    """I041 for the components of these equations, with the reactions to be shown."""
    texts = {h.symbol: h.written for h in dae.events.frozen if h.written is not None}
    named: dict[str, None] = {}
    for equation in equations:
        for node in marked([equation.left, equation.right], FROZEN):
            if node.op == "if" and node.args[0] in modes:
                written = substitute(dae.pool, node.args[0], texts)
                text = show_expr(written)
                holds = f"({text})" if written.op == "or" else text
                named[holds if modes[node.args[0]] else f"not ({text})"] = None
    paths = list(dict.fromkeys([e.origin.path for e in equations if e.origin.path]))
    components = [show_name(path) for path in paths] or ["equations"]
    places = [declaration(flat, path) or Label(e.origin.span, "redundant") for path, e in _first(equations)]
    verb = "is" if len(components) == 1 else "are"
    redundant = f"{count} redundant constraint{'' if count == 1 else 's'}"
    modes_named = " and ".join(list(named)[:SHOWN]) + (f" and {len(named) - SHOWN} more" if len(named) > SHOWN else "")
    return Diagnostic(
        "I041",
        f"{listed(components, SHOWN)} {verb} overconstrained where {modes_named}: {redundant}",
        places[0] if places else None,
        tuple(places[1:]),
        notes=(
            "all other variables are unique; these reactions are not, and have minimum norm there: "
            + listed(map(show_name, shown), SHOWN),
        ),
        severity=Severity.NOTE,
    )


def _first(equations: Sequence[Equation]) -> list[tuple[tuple[str | int, ...], Equation]]:
    """The first equation of each component."""
    found: dict[tuple[str | int, ...], Equation] = {}
    for equation in equations:
        found.setdefault(equation.origin.path, equation)
    return list(found.items())
