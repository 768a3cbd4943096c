"""The value of a variable that one sum or product alone uses is put into it, where only some outputs are wanted.

    h = r*x;  b = k + c;  y = h + b + r*z      ->      y = r*x + k + c + r*z

Then parameters in it are joined, factors taken out, and what cancels goes.
"""

from collections.abc import Iterable, Sequence

from acausal.ir.expr import VARIES, Expr
from acausal.ir.plan import Assign, SolveLinear, Step
from acausal.ir.pool import Pool
from acausal.ir.walk import marked, variables_of
from acausal.symbolic.substitute import rebuild, rewrite_marked

OPEN = ("add", "mul")


def substitute_forward(pool: Pool, steps: Sequence[Step], wanted: Iterable[Expr]) -> tuple[Step, ...]:
    """The steps that the requested expressions need, without those whose targets have been substituted."""
    live, needed = _live(steps, wanted)
    once = _used_once([s.value for s in live if isinstance(s, Assign)], needed)
    memo: dict[Expr, Expr] = {}
    found: list[Step] = []
    for step in live:
        if isinstance(step, Assign):
            value = _rewritten(pool, step.value, once, memo)
            if step.target in once and _without_sign(value).op in OPEN:
                memo[step.target] = value
                continue
            step = Assign(step.target, value, step.origin)
        found.append(step)
    return tuple(found)


def _live(steps: Sequence[Step], wanted: Iterable[Expr]) -> tuple[list[Step], set[Expr]]:
    """The steps that are needed, in order, and the variables that are needed otherwise than in values of variables."""
    fixed = _leaves(wanted)
    needed = set(fixed)
    found: list[Step] = []
    for step in reversed(steps):
        if isinstance(step, Assign):
            if step.target in needed:
                found.append(step)
                needed |= _leaves([step.value])
        else:
            found.append(step)
            own = _leaves(_expressions(step))
            fixed |= own
            needed |= own
    found.reverse()
    return found, fixed


def _expressions(step: Step) -> list[Expr]:
    """All expressions of a block."""
    if isinstance(step, Assign):
        return [step.value]
    if isinstance(step, SolveLinear):
        return [*(e for row in step.matrix for e in row), *step.right]
    inner = [a.value for a in step.inner]
    return [*inner, *step.residuals, *(e for row in step.jacobian for e in row), *step.guesses]


def _leaves(roots: Iterable[Expr]) -> set[Expr]:
    return set(variables_of(roots))


def _used_once(values: list[Expr], fixed: set[Expr]) -> set[Expr]:
    """Variables that stand in one sum or product and nowhere else, and sums in sums, products in products like that."""
    places = dict.fromkeys(fixed, 2)
    for value in values:
        places[_without_sign(value)] = 2
    for node in marked(values, VARIES):
        op = node.op
        if op == "neg":
            continue
        for arg in node.args:
            part = arg.args[0] if arg.op == "neg" else arg
            if part.op == "variable":
                places[part] = places.get(part, 0) + (1 if op in OPEN else 2)
            elif part.op in OPEN:
                places[part] = places.get(part, 0) + (1 if part.op == op else 2)
    return {part for part, count in places.items() if count == 1}


def _without_sign(expr: Expr) -> Expr:
    return expr.args[0] if expr.op == "neg" else expr


def _rewritten(pool: Pool, expr: Expr, once: set[Expr], memo: dict[Expr, Expr]) -> Expr:
    """The expression with known values substituted; sums in sums and products in products flattened."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if node.op in OPEN:
            return _opened(pool, node, args, once)
        return node if args == node.args else rebuild(pool, node, args)

    return rewrite_marked(expr, VARIES, change, memo)


def _opened(pool: Pool, node: Expr, args: tuple[Expr, ...], once: set[Expr]) -> Expr:
    parts: list[Expr] = []
    op = node.op
    for old, new in zip(node.args, args, strict=True):
        body = new.args[0] if new.op == "neg" else new
        if body.op != op or _without_sign(old) not in once:
            parts.append(new)
        elif op == "add":
            parts += [pool.neg(t) for t in body.args] if new.op == "neg" else body.args
        else:
            parts += [*body.args, pool.const(-1)] if new.op == "neg" else body.args
    if tuple(parts) == node.args:
        return node
    return pool.add(*parts) if op == "add" else pool.mul(*parts)
