"""Loops that are held more often than they can move, as planar ones by RigidLoop.

    three of the six closures of a planar loop say what the hinges say already: they go, and of the forces of the
    closing class as many are not determined: they are taken as zero

What was left out must hold nevertheless: it becomes an `assert`. The motion is the same, whatever the forces are
that the other ones leave open (J. G. de Jalon, E. Bayo, Kinematic and Dynamic Simulation of Multibody Systems,
1994, section 3.4).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, Severity
from acausal.causalize.index.numeric_rank import Dependence
from acausal.causalize.index.reduce_index import StructuralFaultError
from acausal.ir.dae import Dae, ReducedDae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Loop, RunCondition
from acausal.ir.names import Name, show_name
from acausal.ir.origin import How
from acausal.structure.null_space import Vector

GAP = 1e-6
"""Residual up to which a removed closure counts as satisfied."""
OPEN = "a closure that was removed as redundant (note I040) is independent here"


def relax_structure(dae: Dae, loops: Sequence[Loop], fault: StructuralFaultError) -> Dae | None:
    """The system with forces at zero where closures were left out; None where that is no cure.

    Every variable of a part with too few equations can be the one that is given, every equation of a part with too
    many the one left out (A. L. Dulmage, N. S. Mendelsohn, Can. J. Math. 10 (1958)).
    """
    unknowns = [fault.unknowns[v] for part in fault.singular.under for v in part.vars]
    for loop in loops:
        missing = _left_out(dae, loop)
        if missing > 0:
            return _with_forces_at_zero(dae, [loop], unknowns, missing)
    return _relaxed(dae, loops, [e for part in fault.singular.over for e in part.eqs], unknowns)


def relax_numbers(
    reduced: ReducedDae, loops: Sequence[Loop], unknowns: Sequence[Expr], found: Dependence
) -> Dae | None:
    """The same where equations depend on each other by their numbers, and unknowns stay open."""
    sources = reduced.index.eq_source
    bases = [sources[e][0] for e in _largest_first(found.equations)]
    return _relaxed(reduced.dae, loops, bases, [unknowns[v] for v in _largest_first(found.unknowns)])


def _largest_first(vector: Vector) -> list[int]:
    """The places of a vector by the size of its entries."""
    return sorted(vector, key=lambda k: -abs(vector[k]))


def without_closures(dae: Dae, numbers: Collection[int]) -> Dae:
    """The system without these equations, which are asserted."""
    conditions = [_asserted(dae, dae.equations[n]) for n in numbers]
    equations = tuple([e for n, e in enumerate(dae.equations) if n not in numbers])
    return replace(dae, equations=equations, conditions=(*dae.conditions, *conditions))


def _with_forces_at_zero(dae: Dae, loops: Sequence[Loop], unknowns: Iterable[Expr], count: int) -> Dae | None:
    """The system with the first forces of loops among the unknowns at zero, `count` at most; None without any."""
    called = _called(dae, loops)
    forces = _forces(called, unknowns)[:count]
    origins = [replace(called[x][0].origin.become(How.REDUNDANT), path=called[x][0].path) for x in forces]
    zeros = [Equation(x, dae.pool.zero, origin) for x, origin in zip(forces, origins, strict=True)]
    return replace(dae, equations=(*dae.equations, *zeros)) if zeros else None


def closures_of(dae: Dae, loops: Sequence[Loop], numbers: Iterable[int]) -> list[int]:
    """Equations that close a loop: they have derivatives given by hand."""
    paths = {loop.path for loop in loops}
    return [n for n in numbers if dae.equations[n].derivatives and dae.equations[n].origin.path in paths]


def _relaxed(dae: Dae, loops: Sequence[Loop], equations: Sequence[int], unknowns: Sequence[Expr]) -> Dae | None:
    """The system with another force at zero in place of one, or without a closure and with a force of its loop at zero.

    Of equations and unknowns the first that can be.
    """
    zeros = [n for n in equations if dae.equations[n].origin.how is How.REDUNDANT]
    closures = closures_of(dae, loops, equations)
    for number in (*zeros[:1], *closures[:1]):
        own = [loop for loop in loops if loop.path == dae.equations[number].origin.path]
        others = [x for x in unknowns if x is not dae.equations[number].left]
        if number in closures:
            return _with_forces_at_zero(without_closures(dae, (number,)), own, others, 1)
        less = replace(dae, equations=tuple([e for n, e in enumerate(dae.equations) if n != number]))
        return _with_forces_at_zero(less, own, others, 1)
    return None


def notes_of(dae: Dae, loops: Sequence[Loop]) -> Iterator[Diagnostic]:
    """I040 for each loop of which something was left out."""
    for loop in loops:
        zeros = [e.left for e in _zeros(dae) if e.origin.path == loop.path]
        if zeros:
            called = _called(dae, [loop])
            names = ", ".join(show_name(called[x][1] if x in called else x.name) for x in zeros)
            yield _note(loop, names, len(zeros))


def _note(loop: Loop, names: str, count: int) -> Diagnostic:
    once = count == 1
    around = " - ".join(map(show_name, loop.around))
    removed = "1 redundant constraint" if once else f"{count} redundant constraints"
    return Diagnostic(
        "I040",
        f"kinematic loop {around} is overconstrained: {removed} removed",
        Label(loop.origin.span, "closed here"),
        notes=(
            f"the motion is correct, but the cut forces are not unique: {names} {'is' if once else 'are'} set to zero",
        ),
        help="if the forces matter, replace a joint by CutPlanar, CutRevolute or CutSpherical",
        severity=Severity.NOTE,
    )


def _zeros(dae: Dae) -> list[Equation]:
    return [e for e in dae.equations if e.origin.how is How.REDUNDANT]


def _left_out(dae: Dae, loop: Loop) -> int:
    """Number of removed closures for which no force is set to zero yet."""
    asserted = sum(c.text == OPEN and c.origin.path == loop.path for c in dae.conditions)
    return asserted - sum(e.origin.path == loop.path for e in _zeros(dae))


def _forces(called: Mapping[Expr, tuple[Loop, Name]], unknowns: Iterable[Expr]) -> list[Expr]:
    """Unknowns that are variables of a closing class, or the same as one; first those that are called f there."""
    return sorted((x for x in unknowns if x in called), key=lambda x: not _is_f(*called[x]))


def _is_f(loop: Loop, name: Name) -> bool:
    return name[len(loop.path)] == "f"


def _called(dae: Dae, loops: Sequence[Loop]) -> dict[Expr, tuple[Loop, Name]]:
    """Unknowns with the loop and the name of a variable of its closing class, which they are or are equal to."""
    names = [(v.symbol, v.symbol.name) for v in dae.variables]
    names += [(a.value.args[0] if a.value.op == "neg" else a.value, a.variable.symbol.name) for a in dae.aliases]
    called: dict[Expr, tuple[Loop, Name]] = {}
    for loop in loops:
        depth = len(loop.path)
        for x, name in names:
            if len(name) > depth and name[:depth] == loop.path and (x not in called or _is_f(loop, name)):
                called[x] = loop, name
    return called


def _asserted(dae: Dae, closure: Equation) -> RunCondition:
    pool = dae.pool
    gap = pool.call("abs", pool.sub(closure.left, closure.right))
    return RunCondition("assert", pool.call("noevent", pool.call("<", gap, pool.const(GAP))), OPEN, closure.origin)
