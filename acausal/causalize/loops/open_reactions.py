"""The reactions that redundant constraints leave open, and which of them count in the norm.

    three parallel rods, one constraint left out:   one combination of k1.f, k2.f and k3.f moves nothing

Without the redundant constraints there are more unknowns than equations. The null space of their Jacobian where all
constraints hold, with respect to the highest derivatives, has the combinations of forces that leave all motion as it
is. (M. Wojtyra, Joint reaction forces in multibody systems with redundant constraints, Multibody Syst. Dyn. 14 (2005)
23-46.)
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from acausal.base.frozen import dataclass
from acausal.causalize.index.reduce_index import StructuralFaultError, reduce_index
from acausal.causalize.loops.reactions import (
    Names,
    Reactions,
    constrained_elements,
    forces_of,
    owner,
    voltages,
)
from acausal.ir.dae import Dae, ReducedDae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel
from acausal.ir.graph import Incidence
from acausal.ir.names import Name
from acausal.structure.dulmage import decompose
from acausal.structure.null_space import Vector, null_space
from acausal.symbolic.linear import LinearForm, linear_form
from acausal.symbolic.slopes import NoSlopeError, Point

MOST_OPEN = 2000
"""More forces are not examined."""


@dataclass(frozen=True, slots=True)
class OpenReactions:
    """Forces with the equations that are linear in them, and combinations of the forces that these do not determine.

    `counted` has for those that count in the norm by which names: a reaction of two elements counts twice.
    `rubbing` is true if there are coefficients that are zero without friction.
    """

    forces: tuple[Expr, ...]
    forms: tuple[LinearForm, ...]
    null_vectors: tuple[dict[Expr, float], ...]
    counted: dict[Expr, tuple[Name, ...]]
    rubbing: bool


def open_reactions(
    flat: FlatModel, dae: Dae, constraints: Iterable[int], dropped: Collection[int], point: Point, most: int
) -> OpenReactions | None:
    """The reactions that stay open without the `dropped` of the constraints; None where more than reactions does."""
    kept = [n for n in range(len(dae.equations)) if n not in dropped]
    less = _without(dae, kept)
    try:
        reduced = reduce_index(less, most, underdetermined=True)
    except StructuralFaultError:
        return None
    found = _null_vectors(reduced, point)
    if found is None or len(found) != len(dropped):
        return None
    forces = tuple([x for x in reduced.unknowns if any(x in v for v in found)])
    names = Names(flat, dae)
    if len(forces) > MOST_OPEN:
        return None
    if Reactions(flat, dae).among(forces) == list(forces):
        counted = _counted(flat, dae, names, constraints, dropped, found)
    else:
        across = voltages(flat, names, forces)
        if across is None or not (_decide(across, forces, found) and _share(across, forces, found)):
            return None
        counted = across
    highest = [e for n, e in enumerate(reduced.equations) if reduced.index.eq_derivative[n] is None]
    unknowns = {x for v, x in enumerate(reduced.unknowns) if reduced.index.var_derivative[v] is None}
    carriers, equations = _carriers(forces, highest, unknowns, counted)
    forms = []
    for equation in equations:
        form = linear_form(dae.pool, dae.pool.sub(equation.left, equation.right), frozenset(carriers))
        if form is None:
            return None
        forms.append(form)
    rubs = any(h.kind == "discrete" and h.type == "real" for h in dae.events.frozen)
    rubbing = rubs and any(point.value(c) == 0.0 for form in forms for c in form.coefficients.values())
    return OpenReactions(carriers, tuple(forms), tuple(found), counted, rubbing)


def _carriers(
    forces: Sequence[Expr], equations: Iterable[Equation], unknowns: Collection[Expr], counted: Collection[Expr]
) -> tuple[tuple[Expr, ...], list[Equation]]:
    """The forces without those that are results, as the size of a force, and the equations with forces but for results.

    A result stands in no other equation but its own, and does not count in the norm: its equation determines it, and
    nothing else. Friction limits and what is compared with them are results that hardly change with the forces.
    """
    inside = frozenset(forces)
    rows: dict[Expr, set[int]] = {x: set() for x in forces}
    own = dict(enumerate(equations))
    left = {n: [x for x in e.variables if x in unknowns] for n, e in own.items()}
    for n, found in left.items():
        for x in found:
            rows.setdefault(x, set()).add(n)
    waiting = [x for x in rows if len(rows[x]) == 1 and x not in counted]
    while waiting:
        x = waiting.pop()
        if len(rows.get(x, ())) != 1:
            continue
        (n,) = rows.pop(x)
        del own[n]
        for y in left[n]:
            if y is not x:
                rows[y].discard(n)
                if len(rows[y]) == 1 and y not in counted:
                    waiting.append(y)
    linked = [e for n, e in own.items() if not inside.isdisjoint(left[n])]
    return tuple([x for x in forces if x in rows]), linked


def _without(dae: Dae, kept: Sequence[int]) -> Dae:
    return replace(dae, equations=tuple([dae.equations[n] for n in kept]))


def _null_vectors(reduced: ReducedDae, point: Point) -> list[dict[Expr, float]] | None:
    """Combinations of highest derivatives that no equation determines; None where equations depend on each other."""
    index, unknowns = reduced.index, reduced.unknowns
    columns = [v for v, derivative in enumerate(index.var_derivative) if derivative is None]
    rows = [e for e, derivative in enumerate(index.eq_derivative) if derivative is None]
    place = {v: k for k, v in enumerate(columns)}
    incidence = [tuple([place[v] for v in reduced.incidence.vars_of_eq[e] if v in place]) for e in rows]
    under = decompose(Incidence(tuple(incidence), len(columns))).under
    symbols = {unknowns[columns[k]]: i for i, k in enumerate(under.vars)}
    matrix: list[Vector] = []
    try:
        for k in under.eqs:
            equation = reduced.equations[rows[k]]
            slope = point.slope(reduced.dae.pool.sub(equation.left, equation.right), symbols.keys())
            matrix.append({symbols[x]: s for x, s in slope.items()})
    except NoSlopeError:
        return None
    space = null_space(matrix, len(symbols))
    if space is None or space.rows:
        return None
    named = list(symbols)
    return [{named[k]: s for k, s in vector.items()} for vector in space.columns]


def _counted(
    flat: FlatModel,
    dae: Dae,
    names: Names,
    constraints: Iterable[int],
    dropped: Collection[int],
    found: Sequence[dict[Expr, float]],
) -> dict[Expr, tuple[Name, ...]]:
    """The forces that count, with their names as reactions of elements.

    These are joints, which are links with coordinates of their own, and elements with constraints of their own, whether
    or not one of these is among those left out; a closing class is no element, but the connection itself. Where these
    forces do not determine the rest, those of all elements without coordinates count, of all elements, last of closing
    classes.
    """
    closing = {loop.path for loop in flat.loops}
    moving = {owner(x.name) for e in flat.equations for x in e.all_variables if x.order}
    links = {c.path for c in flat.components if c.link}
    forces = list(dict.fromkeys([x for vector in found for x in vector]))
    every = {owner(name) for x in forces for name in names.of(x)} - {()}
    holding = {dae.equations[n].origin.path for n in constraints} | constrained_elements(flat, every - links - closing)
    lost = any(not dae.equations[n].variables and not dae.equations[n].derivatives for n in dropped)
    own = [] if lost else [(moving & links | holding) - closing]
    for elements in (*own, every - closing - moving, every - closing, every):
        counted = forces_of(elements & every, names, forces)
        if _decide(counted, forces, found):
            return counted
    return {x: (x.name,) for x in forces}


def _decide(counted: Collection[Expr], forces: Sequence[Expr], found: Sequence[dict[Expr, float]]) -> bool:
    """True if the counted ones determine all forces: no combination leaves them all as they are."""
    space = null_space([{forces.index(x): s for x, s in v.items() if x in counted} for v in found], len(forces))
    return space is not None and not space.rows


def _share(counted: Collection[Expr], forces: Sequence[Expr], found: Sequence[dict[Expr, float]]) -> bool:
    """True if each of the counted ones takes part in what the equations determine.

    The voltage of a source of no current with one end in the air does not: zero would be invented.
    """
    space = null_space([{forces.index(x): s for x, s in v.items() if x in counted} for v in found], len(forces))
    return space is not None and all(any(forces.index(x) in v for v in space.columns) for x in counted)
