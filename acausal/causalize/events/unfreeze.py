"""Switches that need no value that is frozen between events.

    y = if $1 then x else -x,     $1: x >= 0     ->     y = if x >= 0 then x else -x
    y = if $1 then sqrt(x) + 1 else 0, $1: x > 0 ->     y = if $1 and x > 0 then sqrt(x) + 1 else 0

A continuous switch is evaluated directly where its relation can be computed before it. Its crossings are still
located, so that the solver restarts behind a kink, but nothing depends on them. In a linear loop, where the relation
depends on what it decides, it stays frozen, so that the loop stays linear; in a nonlinear one Newton's method sees it
(semismooth: L. Qi, J. Sun, Mathematical Programming 58 (1993)), as on the wrong branch there may be no solution.

A branch with roots, logarithms or quotients is taken only while its condition holds, also in trial steps and
iterations that go beyond the crossing: there it may have no value.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush

from acausal.causalize.events.continuous_switches import Switches
from acausal.ir.events import Events, map_events
from acausal.ir.expr import FROZEN, Expr
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, SolvePlan, Step
from acausal.ir.pool import Pool
from acausal.ir.walk import leaves_of, marked, variables_of
from acausal.structure.blt import strong_components
from acausal.symbolic.substitute import rebuild, rewrite_marked

Conditions = dict[Expr, Expr]
"""The new condition of each switch."""


def unfreeze(plan: SolvePlan) -> SolvePlan:
    """The plan without the frozen values that it does not need; relations that nothing reads then are `continuous`."""
    relations = {h.symbol: h for h in plan.events.frozen if h.kind == "relation" and h.clock is None}
    if not relations:
        return plan
    pool, switches = plan.pool, Switches(plan.pool, relations)
    steps = _unfrozen(switches, plan.steps)
    initial_steps = _unfrozen(switches, plan.initial_steps)
    varying = [*_with_frozen(steps).values(), *_with_frozen(initial_steps).values()]
    needed = set(leaves_of([e for step in varying for e in roots_of(step)], FROZEN))
    others = [*_roots_of_events(plan.events), *[c.condition for c in plan.conditions]]
    conditions = {s: c for s in _switches_in(others) if (c := _outside(switches, s, needed)) is not None}
    change = _changer(pool, conditions)
    events = map_events(plan.events, change)
    runs = tuple([replace(c, condition=change(c.condition)) for c in plan.conditions])
    choices = [e for choice in plan.choices for row in choice.matrix for e in row]
    delayed = [d.value for d in plan.delays]
    needed.update(leaves_of([*_roots_of_events(events), *[c.condition for c in runs], *choices, *delayed], FROZEN))
    frozen = [replace(h, continuous=h.symbol in relations and h.symbol not in needed) for h in events.frozen]
    return replace(
        plan, steps=steps, initial_steps=initial_steps, events=replace(events, frozen=tuple(frozen)), conditions=runs
    )


def _outside(switches: Switches, switch: Expr, needed: set[Expr]) -> Expr | None:
    """The condition of a continuous switch of events, where no equation has it frozen."""
    if not switches.continuous(switch) or needed.intersection(leaves_of([switch.args[0]], FROZEN)):
        return None
    return switches.condition(switch)


def _unfrozen(switches: Switches, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps with new conditions, in an order in which these are known; the same if there are none."""
    preferences = {i: found for i, step in _with_frozen(steps).items() if (found := _conditions_known(switches, step))}
    if not preferences:
        return steps
    maker = {target: i for i, step in enumerate(steps) for target in targets_of(step)}
    needs = [_makers(roots_of(step), maker, step) for step in steps]
    more = {(i, s): _makers([c], maker, steps[i]) for i, found in preferences.items() for s, c in found.items()}
    whole = [list(n) for n in needs]
    for (i, _), makers in more.items():
        whole[i] += makers
    component = _components(whole)
    changed = list(steps)
    for i, found in preferences.items():
        good = {s: c for s, c in found.items() if all(component[k] != component[i] for k in more[i, s])}
        step = _rewritten(switches, steps[i], good)
        if step is not None:
            changed[i] = step
            needs[i] = _makers(roots_of(step), maker, step)
    order = _in_order(needs)
    assert order is not None, "conditions inside a loop stay frozen"
    return tuple([changed[i] for i in order])


def _with_frozen(steps: Iterable[Step]) -> dict[int, Step]:
    """The steps with frozen values by their places, and all that solve blocks."""
    return {i: step for i, step in enumerate(steps) if step.__class__ is not Assign or step.value.flags & FROZEN}


def _components(needs: Sequence[Sequence[int]]) -> list[int]:
    """The number of the loop that each step belongs to."""
    found = [0] * len(needs)
    for number, members in enumerate(strong_components(needs)):
        for i in members:
            found[i] = number
    return found


