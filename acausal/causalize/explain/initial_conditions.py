"""Conditions of the first instant in the user's words: too many, not steady, or left to start values."""

from collections.abc import Iterator, Sequence

from acausal.base.diagnostics import Diagnostic, Label, ModelError, Severity
from acausal.ir.flat import Equation
from acausal.ir.names import listed, show_derivative, show_name
from acausal.ir.origin import How, Origin
from acausal.ir.show.expressions import show_equation, show_expr
from acausal.structure.matching import Conflict

MOST = 4
"""Number of conditions that a message shows."""


def too_many_conditions(equations: Sequence[Equation], run: int, found: Conflict) -> ModelError:
    """Initial conditions that compete for the same unknowns; `run` is the number of equations of the run."""
    rivals = [equations[e] for e in found.eqs if e >= run] or [equations[e] for e in found.eqs]
    first, *rest = rivals
    if not found.vars:
        return _no_variable(first)
    model = [equations[e] for e in found.eqs if e < run and equations[e].origin.how is How.WRITTEN]
    open_ = next((e.origin for e in map(equations.__getitem__, found.eqs) if e.origin.how is How.UNCONNECTED), None)
    why = "" if open_ is None else f", because {_cut(open_)} is not connected"
    labels = [Label(e.origin.span, show_equation(e)) for e in rest[:MOST]]
    notes = []
    if rest:
        shown = listed(map(show_equation, rivals), MOST)
        notes.append(f"{_counted(len(rivals))}, of which {len(rest)} can be satisfied: {shown}")
    if model:
        labels += [Label(e.origin.span, "also holds at the start") for e in model[: MOST - len(labels)]]
        notes.append(f"the equations of the model that relate them: {listed(map(show_equation, model), MOST)}")
    return ModelError(
        Diagnostic(
            "I002",
            f"too many initial conditions: {show_equation(first)} cannot be satisfied in addition to the others{why}",
            Label(first.origin.span, "one condition too many"),
            tuple(labels),
            tuple(notes),
            help=_what_to_remove(rivals),
        )
    )


def _no_variable(condition: Equation) -> ModelError:
    return ModelError(
        Diagnostic(
            "I002",
            f"the initial condition {show_equation(condition)} contains no unknown of the model",
            Label(condition.origin.span, "determines nothing"),
            help="remove it; give the value of a parameter in its declaration, or with --set",
        )
    )


def cannot_rest(condition: Equation) -> ModelError:
    """I012: the equations of the model alone determine a derivative that should be zero."""
    leaf = condition.left
    name = show_derivative(leaf.name, leaf.order - 1)
    return ModelError(
        Diagnostic(
            "I012",
            f"no steady state exists: the equations determine {_name(condition)} independently of the states",
            Label(condition.origin.span, f"{name} cannot be in steady state"),
            help=f"omit steady and give start values, or add a term that counteracts the change of {name}",
        )
    )


def left_moving(left_out: Sequence[tuple[Equation, Sequence[Equation]]]) -> Iterator[Diagnostic]:
    """I011: derivatives that a steady state leaves as they are, each with the conditions that come first.

    A warning for those that conditions of the model or its equations alone prevent, a note for those that follow
    where the others rest.
    """
    own = [(c, [r for r in rivals if r.origin.how is not How.STEADY]) for c, rivals in left_out]
    prevented = [(c, rivals) for c, rivals in own if rivals]
    kept = list(dict.fromkeys([rival for _, rivals in prevented for rival in rivals]))
    if prevented:
        shown = listed(map(show_equation, kept), MOST)
        yield Diagnostic(
            "I011",
            f"steady state not reached: the initial condition{'s' * (len(kept) > 1)} {shown} "
            f"take{'s' * (len(kept) == 1)} precedence over {listed((show_equation(c) for c, _ in prevented), MOST)}",
            Label(kept[0].origin.span, "this condition takes precedence"),
            tuple(Label(e.origin.span, show_equation(e)) for e in kept[1:MOST]),
            help="remove conditions to start in steady state",
            severity=Severity.WARNING,
        )
    stopped = [c for c, _ in prevented]
    for condition, found in left_out:
        if condition not in stopped:
            yield _goes_on(condition, whatever=not found)


def _goes_on(condition: Equation, whatever: bool) -> Diagnostic:
    """A state that moves while the others rest; `whatever` the others do, or because they rest."""
    rate, name = _name(condition), show_derivative(condition.left.name, condition.left.order - 1)
    if whatever:
        return Diagnostic(
            "I011",
            f"{name} is not in steady state: the equations determine {rate} independently of the states",
            Label(condition.origin.span, "starts from its start value"),
            severity=Severity.WARNING,
        )
    return Diagnostic(
        "I011",
        f"{rate} = 0 is omitted: the steady state of the other states determines {rate}",
        Label(condition.origin.span, f"{name} may change at a constant rate; it starts from its start value"),
        severity=Severity.NOTE,
    )


def taken_by_default(starts: Sequence[Equation]) -> Iterator[Diagnostic]:
    """I010: one note that lists what starts from its start value because no condition determines it."""
    if not starts:
        return
    first, *rest = [e.origin for e in starts]
    one = len(starts) == 1
    shown = [f"{_name(e)} = {show_expr(e.right)}" for e in starts[:MOST]]
    values = listed(shown, MOST, len(starts))  # of thousands, few are put into words
    yield Diagnostic(
        "I010",
        f"{'a state starts' if one else f'{len(starts)} states start'} from "
        f"{'its start value' if one else 'their start values'}: {values}",
        Label(first.span),
        tuple(Label(span) for span in list(dict.fromkeys(o.span for o in rest if o.span != first.span))[: MOST - 1]),
        help=f"to make it a condition: initial {_name(starts[0])} = {show_expr(starts[0].right)}",
        severity=Severity.NOTE,
    )


def _name(equation: Equation) -> str:
    return show_derivative(equation.left.name, equation.left.order)


def _counted(number: int) -> str:
    return f"{number} conditions" if number > 1 else "one condition"


def _what_to_remove(rivals: Sequence[Equation]) -> str:
    """The lines of which one has to go."""
    fixed = [e for e in rivals if e.origin.how is How.START and "fixed" in e.origin.span.text]
    written = [e for e in rivals if e not in fixed]
    ways = []
    if written:
        ways.append(f"remove {_either([_line(e) for e in written[:MOST]])}")
    if fixed:
        names = _either([_name(e) for e in fixed[:MOST]])
        ways.append(f"remove fixed=true of {names}, so that the value is only a guess")
    return ", or ".join(ways)


def _line(condition: Equation) -> str:
    """A condition as it stands in the text: `initial x = 1`, or `(ic w=2)` of a submodel."""
    text = " ".join(condition.origin.span.text.split())
    return f"`{text}`" if text.startswith("initial") else f"`(ic {text})` of {show_name(condition.origin.path)}"


def _either(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"


def _cut(origin: Origin) -> str:
    """The name of a cut whose declaration is the origin of an equation."""
    words = origin.span.file.text[origin.span.start :].split("(")[0].split()
    return f"{show_name(origin.path)}:{words[0]}" if words else show_name(origin.path)
