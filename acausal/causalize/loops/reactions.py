"""Redundant constraints outside of loops: one goes, and the reactions that this leaves open have minimum norm.

    phia = 2*phib (G1),  phia = 2*phib (G2)      one of them goes, and n[1]*G1.ta + n[2]*G1.tb + ... = 0 comes, n the
                                                 null vector of the torques

A constraint that follows from others says nothing of the motion, which is unique; only sums of its forces are. The
solution across their null space is the shortest one (J. G. de Jalon, E. Bayo, Kinematic and Dynamic Simulation of
Multibody Systems, 1994, section 3.4; M. Wojtyra, Mech. Mach. Theory 40 (2005) 1265-1277).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, Severity
from acausal.causalize.explain.singular_structure import declaration
from acausal.causalize.index.hidden_constraints import SEEDS, Candidate, Verdict, jacobian, numbers_of, verdict_of
from acausal.causalize.index.numeric_rank import Dependence
from acausal.causalize.index.reduce_index import StructuralFaultError
from acausal.causalize.index.row_combination import row_combination
from acausal.ir.dae import Dae, ReducedDae, SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel
from acausal.ir.names import Name, listed, show_name, without_indices
from acausal.ir.origin import How
from acausal.ir.walk import postorder, variables_of
from acausal.structure.dulmage import Part
from acausal.structure.null_space import NullSpace, null_space
from acausal.symbolic.slopes import NoSlopeError, Point

SHOWN = 4
MOST_UNKNOWNS = 2000


def relieve_numbers(
    flat: FlatModel, reduced: ReducedDae, run: SortedSystem, found: Dependence, candidate: Candidate
) -> Dae | None:
    """The system without a redundant equation of dependent ones; None where more than reactions stays open."""
    sources = reduced.index.eq_source
    bases = [sources[e][0] for e in found.equations]
    dropped = max(sources[candidate.equations[k]][0] for k in candidate.replaceable)
    others = [e for k, e in enumerate(run.equations) if sources[k][0] != dropped]
    return _relieved(flat, reduced.dae, dropped, bases, others, run.unknowns)


def relieve_structure(flat: FlatModel, dae: Dae, fault: StructuralFaultError) -> Dae | None:
    """The same where there are more equations than unknowns somewhere and fewer elsewhere."""
    singular = fault.singular
    if not singular.over or not singular.under:
        return None
    dropped = _redundant(dae, fault, singular.over[0])
    if dropped is None:
        return None
    open_ = [fault.unknowns[v] for part in singular.under for v in part.vars]
    others = [e for k, e in enumerate(dae.equations) if k != dropped]
    return _relieved(flat, dae, dropped, singular.over[0].eqs, others, open_)


def _redundant(dae: Dae, fault: StructuralFaultError, over: Part) -> int | None:
    """An equation of a part that follows from others of it; None where they contradict each other."""
    pool, known = dae.pool, numbers_of(dae.parameters)
    names = {fault.unknowns[v].name for v in over.vars}
    residuals = [pool.sub(dae.equations[e].left, dae.equations[e].right) for e in over.eqs]
    targets = tuple([x for x in variables_of(residuals) if x.name in names])
    space = _null_space(residuals, targets, Point(pool, *SEEDS[0], known))
    for row in () if space is None else space.rows:  # each is a smallest set of dependent equations
        chosen = tuple([over.eqs[k] for k in row])
        own = tuple([residuals[k] for k in row])
        found = verdict_of(dae, Candidate(chosen, own, targets, (), tuple(range(len(own))), known))
        if found is not None and found[0] is Verdict.REPEAT:
            return chosen[found[1]]
    return None


def _null_space(residuals: Sequence[Expr], unknowns: Sequence[Expr], point: Point) -> NullSpace | None:
    place = {x: k for k, x in enumerate(unknowns)}
    try:
        rows = [{place[x]: s for x, s in point.slope(r, place.keys()).items()} for r in residuals]
    except NoSlopeError:
        return None
    return null_space(rows, len(place))


def _relieved(
    flat: FlatModel,
    dae: Dae,
    dropped: int,
    dependent: Sequence[int],
    others: Sequence[Equation],
    unknowns: Sequence[Expr],
) -> Dae | None:
    """The system without one of the dependent equations, and with the reactions among the unknowns of minimum norm.

    It holds for these values of the parameters in these equations, which are folded.
    """
    chosen = [dae.equations[e] for e in dependent]
    held = [n for n in postorder([s for e in chosen for s in (e.left, e.right)]) if n.op == "parameter"]
    reactions = reactions_of(flat, dae, unknowns)
    shortest = _shortest(dae, others, reactions) if reactions else None
    if shortest is None or {p.symbol for p in dae.parameters if p.tunable}.intersection(held):
        return None
    terms = _measured(list(zip(*shortest, strict=True)))
    pool, gone = dae.pool, dae.equations[dropped]
    total = pool.add(*[pool.mul(f, x) for f, x in terms])
    kept = [e for k, e in enumerate(dae.equations) if k != dropped]
    added = Equation(total, pool.zero, gone.origin.become(How.MINIMUM_NORM))
    folded = (*dae.folded, *[p for p in held if p not in dae.folded])
    note = _note(flat, gone, [x for _, x in terms])
    return replace(dae, equations=(*kept, added), folded=folded, notes=(*dae.notes, note))


def _measured(terms: list[tuple[Expr, Expr]]) -> list[tuple[Expr, Expr]]:
    """The terms that count in the norm: forces that are scalars, of which those of frames are made; else all."""
    return [(f, x) for f, x in terms if not isinstance(x.name[-1], int)] or terms


def reactions_of(flat: FlatModel, dae: Dae, unknowns: Iterable[Expr]) -> list[Expr]:
    """Those of the unknowns that are forces: no across variables of connections, not of the model, not differentiated.

    Empty where none of them is a through variable.
    """
    sums: set[Name] = set()
    across: set[Name] = set()
    for equation in flat.equations:
        names = {without_indices(x.name) for x in equation.all_variables}
        if equation.origin.how in (How.FLOW_SUM, How.UNCONNECTED):
            sums |= names
        elif equation.origin.how is How.CONNECTED:
            across |= names
    moving = {without_indices(x.name) for e in flat.equations for x in e.all_variables if x.order}
    called: dict[Expr, list[Name]] = {}
    for alias in dae.aliases:
        for x in variables_of([alias.value]):
            called.setdefault(x, []).append(without_indices(alias.variable.symbol.name))
    found = []
    through = False
    for x in unknowns:
        names = {without_indices(x.name), *called.get(x, ())}
        if x.order or len(x.name) == 1 or names & across or names & moving:
            continue
        found.append(x)
        through = through or bool(names & sums)
    return found if through else []


def _shortest(
    dae: Dae, equations: Sequence[Equation], unknowns: Sequence[Expr]
) -> tuple[tuple[Expr, ...], tuple[Expr, ...]] | None:
    """A null vector of the equations in these unknowns, and the unknowns that it holds; None where there is none."""
    if len(unknowns) > MOST_UNKNOWNS:
        return None
    pool, inside = dae.pool, set(unknowns)
    residuals = [pool.sub(e.left, e.right) for e in equations if not inside.isdisjoint(e.variables)]
    point = Point(pool, *SEEDS[0], numbers_of(dae.parameters))
    space = _null_space(residuals, unknowns, point)
    if space is None or not space.columns:
        return None
    forces = tuple([unknowns[k] for k in space.columns[0]])
    transposed: list[dict[Expr, Expr]] = [{} for _ in forces]
    own = {x: k for k, x in enumerate(forces)}
    for residual, row in zip(residuals, jacobian(pool, residuals, forces), strict=True):
        for x, entry in row.items():
            transposed[own[x]][residual] = entry
    found = row_combination(pool, transposed, len(forces) - 1, point)
    return None if found is None else (found.factors, forces)


def _note(flat: FlatModel, gone: Equation, forces: Sequence[Expr]) -> Diagnostic:
    shown = listed([show_name(x.name) for x in forces], SHOWN)
    components = list(dict.fromkeys([show_name(without_indices(x.name)[:-1]) for x in forces]))
    equation = Label(gone.origin.span, "follows from others")
    declared = declaration(flat, gone.origin.path)
    verb = "is" if len(components) == 1 else "are"
    return Diagnostic(
        "I040",
        f"{listed(components, SHOWN)} {verb} overconstrained: 1 redundant constraint removed",
        declared or equation,
        (equation,) if declared is not None else (),
        notes=(f"the motion is unique; reactions are not, and have minimum norm: {shown}",),
        severity=Severity.NOTE,
    )
