"""Explanation of a failed run from its equations: undetermined unknowns, the failing equation, the guess."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label
from acausal.causalize.explain.as_written import as_written
from acausal.ir.dae import SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.graph import Block
from acausal.ir.names import Symbol, listed, show_derivative, show_name
from acausal.ir.origin import How
from acausal.ir.program import Program
from acausal.ir.show.expressions import show_equation, show_expr
from acausal.ir.walk import postorder
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.failure.interpreter import Interpretation, Unsolved
from acausal.simulate.failure.messages import (
    CEASED,
    DEPENDENT,
    SHOWN,
    block_failed,
    no_number,
    not_finite_symbols,
    values_of_states,
    when,
)
from acausal.simulate.failure.newton_failure import NewtonFailure, newton_failure
from acausal.simulate.failure.open_loop import open_loop
from acausal.simulate.failure.open_loop_words import open_loop_failure
from acausal.simulate.failure.singular_block import NEARLY, Singular, block_of, singular
from acausal.simulate.failure.sorted_equations import (
    Values,
    changing_index,
    known_values,
    sorted_system,
    variable_of,
)
from acausal.simulate.failure.user_lines import located, start_advice, user_span, with_user_lines

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

CHANGING_INDEX = (
    "let each branch determine the same unknowns: replace the ideal constraint by a stiff spring, a damper or a small "
    "resistance"
)
DEPENDENT_CONDITIONS = "make the initial conditions independent, or replace one of them"
SATISFIED = 1e-12
"""A residual that does not matter."""
MOST = 5
"""Equations marked in a message besides the first."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A routine that found no solution, or numbers that are not finite, at time t: arrays and what `interpret` saw."""

    program: Program
    routine: str
    t: float
    y: "Array"
    u: "Array"
    p: "Array"
    interpreted: Interpretation


def explain_block(failure: Failure, equations: Equations, number: int) -> Diagnostic:
    """R001 or R003: block `number` could not be solved."""
    first = failure.routine == "initial"
    plain = block_failed(failure.program, number, failure.t, None if first else failure.y).report.diagnostics[0]
    block = failure.program.blocks[number - 1]
    unsolved = failure.interpreted.unsolved
    if unsolved is None:
        return plain
    if unsolved.residuals is not None:
        return _explain_open_loop(failure, equations, unsolved) or _explain_newton(plain, failure, equations, unsolved)
    unknown = equations.reduced.dae.pool.variable(*block.targets[0])
    return _explain_singular(failure, equations, unknown) or plain


def explain_not_finite(failure: Failure, equations: Equations) -> Diagnostic | None:
    """R001, R003 or R004: the first constant or value of a routine that is no finite number; None if all are."""
    wrong = not_finite_symbols(failure.program, failure.p, failure.interpreted.values)
    if not wrong:
        return None
    pool = equations.reduced.dae.pool
    unknown = pool.variable(*wrong[0])
    found = _explain_singular(failure, equations, unknown)
    if found is not None:
        return found
    system, block, known = _situation(failure, equations, unknown)
    alias = next((a for a in equations.reduced.dae.aliases if a.variable.symbol == unknown), None)
    if block is not None:
        marked = [system.equations[e] for e in block.eqs]
        inside = {system.unknowns[v] for v in block.vars}
    else:
        marked, inside = list(alias.because if alias is not None else ()), {unknown}
    leaves = [x for x in postorder([side for e in marked for side in (e.left, e.right)]) if not x.args]
    given = [x for x in leaves if x.op in ("variable", "parameter", "frozen") and x in known and x not in inside]
    plain = no_number(failure.t, wrong, first=failure.routine == "initial")
    shown = [f"{_name(x)} = {known[x]:.6g}" for x in given]
    notes = (f"there: {listed(shown, SHOWN)}",) if shown else ()
    return replace(
        plain, primary=_first_label(marked), secondary=tuple(_labels(marked[1:])), notes=(*notes, *plain.notes)
    )


def explain_nearly_singular(failure: Failure, equations: Equations) -> Diagnostic | None:
    """R003: a block that is almost singular where the solver got stuck; None if there is none."""
    system = sorted_system(equations, failure.program, failure.routine)
    known = _known(failure, equations)
    for block in system.blocks:
        found = singular(system, block, known, NEARLY)
        if found is not None:
            return _singular_diagnostic(failure, equations, found)
    return None


