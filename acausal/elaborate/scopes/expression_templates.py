"""Expression templates: the evaluation of a class's text, recorded once and repeated for other instances.

    v = transpose(T)*u, where v, T, u are 0, 1, 2      ->      3: transpose of 1, 4: matmul of 3 and 2; sides: 0, 4

On the way from a text to expressions all is decided by the text, the functions that it calls, the operators, shapes
and types of what its names mean, and the values of parameters that shapes depend on. Where these are the same, so are
the calls of the pool: they are a template, and doing them is all that is left. A mistake makes no template.
"""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from acausal.base.caches import LOCK, memoized, register
from acausal.base.diagnostics import ModelError
from acausal.base.frozen import record
from acausal.base.options import Limits
from acausal.base.source import Span
from acausal.elaborate.expressions import expressions
from acausal.elaborate.expressions.postfix import operands_of, parts_of
from acausal.elaborate.functions.template_recorder import Method, Record
from acausal.elaborate.scope_protocol import ParameterValue, Scope
from acausal.elaborate.scopes.scope import InstanceScope
from acausal.ir import ast
from acausal.ir.expr import Expr, Payload, Shape
from acausal.ir.interning import Picked
from acausal.ir.pool import Pool

TEXTS, STEPS, FORMS = 5000, 100_000, 16
"""Texts and steps of templates that are kept in all, and the templates of one text."""

Make = Callable[..., tuple[Expr, ...]]
Kinds = tuple[object, ...]
Call = tuple[Method | None, Any, Picked, Payload, Shape]
"""A step with what picks its operands."""


@record(frozen=True, slots=True, eq=False)
class _Template:
    """Calls, whose results are numbered on from the names; `functions` and `asked` must mean what they meant."""

    limits: Limits
    functions: tuple[tuple[str, ast.Function | None], ...]
    asked: tuple[tuple[int, ParameterValue], ...]
    calls: tuple[Call, ...]
    results: Picked


@record(frozen=True, slots=True, eq=False)
class _Text:
    """Results of the walker for nodes, their names and references, and templates by the meanings of these.

    Texts are known by the identity of their nodes, which is kept as long as these are held.
    """

    make: Make
    nodes: tuple[ast.Expression, ...]
    names: tuple[str, ...]
    dotted: tuple[ast.Reference, ...]
    templates: dict[Kinds, list[_Template]]


def equation(left: ast.Expression, right: ast.Expression, scope: InstanceScope) -> tuple[Expr, Expr]:
    """Both sides of an equation, as `expressions.equation` makes them."""
    first, second = _made(expressions.equation, (left, right), scope)
    return first, second


def condition(node: ast.Expression, scope: InstanceScope) -> Expr:
    """A scalar condition, as `expressions.condition` makes it."""
    return _made(_condition, (node,), scope)[0]


def expression(node: ast.Expression, scope: InstanceScope) -> Expr:
    """As `expressions.expression` makes it; a value with units depends on the declaration, too."""
    if scope.unit is not None or not operands_of(node):
        return expressions.expression(node, scope)
    return _made(_expression, (node,), scope)[0]


def _condition(node: ast.Expression, scope: Scope) -> tuple[Expr]:
    return (expressions.condition(node, scope),)


def _expression(node: ast.Expression, scope: Scope) -> tuple[Expr]:
    return (expressions.expression(node, scope),)


def _made(make: Make, nodes: tuple[ast.Expression, ...], scope: InstanceScope) -> tuple[Expr, ...]:
    """By a template from the third time on: what comes once only is not worth the recording."""
    text = _KEPT.text(make, nodes)
    leaves = scope.leaves(text.names, text.dotted)
    kinds = None if leaves is None else _kinds(leaves, scope)
    if leaves is None or kinds is None:
        return make(*nodes, scope)
    templates = text.templates.get(kinds)
    if templates is None:
        if len(text.templates) < FORMS:
            text.templates[kinds] = []
        return make(*nodes, scope)
    for template in templates:
        if _fits(template, leaves, scope):
            return _done(template, leaves, scope.world.pool)
    return make(*nodes, scope) if len(templates) == FORMS else _recorded(text, templates, leaves, scope)


