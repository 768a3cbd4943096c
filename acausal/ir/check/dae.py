"""The verifiers of scalar systems: before and after index reduction, with states, and in solvable order."""

from collections.abc import Iterator, Sequence

from acausal.ir.check.expressions import Leaves, expression_faults
from acausal.ir.check.flat import around, repeated
from acausal.ir.dae import Dae, ReducedDae, SortedSystem, StateSelection
from acausal.ir.expr import ARRAY, Expr
from acausal.ir.flat import Equation
from acausal.ir.graph import Block, check_incidence, check_matching
from acausal.ir.show.expressions import show_expr


def check_dae(dae: Dae) -> tuple[str, ...]:
    """Faults of scalar equations, each with its surroundings; empty if they are sound."""
    return tuple(_dae_faults(dae))


def _dae_faults(dae: Dae) -> Iterator[str]:
    yield from expression_faults(dae.pool)
    unknowns = {v.symbol for v in dae.variables}
    aliases = [a.variable.symbol for a in dae.aliases]
    yield from repeated("name", [v.symbol.name for v in (*dae.variables, *dae.inputs)])
    yield from repeated("alias", [a.variable.symbol.name for a in dae.aliases])
    yield from (f"alias {show_expr(x)} is an unknown" for x in aliases if x in unknowns)
    declared = {v.symbol.name for v in (*dae.variables, *dae.inputs)} | {d.symbol.name for d in dae.delays}
    known = {p.symbol for p in dae.parameters} | {h.symbol for h in dae.events.frozen}
    leaves = Leaves(dae.pool, lambda x: x.name in declared if x.op == "variable" else x in known)
    for kind, equations in (("equation", dae.equations), ("initial equation", dae.initial_equations)):
        for number, equation in enumerate(equations):
            faults = _scalar_faults(leaves, equation.sides)
            yield from (f"{kind} {number}: {fault}\n{around(equations, number)}" for fault in faults)
    others: list[tuple[str, object, Expr]] = [(c.kind, c.text, c.condition) for c in dae.conditions]
    others += [("alias", a.variable.symbol, a.value) for a in dae.aliases]
    others += [("delay", d.symbol, d.value) for d in dae.delays]
    others += [("frozen", h.symbol, x) for h in dae.events.frozen for x in h.now]
    others += [("init", r.target, r.value) for r in dae.events.restarts]
    for kind, what, root in others:
        yield from (f"{kind} {what}: {fault}" for fault in _scalar_faults(leaves, [root]))


def _scalar_faults(leaves: Leaves, roots: Sequence[Expr]) -> list[str]:
    found = [f"an array is left: `{show_expr(x)}`" for x in roots if x.flags & ARRAY]
    return found + leaves.faults(roots)


def check_reduced(reduced: ReducedDae) -> tuple[str, ...]:
    """Faults of a system after index reduction; empty if it is sound."""
    return tuple(_reduced_faults(reduced))


def _reduced_faults(reduced: ReducedDae) -> Iterator[str]:
    equations, index = reduced.equations, reduced.index
    if equations[: len(reduced.dae.equations)] != reduced.dae.equations:
        yield "the equations do not begin with those of the system"
    yield from check_incidence(reduced.incidence)
    if reduced.incidence.equation_count != len(equations) or reduced.incidence.variable_count != len(reduced.unknowns):
        yield "incidence has other sizes than equations and unknowns"
        return
    yield from repeated("unknown", reduced.unknowns)
    if len(index.eq_derivative) != len(equations) or len(index.var_derivative) != len(reduced.unknowns):
        yield "index reduction has other sizes than equations and unknowns"
        return
    for v, derivative in enumerate(index.var_derivative):
        if derivative is not None:
            x, later = reduced.unknowns[v], reduced.unknowns[derivative]
            if (later.name, later.order) != (x.name, x.order + 1):
                yield f"{show_expr(later)} is not the derivative of {show_expr(x)}"
    numbers = {x: v for v, x in enumerate(reduced.unknowns)}
    for e, equation in enumerate(equations):
        have = {numbers[x] for x in equation.variables if x in numbers}
        if have != set(reduced.incidence.vars_of_eq[e]):
            names = sorted(show_expr(reduced.unknowns[v]) for v in have ^ set(reduced.incidence.vars_of_eq[e]))
            yield f"equation {e}: incidence differs in {', '.join(names)}\n{around(equations, e)}"
    yield from check_matching(reduced.incidence, index.matching)


