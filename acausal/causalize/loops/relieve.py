"""Overconstrained models: redundant constraints are removed, and the reactions have minimum norm.

    phia = 2*phib (G1),  phia = 2*phib (G2)      G2's is removed, G1.ta - G2.ta + ... = 0 added: each carries its share

A redundant constraint has no influence on the motion, which is unique; of the reactions, only some combinations are.
What was removed must hold nevertheless: it becomes an `assert`. (J. G. de Jalon, E. Bayo, Kinematic and Dynamic
Simulation of Multibody Systems, 1994, section 3.4; M. Wojtyra, Multibody Syst. Dyn. 14 (2005) 23-46.)
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, Severity
from acausal.causalize.explain.describe import declaration
from acausal.causalize.loops.minimum_norm import Conditions, minimum_norm
from acausal.causalize.loops.open_reactions import OpenReactions, open_reactions
from acausal.causalize.loops.reactions import owner, potentials_of
from acausal.causalize.loops.redundant_constraints import RedundantConstraints, find_redundancy
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel, RunCondition, Variable
from acausal.ir.names import Name, listed, show_name
from acausal.ir.origin import How
from acausal.ir.walk import postorder

GAP = 1e-6
"""Removed constraints must hold that well."""
OPEN = "a removed constraint (note I040) does not follow from the others here"
REACTIONS = "`acausal mechanism FILE` shows which reactions are unique; results mark all others as not unique"
RUBBING = "where friction depends on these reactions, the motion is that with minimum norm"
SHOWN = 4


def relieve(flat: FlatModel, dae: Dae, most: int, *, singular: bool = False) -> Dae | None:
    """The system without redundant constraints, with reactions of minimum norm; None where this is no cure.

    Index reduction may make `most` operations. Of a system known to be `singular` also constraints between potentials
    that nothing differentiates are searched, as those of transformers in a network of resistors, and those between
    rates that are functions of time, as those of speed sources on one shaft.
    """
    for redundancy in _redundancies(flat, dae, singular=singular):
        found = _without(flat, dae, redundancy, most)
        if found is not None:
            return found
    return None


def _redundancies(flat: FlatModel, dae: Dae, *, singular: bool) -> Iterator[RedundantConstraints]:
    found = find_redundancy(dae)
    if found is not None:
        yield found
    if singular:
        among = find_redundancy(dae, potentials_of(flat, dae)) if found is None else None
        if among is not None:
            yield among
        driven = find_redundancy(dae, driven=True)
        if driven is not None:
            yield driven


def _without(flat: FlatModel, dae: Dae, redundancy: RedundantConstraints, most: int) -> Dae | None:
    """The system without these redundant constraints; None where more than reactions stays open."""
    dropped = {n for s in redundancy.sets for n in s.redundant}
    constraints = [n for s in redundancy.sets for n in s.constraints]
    held = _parameters(dae, constraints)
    if {p.symbol for p in dae.parameters if p.tunable}.intersection(held):
        return None
    first = dae.equations[min(dropped)].origin
    point = redundancy.points[-1]
    reactions = open_reactions(flat, dae, constraints, dropped, point, most)
    if reactions is None:
        return None
    names = [dae.pool.variable((*first.path, f"multiplier${k}")) for k in range(len(reactions.forces))]
    conditions = minimum_norm(dae.pool, reactions, point, names)
    if conditions is None:
        return None
    notes = tuple(_notes(flat, dae, sorted(dropped), reactions))
    relieved = _relieved(dae, sorted(dropped), conditions)
    folded = (*dae.folded, *[p for p in held if p not in dae.folded])
    undetermined = dict.fromkeys([x for vector in reactions.null_vectors for x in vector])
    measured = tuple([x for x, owners in reactions.counted.items() for _ in owners])
    return replace(
        relieved,
        folded=folded,
        notes=(*dae.notes, *notes),
        undetermined=tuple(undetermined),
        measured=measured,
    )


def _parameters(dae: Dae, constraints: Iterable[int]) -> list[Expr]:
    """The parameters that decide by their values whether constraints depend on each other, as the ratios of gears.

    A mechanism whose constraints have derivatives given by hand is asserted instead.
    """
    chosen = [dae.equations[n] for n in constraints if not dae.equations[n].derivatives]
    return [x for x in postorder([s for e in chosen for s in (e.left, e.right)]) if x.op == "parameter"]


def _relieved(dae: Dae, dropped: Sequence[int], conditions: Conditions) -> Dae:
    """The system with the conditions in place of the dropped equations, which are asserted."""
    gone = [dae.equations[n] for n in dropped]
    origin = gone[0].origin.become(How.MINIMUM_NORM)
    kept = [e for n, e in enumerate(dae.equations) if n not in dropped]
    added = [Equation(residual, dae.pool.zero, origin) for residual in conditions.residuals]
    unknowns = [Variable(x, "local", "real", origin) for x in conditions.unknowns]
    asserted = [_asserted(dae, e) for e in gone if e.left is not e.right]
    return replace(
        dae,
        equations=(*kept, *added),
        variables=(*dae.variables, *unknowns),
        conditions=(*dae.conditions, *asserted),
    )


def _asserted(dae: Dae, constraint: Equation) -> RunCondition:
    pool = dae.pool
    gap = pool.call("abs", pool.sub(constraint.left, constraint.right))
    return RunCondition(
        "redundant", pool.call("noevent", pool.call("<", gap, pool.const(GAP))), OPEN, constraint.origin
    )


def _notes(flat: FlatModel, dae: Dae, dropped: Sequence[int], reactions: OpenReactions) -> Iterator[Diagnostic]:
    """I040 for each loop with removed constraints, and for each set of other reactions that depend on each other."""
    gone = [dae.equations[n].origin for n in dropped]
    for loop in flat.loops:
        count = sum(origin.path == loop.path for origin in gone)
        if count:
            around = " - ".join(map(show_name, loop.around))
            forces = [n for names in reactions.counted.values() for n in names if owner(n) in loop.around]
            label = Label(loop.origin.span, "closed here")
            note = _note(f"kinematic loop {around} is overconstrained", count, label, (), forces, reactions)
            yield replace(note, help=REACTIONS)
    closing = {loop.path for loop in flat.loops}
    others = [origin for origin in gone if origin.path not in closing]
    groups = [(list(dict.fromkeys(map(owner, forces))), forces, count) for forces, count in _groups(reactions)]
    if len(others) < len(gone):  # other notes list the reactions of loops
        groups = [g for g in groups if any(o.path in g[0] for o in others)] or groups[:1]
    for owners, forces, count in groups if others else ():
        mine = [o for o in others if o.path in owners] or others[:1]
        rows = [Label(o.span, "follows from others") for o in mine]
        declared = [declaration(flat, path) for path in (mine[0].path, *owners[:SHOWN])]
        labels = list(dict.fromkeys([d for d in declared if d is not None] + rows))
        if declared[0] is None:
            labels.insert(0, labels.pop(labels.index(rows[0])))
        verb = "is" if len(owners) == 1 else "are"
        text = f"{listed([show_name(o) for o in owners], SHOWN)} {verb} overconstrained"
        yield _note(text, count, labels[0], tuple(labels[1:]), forces, reactions)


def _groups(reactions: OpenReactions) -> Iterator[tuple[list[Name], int]]:
    """Names of forces that count and depend on each other, and how many of them stay open."""
    groups: list[tuple[set[Expr], int]] = []
    for vector in reactions.null_vectors:
        joined, count = {x for x in vector if x in reactions.counted}, 1
        apart = []
        for forces, number in groups:
            if forces.isdisjoint(joined):
                apart.append((forces, number))
            else:
                joined, count = joined | forces, count + number
        groups = [*apart, (joined, count)]
    for forces, count in groups:
        yield [name for x, names in reactions.counted.items() if x in forces for name in names], count


def _note(
    text: str,
    count: int,
    label: Label,
    others: tuple[Label, ...],
    forces: Sequence[Name],
    reactions: OpenReactions,
) -> Diagnostic:
    removed = "1 redundant constraint" if count == 1 else f"{count} redundant constraints"
    rank = f"{len(forces)} reactions of rank {len(forces) - count}"
    names = listed(map(show_name, forces), SHOWN)
    friction = [RUBBING] if reactions.rubbing else []
    return Diagnostic(
        "I040",
        f"{text}: {removed} removed",
        label,
        others,
        notes=(f"the motion is unique; {rank} are not, and have minimum norm: {names}", *friction),
        severity=Severity.NOTE,
    )
