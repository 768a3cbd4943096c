"""Parts of a network without ground: all their potentials may shift by the same amount.

    three sources with a resistor and an inductor each, in star and star     no equation fixes the level of the stars

Of electrical parts: elsewhere nothing is called a ground. The shift is a vector of potentials that no equation notices.
Other such vectors, as that of the node between two current sources, shift no component as a whole.
"""

from collections.abc import Iterable, Sequence

from acausal.base.diagnostics import Diagnostic, Label
from acausal.causalize.explain.describe import MOST, made, names_of, paths_of, whole_origin
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Variable, numbers_of
from acausal.ir.names import Name, listed, without_indices
from acausal.ir.origin import How
from acausal.structure.null_space import Vector, null_space
from acausal.symbolic.slopes import NoSlopeError, Point

SAME = 1e-9
"""Shifts that differ by less are equal."""


def floating_part(written: Dae) -> Diagnostic | None:
    """S003 for the first part without ground of a model whose equations stand as they are `written`, with aliases."""
    joined = [e for e in written.equations if made(e.origin) is How.CONNECTED]
    potentials = list(dict.fromkeys([x for e in joined for x in e.variables if not x.order]))
    cuts: dict[Name, list[Expr]] = {}
    for x in potentials:
        cuts.setdefault(without_indices(x.name)[:-1], []).append(x)
    volts = {v.symbol for v in written.variables if v.attributes.unit == "V"}
    for shift in _shifts(written, potentials) if not volts.isdisjoint(potentials) else ():
        size = next(iter(shift.values()))
        inside = {potentials[k] for k, s in shift.items() if abs(s - size) < SAME * abs(size)}
        whole = [path for path, own in cuts.items() if path and len(own) > 1 and inside.issuperset(own)]
        if whole and len(inside) == len(shift):
            variables = [v for v in written.variables if v.symbol in inside]
            return no_ground(variables, [e for e in joined if not inside.isdisjoint(e.variables)])
    return None


def no_ground(variables: Sequence[Variable], equations: Iterable[Equation]) -> Diagnostic:
    """S003 for the part with these across variables, which these equations join."""
    statements = [s for e in equations for s in whole_origin(e.origin).of]
    return Diagnostic(
        "S003",
        f"the part made of {listed(paths_of(v.origin for v in variables), MOST)} has no ground",
        Label((statements or [variables[0].origin])[0].span, "connected here"),
        notes=(f"no equation fixes the level of {listed(names_of(variables), MOST)}",),
        help="connect one of its cuts to a ground",
    )


def _shifts(written: Dae, potentials: Sequence[Expr]) -> tuple[Vector, ...]:
    """Changes of the potentials that no equation notices."""
    place = {x: k for k, x in enumerate(potentials)}
    point = Point(written.pool, 0, 1.0, numbers_of(written.parameters))
    rows: list[Vector] = []
    try:
        for e in written.equations:
            slope = point.slope(written.pool.sub(e.left, e.right), place.keys())
            rows.append({place[x]: s for x, s in slope.items() if s})
    except NoSlopeError:
        return ()
    space = null_space([row for row in rows if row], len(potentials))
    return () if space is None else space.columns
