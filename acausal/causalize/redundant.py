"""Loops that are held more often than they can move, as planar ones by RigidLoop.

    three of the six closures of a planar loop say what the hinges say already: they go, and of the forces of the
    closing class as many are not determined: they are taken as zero

What was left out must hold nevertheless: it becomes an `assert`. The motion is the same, whatever the forces are
that the other ones leave open (J. G. de Jalon, E. Bayo, Kinematic and Dynamic Simulation of Multibody Systems,
1994, section 3.4).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from acausal.causalize.rank import Dependence
from acausal.causalize.reduce_index import StructuralFaultError
from acausal.diagnostics import Diagnostic, Label, Severity
from acausal.ir.dae import Dae, ReducedDae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Loop, RunCondition
from acausal.ir.names import Name, show_name
from acausal.ir.origin import How

GAP = 1e-6
"""What is left out must hold that well."""


def relax_structure(dae: Dae, loops: Sequence[Loop], fault: StructuralFaultError) -> Dae | None:
    """The system without one closure that is too many, and with one force at zero; None where that is no cure.

    Every equation of a part with too many of them can be the one left out, every variable of a part with too few
    the one that is given (A. L. Dulmage, N. S. Mendelsohn, Can. J. Math. 10 (1958)).
    """
    closures = _closures(dae, loops, [e for part in fault.singular.over for e in part.eqs])
    forces = _forces(dae, loops, [fault.unknowns[v] for part in fault.singular.under for v in part.vars])
    return _relaxed(dae, closures, forces)


def relax_numbers(
    reduced: ReducedDae, loops: Sequence[Loop], unknowns: Sequence[Expr], found: Dependence
) -> Dae | None:
    """The same for a closure that depends on others by its numbers."""
    dae = reduced.dae
    sources = reduced.index.eq_source
    bases = [sources[e][0] for e in sorted(found.equations, key=lambda e: -abs(found.equations[e]))]
    open_ = [unknowns[v] for v in sorted(found.unknowns, key=lambda v: -abs(found.unknowns[v]))]
    return _relaxed(dae, _closures(dae, loops, bases), _forces(dae, loops, open_))


def _relaxed(dae: Dae, closures: Sequence[int], forces: Sequence[Expr]) -> Dae | None:
    if not closures or not forces:
        return None
    return _with_zero(_without(dae, closures[0]), forces[0], dae.equations[closures[0]])


def notes_of(dae: Dae, loops: Sequence[Loop]) -> Iterator[Diagnostic]:
    """I040 for each loop of which something was left out."""
    for loop in loops:
        zero = [e for e in dae.equations if e.origin.how is How.REDUNDANT and e.origin.path == loop.path]
        if zero:
            called = _called(dae, {loop.path: len(loop.path)})
            names = ", ".join(show_name(called.get(e.left, e.left.name)) for e in zero)
            around = " - ".join(show_name(p) for p in loop.around)
            yield Diagnostic(
                "I040",
                f"the loop {around} is held {len(zero)} times more than it can move",
                Label(loop.origin.span, "closed here"),
                notes=(f"the motion is right, but its cut forces are not unique: {names} are taken as zero",),
                help="where the forces matter, put CutPlanar, CutRevolute or CutSpherical in place of a joint",
                severity=Severity.NOTE,
            )


def _closures(dae: Dae, loops: Sequence[Loop], numbers: Sequence[int]) -> list[int]:
    paths = {loop.path for loop in loops}
    return [n for n in numbers if dae.equations[n].derivatives and dae.equations[n].origin.path in paths]


def _forces(dae: Dae, loops: Sequence[Loop], unknowns: Sequence[Expr]) -> list[Expr]:
    """Unknowns that are variables of a closing class, or the same as one; first those that are called f there."""
    depth = {loop.path: len(loop.path) for loop in loops}
    called = _called(dae, depth)
    return sorted((x for x in unknowns if x in called), key=lambda x: _place(called[x], depth) != "f")


def _called(dae: Dae, depth: Mapping[Name, int]) -> dict[Expr, Name]:
    """The names in closing classes of unknowns, `depth` being the paths of these with their lengths."""
    called = {v.symbol: v.symbol.name for v in dae.variables if _place(v.symbol.name, depth) is not None}
    for alias in dae.aliases:
        name, value = alias.variable.symbol.name, alias.value
        place = _place(name, depth)
        value = value.args[0] if value.op == "neg" else value
        if place == "f" or (place is not None and value not in called):
            called[value] = name
    return called


def _place(name: Name, depth: Mapping[Name, int]) -> str | int | None:
    """What a variable is called in the closing class that it belongs to."""
    for path, length in depth.items():
        if len(name) > length and name[:length] == path:
            return name[length]
    return None


def _without(dae: Dae, number: int) -> Dae:
    """The system without an equation, which is asserted."""
    equation, pool = dae.equations[number], dae.pool
    gap = pool.call("abs", pool.sub(equation.left, equation.right))
    holds = pool.call("noevent", pool.call("<", gap, pool.const(GAP)))
    condition = RunCondition("assert", holds, "a loop does not close", equation.origin)
    equations = tuple([e for i, e in enumerate(dae.equations) if i != number])
    return replace(dae, equations=equations, conditions=(*dae.conditions, condition))


def _with_zero(dae: Dae, force: Expr, instead: Equation) -> Dae:
    origin = replace(instead.origin.become(How.REDUNDANT), path=instead.origin.path)
    return replace(dae, equations=(*dae.equations, Equation(force, dae.pool.zero, origin)))
