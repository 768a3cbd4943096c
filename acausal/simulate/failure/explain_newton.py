"""R001 or R003 where Newton's method found no solution: the worst equation, the guess, and what to try."""

from collections.abc import Sequence
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label
from acausal.ir.names import Symbol, listed, show_derivative, show_name
from acausal.ir.show.expressions import show_expr
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.failure.interpreter import Unsolved
from acausal.simulate.failure.messages import CEASED, SHOWN
from acausal.simulate.failure.newton_failure import SATISFIED, NewtonFailure, newton_failure
from acausal.simulate.failure.singular_block import singular
from acausal.simulate.failure.situation import Failure, is_condition, situation
from acausal.simulate.failure.sorted_equations import variable_of
from acausal.simulate.failure.user_lines import located, start_advice, user_span, with_user_lines

MOST = 5
"""Equations marked in a message besides the first."""


def explain_newton(plain: Diagnostic, failure: Failure, equations: Equations, unsolved: Unsolved) -> Diagnostic:
    """The diagnostic `plain` of an unsolved block, with what its residuals say."""
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
    system, block, _ = situation(failure, equations, equations.reduced.dae.pool.variable(*target))
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
            if own and (is_condition(equation) or (origin.span, origin.path) in written):
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
    system, block, known = situation(failure, equations, target)
    with np.errstate(all="ignore"):
        known |= {pool.variable(*s): x for s, x in unsolved.values(found.point).items()}
    open_ = None if block is None else singular(system, block, known)
    return [] if open_ is None else [f"there {open_.sentence}"]


def _about_equation(found: NewtonFailure, names: Sequence[str]) -> str:
    if found.why == "no number":
        return "not finite at the guesses"
    if found.why == "flat" and abs(found.residual) <= SATISFIED:
        return f"satisfied, but independent of {listed(list(names), SHOWN)}"
    if found.why == "limit":
        return f"satisfied only in the limit of infinite {names[found.unknown]}"
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
    if found.why == "limit":
        return f"no finite {name} satisfies the equation: check the parameters, or give another start value"
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
