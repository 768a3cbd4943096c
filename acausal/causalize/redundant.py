"""Loops that are held more often than they can move, as planar ones by RigidLoop.

    three of the six closures of a planar loop say what the hinges say already: they go, and of the forces of the
    closing class as many are not determined: they are taken as zero

What was left out must hold nevertheless: it becomes an `assert`. The motion is the same, whatever the forces are
that the other ones leave open (J. G. de Jalon, E. Bayo, Kinematic and Dynamic Simulation of Multibody Systems,
1994, section 3.4).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from acausal.causalize.rank import Dependence
from acausal.causalize.reduce_index import StructuralFaultError
from acausal.diagnostics import Diagnostic, Label, Severity
from acausal.ir.dae import Dae, ReducedDae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Loop, RunCondition
from acausal.ir.names import Name, show_name
from acausal.ir.origin import How
from acausal.structure.null_space import Vector

GAP = 1e-6
"""What is left out must hold that well."""


def relax_structure(dae: Dae, loops: Sequence[Loop], fault: StructuralFaultError) -> Dae | None:
    """The system without one closure that is too many, and with one force at zero; None where that is no cure.

    Every equation of a part with too many of them can be the one left out, every variable of a part with too few
    the one that is given (A. L. Dulmage, N. S. Mendelsohn, Can. J. Math. 10 (1958)).
    """
    equations = [e for part in fault.singular.over for e in part.eqs]
    return relax(dae, loops, equations, [fault.unknowns[v] for part in fault.singular.under for v in part.vars])


def relax_numbers(
    reduced: ReducedDae, loops: Sequence[Loop], unknowns: Sequence[Expr], found: Dependence
) -> Dae | None:
    """The same for a closure that depends on others by its numbers."""
    sources = reduced.index.eq_source
    bases = [sources[e][0] for e in largest_first(found.equations)]
    return relax(reduced.dae, loops, bases, [unknowns[v] for v in largest_first(found.unknowns)])


def largest_first(vector: Vector) -> list[int]:
    """The places of a vector by the size of its entries."""
    return sorted(vector, key=lambda k: -abs(vector[k]))


def relax(dae: Dae, loops: Sequence[Loop], equations: Iterable[int], unknowns: Iterable[Expr]) -> Dae | None:
    """The system without the first closure among these equations, and with the first force of its loop at zero."""
    closures = _closures(dae, loops, equations)
    if not closures:
        return None
    equation = dae.equations[closures[0]]
    forces = _forces(dae, [loop for loop in loops if loop.path == equation.origin.path], unknowns)
    return _with_zero(_without(dae, closures[0]), forces[0], equation) if forces else None


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
                f"the loop {around} is held {_times(len(zero))} more than it can move",
                Label(loop.origin.span, "closed here"),
                notes=(f"the motion is right, but its cut forces are not unique: {names} {'is' if len(zero) == 1 else 'are'} taken as zero",),
                help="where the forces matter, put CutPlanar, CutRevolute or CutSpherical in place of a joint",
                severity=Severity.NOTE,
            )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _closures(dae: Dae, loops: Sequence[Loop], numbers: Iterable[int]) -> list[int]:
    paths = {loop.path for loop in loops}
    return [n for n in numbers if dae.equations[n].derivatives and dae.equations[n].origin.path in paths]


def _forces(dae: Dae, loops: Sequence[Loop], unknowns: Iterable[Expr]) -> list[Expr]:
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
