"""Checks of event expressions: `new`, `init` and `sample` only where they are allowed, each variable set once."""

from collections.abc import Mapping

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.elaborate.scope_protocol import ParameterValue
from acausal.elaborate.values.evaluate import evaluate
from acausal.ir.events import Action, Branch, Frozen
from acausal.ir.expr import Expr
from acausal.ir.flat import Variable
from acausal.ir.names import Name, show_name
from acausal.ir.origin import Origin
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import postorder

_HINTS = {
    "new": "omit `new`: in an equation {0} is the value after the event",
    "sample": "write it in a `when`: when sample(0, 0.1) then",
}


def need_discrete(variable: Expr, origin: Origin) -> None:
    """E001 unless it is the leaf of a discrete variable's value."""
    if variable.op != "frozen":
        name = show_name(variable.name)
        message = f"new({name}): {name} is not a discrete variable"
        hint = f"write {name}: only variables declared `discrete` have a value before and one after the event"
        raise ModelError(Diagnostic("E001", message, Label(origin.span), help=hint))


def need_state(action: Action, variables: Mapping[Name, Variable]) -> None:
    """E003 where `init` names what is discrete, or an input."""
    leaf = action.target
    assert leaf is not None
    leaf = leaf.args[0] if leaf.op == "neg" else leaf
    kind = variables[leaf.name].kind if leaf.op == "variable" and leaf.name in variables else ""
    if kind in ("discrete", "input"):
        name = show_expr(leaf)
        what, hint = ("a discrete variable", f"write new({name}) = ...")
        if kind == "input":
            what, hint = "an input", "its value is given from outside; init requires a state"
        message = f"init({name}): {name} is {what}, not a state"
        raise ModelError(Diagnostic("E003", message, Label(action.origin.span), help=hint))


def need_no_instants(expr: Expr, origin: Origin) -> None:
    """E008 for `new` or `sample` in what holds at all times, or in the first instant."""
    for node in postorder([expr]):
        if node.op in _HINTS:
            if node.op == "new":
                need_discrete(node.args[0], origin)
            written = show_expr(node)
            inner = show_expr(node.args[0])
            message = f"{written} is defined only inside a `when`"
            hint = _HINTS[node.op].format(inner)
            raise ModelError(Diagnostic("E008", message, Label(origin.span, f"{written} in it"), help=hint))


def need_set_once(branch: Branch) -> None:
    """E005 for a variable that one branch sets twice."""
    first: dict[tuple[str, Expr | None], Action] = {}
    for action in branch.actions:
        if action.target is None:
            continue
        known = first.setdefault((action.kind, action.target), action)
        if known is not action:
            written = f"{action.kind}({show_expr(action.target)})"
            message = f"{written} is set twice in one branch"
            again, places = Label(action.origin.span, "set here again"), (Label(known.origin.span, "set here"),)
            hint = "remove one of them; for a conditional value write new(k) = if c then a else b"
            raise ModelError(Diagnostic("E005", message, again, places, help=hint))


def need_positive_interval(sample: Frozen, values: Mapping[Expr, ParameterValue]) -> None:
    """E015 where a sample is not repeated in positive intervals."""
    found = evaluate(sample.now[1], values, sample.origin.span)
    if isinstance(found, float) and not found > 0.0:
        raise ModelError(no_interval("" if sample.written is None else show_expr(sample.written), found, sample.origin))


def no_interval(written: str, found: float, origin: Origin) -> Diagnostic:
    """E015 for a sample as written, whose interval has the value `found`."""
    message = f"the interval of {written} must be positive, it is {found:g}"
    hint = "sample(start, interval) is true at start, start + interval, and so on"
    return Diagnostic("E015", message, Label(origin.span), help=hint)