def _situation(failure: Failure, equations: Equations, unknown: Expr) -> tuple[SortedSystem, Block | None, Values]:
    system = sorted_system(equations, failure.program, failure.routine)
    return system, block_of(system, unknown), _known(failure, equations)


def _known(failure: Failure, equations: Equations) -> Values:
    values = {s: x for s, x in failure.interpreted.values.items() if isfinite(x)}
    y = [] if failure.routine == "initial" else failure.y.tolist()
    return known_values(equations, failure.program, failure.t, y, failure.u.tolist(), failure.p.tolist(), values)


# ----------------------------------------------------------------- singular


def _explain_singular(failure: Failure, equations: Equations, unknown: Expr) -> Diagnostic | None:
    system, block, known = _situation(failure, equations, unknown)
    found = None if block is None else singular(system, block, known)
    return None if found is None else _singular_diagnostic(failure, equations, found)


def _singular_diagnostic(failure: Failure, equations: Equations, found: Singular) -> Diagnostic:
    first = failure.routine == "initial"
    count = len(found.equations)
    if count == 1:
        said = "this equation no longer determines its unknown"
    else:
        said = f"these {count} equations are {'inconsistent' if found.contradict else 'linearly dependent'}"
    notes = [said] if first else [said, *values_of_states(failure.program, failure.y)]
    modes = changing_index(equations, found.equations)
    if modes:
        notes.insert(1, f"the index changes with {listed(modes, SHOWN)}, which determines the unknowns of an equation")
    shown = [as_written(equations.reduced.dae, e) for e in found.equations]
    conditions = first and any(map(_is_condition, found.equations))
    return Diagnostic(
        "R001" if first else "R003",
        f"{when(failure.t, first)}: {found.sentence}",
        _first_label(shown),
        tuple(_labels(shown[1:])),
        notes=tuple(notes),
        help=DEPENDENT_CONDITIONS if conditions else CHANGING_INDEX if modes else DEPENDENT,
    )


def _is_condition(equation: Equation) -> bool:
    """True if it holds at the first instant only."""
    made = equation.origin.how in (How.START, How.STEADY)
    return made or equation.origin.span.text.startswith("initial")


# ---------------------------------------------------------------- linkages


def _explain_open_loop(failure: Failure, equations: Equations, unsolved: Unsolved) -> Diagnostic | None:
    """A linkage that cannot be assembled, or not from these start values; None for other equations."""
    pool = equations.reduced.dae.pool
    target = pool.variable(*failure.program.blocks[unsolved.block - 1].targets[0])
    system, block, known = _situation(failure, equations, target)
    if block is None:
        return None
    states = (
        () if failure.routine == "initial" else tuple([pool.variable(*s.symbol) for s in failure.program.state_slots])
    )
    found = open_loop(equations, system, known, [system.unknowns[v] for v in block.vars], states)
    first = failure.routine == "initial"
    return None if found is None else open_loop_failure(equations, found, when(failure.t, first), first=first)


# ---------------------------------------------------------------- nonlinear


def _explain_newton(plain: Diagnostic, failure: Failure, equations: Equations, unsolved: Unsolved) -> Diagnostic:
    block = failure.program.blocks[unsolved.block - 1]
    found = newton_failure(unsolved)
    names = [show_derivative(*target) for target in block.targets]
    origin = block.origins[found.equation]
    point = listed([f"{n} = {x:.6g}" for n, x in zip(names, found.point, strict=True)], SHOWN)
    others = [Label(span, "of this system") for span in dict.fromkeys(o.span for o in block.origins)]
    labels = [label for label in others if label.span != origin.span][:MOST]
    first = failure.routine == "initial"
    guess = _guess_label(equations, unsolved, block.targets[found.unknown], found) if first else None
    near = [f"best approximation: {point}" if found.why != "no number" else f"guesses: {point}"]
    if found.why == "none" or (found.why == "flat" and block.size > 1):
        near += _left_open(failure, equations, unsolved, found)
    given = _conditions_before(failure, equations, block.targets[0]) if first and found.why == "flat" else []
    help_ = _what_to_try(found, equations, block.targets[found.unknown], first)
    if given and abs(found.residual) > SATISFIED:
        near.append("the residual does not change with these variables: the conditions that are given decide it")
        help_ = f"change or remove {' or '.join(given)}"
    located_failure = replace(
        plain,
        primary=Label(origin.span, _about_equation(found, names)),
        secondary=tuple([guess, *labels] if guess else labels),
        notes=(*near, *plain.notes),
        help=help_,
    )
    return with_user_lines(located_failure, equations.flat, origin)


