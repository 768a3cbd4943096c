"""Equations too many, by their text: written twice, too many for their component, or meant for the start only."""

from collections.abc import Iterable, Sequence

from acausal.base.diagnostics import Diagnostic, Label
from acausal.base.frozen import dataclass
from acausal.causalize.explain.describe import about, counted, counted_equations, made
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel
from acausal.ir.names import Name, show_derivative, show_name
from acausal.ir.origin import How
from acausal.ir.pool import Pool
from acausal.ir.show.expressions import show_equation, show_expr
from acausal.ir.walk import variables_of


@dataclass(slots=True)
class _Text:
    """The variables and equations of a component's class."""

    variables: list[Name]
    equations: list[Equation]


def repeated_equation(pool: Pool, equations: Sequence[Equation]) -> Diagnostic | None:
    """Two lines that say the same, or two of the model that each give a value to the same variable."""
    seen: dict[Expr, Equation] = {}
    given: dict[Expr, Equation] = {}
    for equation in [e for e in equations if made(e.origin) is How.WRITTEN]:
        residual = pool.sub(equation.left, equation.right)
        first = seen.setdefault(residual, seen.get(pool.neg(residual), equation))
        if first is not equation and first.origin.span != equation.origin.span:
            return _two_lines("this equation is written twice", first, equation)
        if equation.left.op == "variable" and not equation.origin.path:
            first = given.setdefault(equation.left, equation)
            if first is not equation:
                name = show_derivative(equation.left.name, equation.left.order)
                return _two_lines(f"2 equations for 1 unknown: {name}: one too many", first, equation)
    return None


def _two_lines(message: str, first: Equation, second: Equation) -> Diagnostic:
    return Diagnostic(
        "S001",
        message,
        Label(second.origin.span, show_equation(second)),
        (Label(first.origin.span, show_equation(first)),),
        help="remove one of the two",
    )


def surplus_of_component(flat: FlatModel, paths: Iterable[Name]) -> Diagnostic | None:
    """A component with more equations than its variables and cuts leave room for."""
    written, wanted = _written(flat), dict.fromkeys(paths)
    for component in flat.components:
        if component.path not in wanted:
            continue
        own, inside = written[component.path].variables, written[component.path].equations
        surplus = len(inside) + component.places - len(own)
        if surplus > 0:
            last = inside[-1]
            return Diagnostic(
                "S001",
                f"{show_name(component.path)} has {counted_equations(surplus)} too many: {len(inside)} of its own "
                "and "
                f"{component.places} from its cuts, for {counted([show_name(n) for n in own])}",
                Label(component.span, about(component)),
                (Label(last.origin.span, "last equation of the component"),),
                help=f"remove an equation from class {component.class_name}",
            )
    return None


def _written(flat: FlatModel) -> dict[Name, _Text]:
    """The variables and equations of the class of each component."""
    texts = {c.path: _Text([], []) for c in flat.components}
    for v in flat.variables:
        if v.origin.how is How.WRITTEN and v.origin.path in texts:
            texts[v.origin.path].variables.append(v.symbol.name)
    for e in flat.equations:
        if e.origin.how is How.WRITTEN and e.origin.path in texts:
            texts[e.origin.path].equations.append(e)
    return texts


def given_components(equations: Sequence[Equation]) -> list[str]:
    """Components with a variable that is given a value, as in a source; not a number, as in a ground."""
    given = [e for e in equations if made(e.origin) is How.WRITTEN and len(e.variables) == 1]
    values = [e for e in given if "const" not in (e.left.op, e.right.op)]
    paths = dict.fromkeys([e.origin.path or e.variables[0].name[:-1] for e in values])
    return [show_name(path) for path in paths if path]


def start_meant(dae: Dae, equations: Sequence[Equation]) -> str | None:
    """Hint for `local x = 1` where a derivative of x is determined: this holds at all times."""
    moving = {x.name for e in dae.equations for x in e.variables if x.order}
    for equation in equations:
        x, value = equation.left, equation.right
        if x.op == "variable" and x.name in moving and not x.order and not variables_of([value]):
            name = show_derivative(x.name, 0)
            start = f"local {name} (start={show_expr(value)})"
            return f"if {show_equation(equation)} holds at the start only, write `{start}`; else remove an equation"
    return None