def _kinds(leaves: Sequence[Expr], scope: InstanceScope) -> Kinds | None:
    """Kinds of the meanings of names; None where two of them are one, or one is no leaf."""
    if len(set(leaves)) < len(leaves):
        return None
    type_of = scope.world.types.get
    kinds: list[object] = []
    for leaf in leaves:
        op = leaf.op
        if op == "parameter" or (op == "variable" and not leaf.order):
            kinds.append((op, leaf.shape, type_of(leaf)))
        elif op == "variable":
            same = [i for i, other in enumerate(leaves) if other.op == "variable" and other.name == leaf.name]
            kinds.append((op, leaf.shape, leaf.order, *same))
        elif op == "const":
            kinds.append(leaf.value)
        else:
            return None
    return tuple(kinds)


def _fits(template: _Template, leaves: Sequence[Expr], scope: InstanceScope) -> bool:
    """True if functions and structural parameters are what they were; a mistake here is reported by the walker."""
    if template.limits is not scope.world.limits:
        return False
    for name, function in template.functions:
        if scope.function(name) is not function:
            return False
    try:
        for number, value in template.asked:
            if scope.structural(leaves[number]) != value:
                return False
    except ModelError:
        return False
    return True


def _done(template: _Template, leaves: Sequence[Expr], pool: Pool) -> tuple[Expr, ...]:
    """Expressions that the template makes of these leaves."""
    values = list(leaves)
    put, node = values.append, pool.node
    for method, given, operands, value, shape in template.calls:
        if method is None:
            put(node(given, operands(values), value, shape))
        elif given is None:
            put(method(pool, *operands(values)))
        else:
            put(method(pool, given, *operands(values)))
    return template.results(values)


def picked(numbers: tuple[int, ...]) -> Picked:
    """Function that picks the values of these numbers."""
    if len(numbers) > 1:
        return itemgetter(*numbers)
    if not numbers:
        return lambda _: ()
    (number,) = numbers
    return lambda values: (values[number],)


def _recorded(
    text: _Text, templates: list[_Template], leaves: Sequence[Expr], scope: InstanceScope
) -> tuple[Expr, ...]:
    """Expressions made by the walker; the calls of the pool become a template, where they depend on nothing else."""
    kept = Record(scope, leaves)
    results = text.make(*text.nodes, kept)
    recorded = kept.pool.steps_to(results)
    if recorded is not None:
        steps, numbers = recorded
        asked = tuple([(leaves.index(parameter), value) for parameter, value in kept.asked])
        calls = tuple([(method, given, picked(o), value, shape) for method, given, o, value, shape in steps])
        templates.append(_Template(scope.limits, tuple(kept.functions.items()), asked, calls, picked(numbers)))
        _KEPT.count(len(steps))
    return results


# ----------------------------------------------------------------------- texts


class _Kept:
    """The texts whose templates are kept; all are forgotten when they become many."""

    def __init__(self) -> None:
        self._texts: dict[tuple[object, ...], _Text] = {}
        self._steps = 0

    def text(self, make: Make, nodes: tuple[ast.Expression, ...]) -> _Text:
        """Recorded data of a text."""
        key = (make, id(nodes[0]), id(nodes[-1]))  # one node or two, as `make` has it
        found = self._texts.get(key)
        if found is None:
            made = _Text(make, nodes, *_names(nodes), {})
            with LOCK:
                if len(self._texts) >= TEXTS or self._steps >= STEPS:
                    self.clear()
                found = self._texts.setdefault(key, made)
        return found

    def clear(self) -> None:
        """Forget all texts."""
        self._texts.clear()
        self._steps = 0

    def count(self, steps: int) -> None:
        """Count the steps of a new template."""
        self._steps += steps


_KEPT = _Kept()
register(_KEPT)


def _names(nodes: tuple[ast.Expression, ...]) -> tuple[tuple[str, ...], tuple[ast.Reference, ...]]:
    """The names that a scope is asked for, and the references to submodels, with any last indices once each."""
    names: dict[str, None] = {}
    dotted: dict[tuple[object, ...], ast.Reference] = {}
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Reference) and not expressions.is_own(node):
            *submodels, last = node.parts
            if submodels:
                dotted.setdefault((*submodels, last.name), node)
            else:
                names[last.name] = None
        stack += parts_of(node)
    return tuple(names), tuple(dotted.values())


@memoized(TEXTS)
def shared_reference(span: Span, name: str) -> ast.Reference:
    """The name of a declaration as in an equation: one node for all instances."""
    return ast.Reference(span, (ast.Part(span, name),))