def _conditions_before(failure: Failure, equations: Equations, target: Symbol) -> list[str]:
    """The user's conditions for the first instant that known values of a block come from."""
    system, block, _ = _situation(failure, equations, equations.reduced.dae.pool.variable(*target))
    if block is None:
        return []
    written = {(e.origin.span, e.origin.path) for e in equations.reduced.dae.initial_equations}
    solved = {system.unknowns[v]: b for b in system.blocks for v in b.vars}
    seen, queue, found = {block: None}, [block], dict[str, None]()
    while queue:
        for equation in [system.equations[e] for e in queue.pop().eqs]:
            origin = equation.origin
            place = user_span(equations.flat, origin.path)
            own = not origin.path or (place is not None and place.file is origin.span.file)
            if own and (_is_condition(equation) or (origin.span, origin.path) in written):
                of = f" of {show_name(origin.path)}" if origin.path else ""
                found[f"`{origin.span.text}`{of}"] = None
            before = [solved[x] for x in equation.variables if x in solved]
            queue += [b for b in dict.fromkeys(before) if b not in seen]
            seen |= dict.fromkeys(before)
    return list(found)[:MOST]


def _left_open(failure: Failure, equations: Equations, unsolved: Unsolved, found: NewtonFailure) -> list[str]:
    """Unknowns left undetermined at the nearest point, if the equations are singular there."""
    import numpy as np

    assert unsolved.values is not None
    pool = equations.reduced.dae.pool
    target = pool.variable(*failure.program.blocks[unsolved.block - 1].targets[0])
    system, block, known = _situation(failure, equations, target)
    with np.errstate(all="ignore"):
        known |= {pool.variable(*s): x for s, x in unsolved.values(found.point).items()}
    open_ = None if block is None else singular(system, block, known)
    return [] if open_ is None else [f"there {open_.sentence}"]


def _about_equation(found: NewtonFailure, names: Sequence[str]) -> str:
    if found.why == "no number":
        return "not finite at the guesses"
    if found.why == "flat" and abs(found.residual) <= SATISFIED:
        return f"satisfied, but independent of {listed(list(names), SHOWN)}"
    flat = f", independent of {listed(list(names), SHOWN)}" if found.why == "flat" else ""
    return f"largest residual: {found.residual:.4g}{flat}"


def _guess_label(
    equations: Equations, unsolved: Unsolved, symbol: tuple[tuple[str | int, ...], int], found: NewtonFailure
) -> Label | None:
    variable = variable_of(equations, symbol)
    if variable is None:
        return None
    start = variable.attributes.start if symbol[1] == 0 else None
    value = f"{unsolved.start[found.unknown]:.6g}"
    written = f"{value}" if start is None or start.op == "const" else f"{show_expr(start)} = {value}"
    says = f"is {written}" if start is not None else f"defaults to {written}"
    origin = replace(variable.origin, span=variable.attributes.start_at or variable.origin.span)
    return located(
        equations.flat,
        origin,
        f"start value of {show_derivative(*symbol)} {says}; the residual is most sensitive to it",
    )


def _what_to_try(found: NewtonFailure, equations: Equations, symbol: Symbol, first: bool) -> str:
    if not first:
        return CEASED
    name = show_derivative(*symbol)
    if found.why == "flat" and abs(found.residual) <= SATISFIED:
        return f"{name} is not determined there: give an initial condition for it, or start at another point"
    advice = start_advice(equations.flat, symbol[0], "1") if symbol[1] == 0 else None
    if advice is not None:
        return f"give a start value near the solution: {advice}; if no solution exists, check the parameters"
    if found.why == "no number":
        return f"give {name} a start value at which the equation can be computed"
    own = name.rsplit(".", maxsplit=1)[-1]
    return (
        f"give {name} a start value near the solution, as in local {own} (start=1); if no solution exists, "
        "check the parameters"
    )


# -------------------------------------------------------------------- labels


def _first_label(equations: Sequence[Equation]) -> Label | None:
    return next(iter(_labels(equations)), None)


def _labels(equations: Iterable[Equation]) -> list[Label]:
    return [Label(e.origin.span, show_equation(e)) for e in equations][:MOST]


def _name(leaf: Expr) -> str:
    return show_derivative(leaf.name, leaf.order)