def check_selection(selection: StateSelection) -> tuple[str, ...]:
    """Faults of a choice of states; empty if it is sound.

    A dummy derivative is an unknown, or a state itself: a constraint of places with derivatives given by hand may
    choose the place of one joint, and those of velocities may leave its velocity as a state (`structure/dummy`).
    """
    return tuple(_selection_faults(selection))


def _selection_faults(selection: StateSelection) -> Iterator[str]:
    reduced = selection.reduced
    states, unknowns, all_ = set(selection.states), set(selection.unknowns), set(reduced.unknowns)
    yield from repeated("state", selection.states)
    yield from repeated("unknown", selection.unknowns)
    yield from (f"{show_expr(x)} is a state and an unknown" for x in selection.states if x in unknowns)
    yield from (f"{show_expr(x)} is neither state nor unknown" for x in reduced.unknowns if x not in states | unknowns)
    yield from (
        f"{show_expr(x)} is not an unknown of the system"
        for x in (*selection.states, *selection.unknowns)
        if x not in all_
    )
    velocities = {x for x in selection.states if x.order}
    yield from (
        f"dummy {show_expr(x)} is not an unknown"
        for x in selection.dummies
        if x not in unknowns and x not in velocities
    )
    if len(selection.unknowns) != len(reduced.equations):
        yield f"{len(reduced.equations)} equations for {len(selection.unknowns)} unknowns"
    names = {(x.name, x.order) for x in reduced.unknowns}
    yield from (
        f"state {show_expr(x)} has no derivative" for x in selection.states if (x.name, x.order + 1) not in names
    )
    for number, choice in enumerate(selection.choices):
        if len(choice.matrix) != len(choice.dummies) or any(len(r) != len(choice.candidates) for r in choice.matrix):
            yield f"choice {number}: its matrix is not {len(choice.dummies)} by {len(choice.candidates)}"
        yield from (
            f"choice {number}: {show_expr(x)} is not a candidate" for x in choice.dummies if x not in choice.candidates
        )


def check_sorted(system: SortedSystem) -> tuple[str, ...]:
    """Faults of sorted equations; empty if they are sound."""
    return tuple(_sorted_faults(system))


def _sorted_faults(system: SortedSystem) -> Iterator[str]:
    equations, unknowns = system.equations, system.unknowns
    yield from repeated("equation", [e for block in system.blocks for e in block.eqs])
    yield from repeated("unknown", [v for block in system.blocks for v in block.vars])
    place = {v: number for number, block in enumerate(system.blocks) for v in block.vars}
    missing = [show_expr(unknowns[v]) for v in range(len(unknowns)) if v not in place]
    if missing:
        yield f"no block determines {', '.join(missing[:3])}"
    solved = sum(len(block.eqs) for block in system.blocks)
    if solved != len(equations):
        yield f"{solved} of {len(equations)} equations are in blocks"
    numbers = {x: v for v, x in enumerate(unknowns)}
    for number, block in enumerate(system.blocks):
        yield from (f"{fault}\n{_surroundings(equations, system.blocks, number)}" for fault in
                    _block_faults(equations, numbers, place, number, block))  # fmt: skip


def _block_faults(
    equations: Sequence[Equation], numbers: dict[Expr, int], place: dict[int, int], number: int, block: Block
) -> Iterator[str]:
    if len(block.eqs) != len(block.vars):
        yield f"block {number}: {len(block.eqs)} equations for {len(block.vars)} unknowns"
        return
    for e, v in zip(block.eqs, block.vars, strict=True):
        found = [numbers[x] for x in equations[e].variables if x in numbers]
        if v not in found:
            yield f"block {number}: equation {e} does not have the unknown it is matched to"
        later = [x for x in equations[e].variables if x in numbers and place.get(numbers[x], number) > number]
        if later:
            yield f"block {number}: equation {e} reads {show_expr(later[0])}, which a later block determines"


def _surroundings(equations: Sequence[Equation], blocks: Sequence[Block], number: int) -> str:
    """A block between its neighbours."""
    lines = []
    for i in range(max(number - 1, 0), min(number + 2, len(blocks))):
        lines += [f"  {'>' if i == number else ' '} block {i}"]
        lines += [f"      {show_equation_of(equations, e)}" for e in blocks[i].eqs[:MOST]]
    return "\n".join(lines)


MOST = 4
"""Equations of a block shown."""


def show_equation_of(equations: Sequence[Equation], e: int) -> str:
    """The equation with its number."""
    return f"{e}: {show_expr(equations[e].left)} = {show_expr(equations[e].right)}"
