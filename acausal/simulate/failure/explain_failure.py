"""Explanation of a failed run from its equations: undetermined unknowns, the failing equation, the guess."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label
from acausal.causalize.explain.as_written import as_written
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.names import listed, show_derivative
from acausal.ir.show.expressions import show_equation
from acausal.ir.walk import postorder
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.failure.explain_newton import explain_newton
from acausal.simulate.failure.interpreter import Unsolved
from acausal.simulate.failure.messages import (
    DEPENDENT,
    SHOWN,
    block_failed,
    no_number,
    not_finite_symbols,
    values_of_states,
    when,
)
from acausal.simulate.failure.open_loop import open_loop
from acausal.simulate.failure.open_loop_words import open_loop_failure
from acausal.simulate.failure.singular_block import NEARLY, Singular, singular
from acausal.simulate.failure.situation import Failure, is_condition, known_of, situation
from acausal.simulate.failure.sorted_equations import changing_index, sorted_system

CHANGING_INDEX = (
    "let each branch determine the same unknowns: replace the ideal constraint by a stiff spring, a damper or a small "
    "resistance"
)
DEPENDENT_CONDITIONS = "make the initial conditions independent, or replace one of them"
MOST = 5
"""Equations marked in a message besides the first."""


def explain_block(failure: Failure, equations: Equations, number: int) -> Diagnostic:
    """R001 or R003: block `number` could not be solved."""
    first = failure.routine == "initial"
    plain = block_failed(failure.program, number, failure.t, None if first else failure.y).report.diagnostics[0]
    block = failure.program.blocks[number - 1]
    unsolved = failure.interpreted.unsolved
    if unsolved is None:
        return plain
    if unsolved.residuals is not None:
        return _explain_open_loop(failure, equations, unsolved) or explain_newton(plain, failure, equations, unsolved)
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
    system, block, known = situation(failure, equations, unknown)
    alias = next((a for a in equations.reduced.dae.aliases if a.variable.symbol == unknown), None)
    if block is not None:
        marked = [system.equations[e] for e in block.eqs]
        inside = {system.unknowns[v] for v in block.vars}
    else:
        marked, inside = list(alias.because if alias is not None else ()), {unknown}
    leaves = [x for x in postorder([side for e in marked for side in (e.left, e.right)]) if not x.args]
    given = [x for x in leaves if x.op in ("variable", "parameter", "frozen") and x in known and x not in inside]
    plain = no_number(failure.t, wrong, first=failure.routine == "initial")
    shown = _values_there(failure, given, known)
    notes = (f"there: {listed(shown, SHOWN)}",) if shown else ()
    written = [as_written(equations.reduced.dae, e) for e in marked[: MOST + 1]]
    return replace(
        plain, primary=_first_label(written), secondary=tuple(_labels(written[1:])), notes=(*notes, *plain.notes)
    )


def _values_there(failure: Failure, given: list[Expr], known: Mapping[Expr, float]) -> list[str]:
    """Values as the user knows them: relations by their text, nothing that the translator has made."""
    slots = {slot.name: slot for slot in failure.program.table.frozen}
    shown = []
    for x in given:
        slot = slots.get(x.name)
        if slot is None and x.op != "frozen":
            shown.append(f"{_name(x)} = {known[x]:.6g}")
        elif slot is not None and not slot.internal:
            is_truth = slot.type == "boolean"
            value = f"is {'true' if known[x] else 'false'}" if is_truth else f"= {known[x]:.6g}"
            shown.append(f"{slot.text or _name(x)} {value}")
    return list(dict.fromkeys(shown))


def explain_nearly_singular(failure: Failure, equations: Equations) -> Diagnostic | None:
    """R003: a block that is almost singular where the solver got stuck; None if there is none."""
    system = sorted_system(equations, failure.program, failure.routine)
    known = known_of(failure, equations)
    for block in system.blocks:
        found = singular(system, block, known, NEARLY)
        if found is not None:
            return _singular_diagnostic(failure, equations, found)
    return None


# ----------------------------------------------------------------- singular


def _explain_singular(failure: Failure, equations: Equations, unknown: Expr) -> Diagnostic | None:
    system, block, known = situation(failure, equations, unknown)
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
    conditions = first and any(map(is_condition, found.equations))
    return Diagnostic(
        "R001" if first else "R003",
        f"{when(failure.t, first)}: {found.sentence}",
        _first_label(shown),
        tuple(_labels(shown[1:])),
        notes=tuple(notes),
        help=DEPENDENT_CONDITIONS if conditions else CHANGING_INDEX if modes else DEPENDENT,
    )


# ---------------------------------------------------------------- linkages


def _explain_open_loop(failure: Failure, equations: Equations, unsolved: Unsolved) -> Diagnostic | None:
    """A linkage that cannot be assembled, or not from these start values; None for other equations."""
    pool = equations.reduced.dae.pool
    target = pool.variable(*failure.program.blocks[unsolved.block - 1].targets[0])
    system, block, known = situation(failure, equations, target)
    if block is None:
        return None
    states = (
        () if failure.routine == "initial" else tuple([pool.variable(*s.symbol) for s in failure.program.state_slots])
    )
    found = open_loop(equations, system, known, [system.unknowns[v] for v in block.vars], states)
    first = failure.routine == "initial"
    return None if found is None else open_loop_failure(equations, found, when(failure.t, first), first=first)


# -------------------------------------------------------------------- labels


def _first_label(equations: Sequence[Equation]) -> Label | None:
    return next(iter(_labels(equations)), None)


def _labels(equations: Iterable[Equation]) -> list[Label]:
    return [Label(e.origin.span, show_equation(e)) for e in equations][:MOST]


def _name(leaf: Expr) -> str:
    return show_derivative(leaf.name, leaf.order)