def _makers(exprs: Iterable[Expr], maker: dict[Expr, int], step: Step) -> list[int]:
    """The steps that the expressions of a step need, but for itself."""
    own = _own(step)
    return list(dict.fromkeys([maker[x] for x in variables_of(exprs) if x in maker and x not in own]))


def _in_order(needs: Sequence[Sequence[int]]) -> list[int] | None:
    """Each after those that it needs, else in the order given; None where there is a loop."""
    waits = [len(set(n)) for n in needs]
    users: list[list[int]] = [[] for _ in needs]
    for i, makers in enumerate(needs):
        for k in set(makers):
            users[k].append(i)
    ready = [i for i, count in enumerate(waits) if not count]
    heapify(ready)
    order = []
    while ready:
        i = heappop(ready)
        order.append(i)
        for k in users[i]:
            waits[k] -= 1
            if not waits[k]:
                heappush(ready, k)
    return order if len(order) == len(needs) else None


# ------------------------------------------------------------------- one step


def _conditions_known(switches: Switches, step: Step) -> Conditions:
    """The switches that would have new conditions, if these are known where the step stands."""
    nonlinear = isinstance(step, SolveNonlinear)
    roots = [*[a.value for a in step.inner], *step.residuals] if isinstance(step, SolveNonlinear) else roots_of(step)
    found: Conditions = {}
    inside = _switches_in(roots)
    own = _own(step) if inside else frozenset()
    for s in inside:
        condition = switches.condition(s)
        if condition is None:
            continue
        if nonlinear or own.isdisjoint(variables_of([condition])):
            found[s] = condition
    return found


def _rewritten(switches: Switches, step: Step, conditions: Conditions) -> Step | None:
    """The step with these conditions; None where it stays as it is."""
    if not conditions:
        return None
    change = _changer(switches.pool, conditions)
    if isinstance(step, Assign):
        return replace(step, value=change(step.value))
    if isinstance(step, SolveLinear):
        matrix = tuple([tuple([change(e) for e in row]) for row in step.matrix])
        return replace(step, matrix=matrix, right=tuple([change(e) for e in step.right]))
    inner = [replace(a, value=change(a.value)) for a in step.inner]
    place = {a.target: i for i, a in enumerate(inner)}
    order = _in_order([_makers([a.value], place, a) for a in inner])
    if order is None:
        return None
    slope = _changer(switches.pool, _of_slopes(switches, step, conditions))
    return replace(
        step,
        inner=tuple([inner[i] for i in order]),
        residuals=tuple([change(e) for e in step.residuals]),
        jacobian=tuple([tuple([slope(e) for e in row]) for row in step.jacobian]),
    )


def _of_slopes(switches: Switches, step: SolveNonlinear, conditions: Conditions) -> Conditions:
    """Derivatives of switches switch where these do."""
    by_condition = {s.args[0]: c for s, c in conditions.items() if switches.continuous(s)}
    found = dict(conditions)
    for s in _switches_in([e for row in step.jacobian for e in row]):
        condition = by_condition.get(s.args[0]) or switches.condition(s)
        if condition is not None and any(s.args[0] is c.args[0] for c in conditions):
            found[s] = condition
    return found


def _switches_in(exprs: Iterable[Expr]) -> list[Expr]:
    """Every `if` that something frozen decides, arguments first."""
    return [n for n in marked(exprs, FROZEN) if n.op == "if" and n.args[0].flags & FROZEN]


def _changer(pool: Pool, conditions: Conditions) -> Callable[[Expr], Expr]:
    """Puts in the conditions."""
    memo: dict[Expr, Expr] = {}

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        condition = conditions.get(node)
        if condition is not None:
            return pool.if_(condition, args[1], args[2])
        return node if args == node.args else rebuild(pool, node, args)

    return lambda expr: rewrite_marked(expr, FROZEN, change, memo)


def _own(step: Step) -> frozenset[Expr]:
    """Variables known inside a step."""
    inner = [a.target for a in step.inner] if isinstance(step, SolveNonlinear) else []
    return frozenset([*targets_of(step), *inner])


def targets_of(step: Step) -> tuple[Expr, ...]:
    """Targets of a step."""
    return (step.target,) if isinstance(step, Assign) else step.targets


def roots_of(step: Step) -> list[Expr]:
    """The expressions of a step."""
    if isinstance(step, Assign):
        return [step.value]
    if isinstance(step, SolveLinear):
        return [*[e for row in step.matrix for e in row], *step.right]
    return [*[a.value for a in step.inner], *step.residuals, *[e for row in step.jacobian for e in row]]


def _roots_of_events(events: Events) -> list[Expr]:
    found = [e for h in events.frozen for e in h.now]
    found += [e for r in events.restarts for e in (r.target, r.value, r.fired)]
    return [*found, *[e for a in events.announcements for e in (a.fired, a.condition)]]
