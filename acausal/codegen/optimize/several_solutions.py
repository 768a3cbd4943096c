"""Nonlinear blocks that may have several solutions, so that time may move them to where branches cross.

Sums, exponentials and the like have one: diodes and transistors, however time moves them.
"""

from collections.abc import Collection, Sequence

from acausal.codegen.optimize.liveness import targets_of
from acausal.ir.expr import VARIES, Expr
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, Step
from acausal.ir.walk import marked

_TURNING = ("sin", "cos", "tan", "abs")
_PERIODIC = ("sin", "cos")


def is_moved_by(steps: Sequence[Step], leaves: Collection[Expr]) -> bool:
    """True if one of these leaves, as time or inputs, moves a block that may have several solutions."""
    moved, still = set(leaves), set[Expr]()
    for step in steps:
        if _reaches(_values(step), moved, still, keeps=not isinstance(step, SolveNonlinear)):
            moved.update(targets_of(step))
            if isinstance(step, SolveNonlinear) and has_several(step):
                return True
    return False


def _reaches(roots: Sequence[Expr], moved: Collection[Expr], still: set[Expr], *, keeps: bool) -> bool:
    """True if something below the roots is moved; no node is in `still`, which takes all where nothing is moved.

    What depends on unknowns of the same block is not kept there (`keeps`): these may be moved.
    """
    stack = [root for root in roots if root.flags & VARIES]
    seen = set[Expr]()
    while stack:
        node = stack.pop()
        if node in moved:
            return True
        if node not in seen and node not in still:
            seen.add(node)
            stack += [a for a in node.args if a.flags & VARIES]
    if keeps:
        still |= seen
    return False


def driven_states(steps: Sequence[Step], states: Sequence[Expr], rates: Sequence[Expr]) -> tuple[int, ...]:
    """The states that move blocks with several solutions, and whose rate is no state but a formula.

    A formula needs no solution of such a block, unless that is an angle: voltages and flows follow from what they move.
    """
    formulas = {step.target: step.value for step in steps if isinstance(step, Assign)}
    values = [formulas.get(rate, rate) for rate in rates]
    places = set(states)
    excluded = {state for state, value in zip(states, values, strict=True) if value in places}.union(values)
    candidates = [i for i, state in enumerate(states) if state not in excluded]
    if not candidates or not any(isinstance(step, SolveNonlinear) and has_several(step) for step in steps):
        return ()
    bit_of = {states[i]: 1 << k for k, i in enumerate(candidates)}
    bits, found = dict(bit_of), dict.fromkeys(bit_of.values(), 0)
    next_bit = 1 << len(candidates)
    for step in steps:
        reached = _bits_of(_values(step), bits)
        if isinstance(step, SolveNonlinear) and has_several(step):
            for bit in found:
                found[bit] |= next_bit if reached & bit else 0
            next_bit, reached = next_bit << 1, reached | (0 if has_several(step, _PERIODIC) else next_bit)
        bits |= dict.fromkeys(targets_of(step), reached)
    needed = [_bits_of([rates[i]], bits) for i in candidates]
    moved = [found[bit_of[states[i]]] for i in candidates]
    return tuple([i for i, n, m in zip(candidates, needed, moved, strict=True) if m and not n & m])


def _bits_of(roots: Sequence[Expr], bits: dict[Expr, int]) -> int:
    """The bits of all leaves and targets below the roots."""
    found = 0
    for node in marked(roots, VARIES):
        if node in bits:
            found |= bits[node]
    return found


def has_several(step: SolveNonlinear, turning: Collection[str] = _TURNING) -> bool:
    """True if a function that grows and falls, a square or a product of unknowns is in the equations.

    With fewer functions than all of these, True if one of them is.
    """
    inside = {*step.targets, *(a.target for a in step.inner)}
    for node in marked(_values(step), VARIES):
        parts = [a for a in node.args if a in inside]
        if parts:
            if node.op in turning or (turning is _TURNING and _is_product(node, parts)):
                return True
            inside.add(node)
    return False


def _is_product(node: Expr, parts: Sequence[Expr]) -> bool:
    """True if it is a product of several of its parts, or a power that may be even."""
    if node.op == "mul":
        return len(parts) > 1
    return node.op == "pow" and (node.args[1].op != "const" or node.args[1].number % 2.0 == 0.0)


def _values(step: Step) -> list[Expr]:
    if isinstance(step, Assign):
        return [step.value]
    if isinstance(step, SolveLinear):
        return [*(e for row in step.matrix for e in row), *step.right]
    return [*(a.value for a in step.inner), *step.residuals]
