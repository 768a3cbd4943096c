"""`when` and equations for new values: from the text to `ir.events.When`.

when h < 0 then            ->    When(Branch(h < 0, (Action(init, v, -e*v),)))
  init(v) = -e*v
endwhen
new(mode) = ...            ->    When(Branch(None, (Action(new, mode, ...),)))
"""

from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scopes.expression_templates import condition, equation
from acausal.elaborate.scopes.scope import InstanceScope
from acausal.elaborate.scopes.statements import expanded
from acausal.ir import ast
from acausal.ir.events import Action, Branch, When
from acausal.ir.expr import Expr
from acausal.ir.origin import Origin

_LEFT = ("init", "new", "$init")
"""`$init` stands in classes of functional mock-up units: `init` at every event, which no text can write."""


def sets_new(node: ast.Item) -> bool:
    """True if an equation has `new(...)` or `init(...)` alone on its left side."""
    return isinstance(node, ast.Equation) and isinstance(node.left, ast.Call) and node.left.name in _LEFT


def when(node: ast.When, scope: InstanceScope) -> When:
    """A `when` with all its branches; E003 and E004 for what cannot stand in one."""
    return When(tuple([_branch(test, items, scope) for test, items in node.branches]))


def at_every_event(node: ast.Equation, scope: InstanceScope) -> When:
    """`new(k) = e` outside `when`."""
    action = _setting(node, scope)
    assert isinstance(node.left, ast.Call)
    if node.left.name == "init":
        raise mistake(
            "E003",
            "init(...) is allowed only inside when",
            node.left.span,
            hint="write when ... then, init(...) = ..., endwhen; or `initial x = 2` for the start",
        )
    return When((Branch(None, (action,), action.origin),))


def _branch(test: ast.Expression, items: tuple[ast.Item, ...], scope: InstanceScope) -> Branch:
    actions = tuple([_action(node, inner) for item in items for node, inner in expanded(item, scope)])
    return Branch(condition(test, scope), actions, Origin(test.span, scope.instance.path))


def _action(node: ast.Item, scope: InstanceScope) -> Action:
    if isinstance(node, ast.Equation) and sets_new(node):
        return _setting(node, scope)
    if isinstance(node, ast.Condition):
        origin = Origin(node.span, scope.instance.path)
        return Action(node.kind, None, condition(node.condition, scope), origin, node.text)
    raise mistake(
        "E004",
        "only init(x) = ..., new(k) = ..., assert and terminate are allowed inside when",
        node.span,
        "not an action at an instant",
        hint=_as_action(node, scope) or "move equations that hold at all times outside",
    )


def _as_action(node: ast.Item, scope: InstanceScope) -> str | None:
    """The form in which an equation `x = e` sets x at the instant; None for other statements."""
    if not isinstance(node, ast.Equation) or not isinstance(node.left, ast.Reference):
        return None
    name = node.left.parts[0].name
    value = scope.instance.template.values.get(name) if len(node.left.parts) == 1 else None
    form = "new" if value is not None and value.kind == "discrete" else "init"
    what = "a discrete variable" if form == "new" else "a state"
    left, right = node.left.span.text, node.right.span.text
    return f"to set {what} write `{form}({left}) = {right}`; move equations that hold at all times outside"


def _setting(node: ast.Equation, scope: InstanceScope) -> Action:
    """`init(x) = e` or `new(k) = e`; both sides have one shape."""
    call = node.left
    assert isinstance(call, ast.Call)
    if len(call.arguments) != 1:
        raise mistake(
            "T003",
            f"{call.name} takes 1 argument, not {len(call.arguments)}",
            call.span,
            hint=f"write {call.name}(x) = ...",
        )
    left, right = equation(call.arguments[0], node.right, scope)
    if call.name == "new" and not _is_variable(left):
        hint = "declare it: discrete k"
        raise mistake(
            "E001", "new(...) requires a discrete variable", call.arguments[0].span, "not a variable", hint=hint
        )
    if call.name == "init" and not _is_variable(left):
        hint = "init requires a state; a variable that changes only at events is `discrete` and set by new"
        shown = call.arguments[0].span.text
        message = f"init({shown}): {shown} is not a variable"
        raise mistake("E003", message, call.arguments[0].span, "not a variable", hint=hint)
    return Action("new" if call.name == "new" else "init", left, right, Origin(node.span, scope.instance.path))


def _is_variable(expr: Expr) -> bool:
    return (expr.args[0] if expr.op == "index" else expr).op == "variable"
