"""Facts that a translation gives about the text: units and values by name, and what each equation is solved for.

Plain data, as it comes from another process: names as text, places as a file's name and offsets.
"""

from collections.abc import Iterator

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.causalize.explain.provenance import base_origin, solved_equations
from acausal.ir.expr import Expr
from acausal.ir.kinds import SolutionKind
from acausal.ir.names import Name, show_derivative, show_name
from acausal.ir.origin import How, Origin
from acausal.stages import Stages
from acausal.units.check.result_units import all_units

MOST = 20_000
"""Most names and equations of one model that are sent."""

Place = tuple[str, int, int]
Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Solved:
    """An equation as written at a place, inside an instance: the unknown it gives, and how it was made one."""

    file: str
    start: int
    end: int
    instance: str
    unknown: str
    note: str = ""


def facts_of(stages: Stages) -> Json:
    """Everything that editors show of a model."""
    units = all_units(stages.flat, stages.units)
    values: dict[str, tuple[str | None, str | None]] = {}
    for parameter in stages.flat.parameters[:MOST]:
        name = parameter.symbol.name
        unit = parameter.attributes.unit or units.of(name, 0)
        values[show_name(name)] = unit, value_text(parameter.value)
    instances: dict[tuple[str, int, str], None] = {}
    for variable in stages.flat.variables[:MOST]:
        name, span = variable.symbol.name, variable.origin.span
        unit = variable.attributes.unit or (units.of(name, 0) if variable.type == "real" else None)
        values[show_name(name)] = unit, None
        instances[span.file.name, span.start, show_name(variable.origin.path)] = None
    solved = [(s.file, s.start, s.end, s.instance, s.unknown, s.note) for s in solved_of(stages)]
    for file, start, _, instance, _, _ in solved:
        instances[file, start, instance] = None
    plan = stages.plan
    states = [show_derivative(x.name, x.order) for x in plan.states]
    unknowns = len(stages.dae.variables) + len(stages.dae.aliases)
    return {
        "model": plan.name,
        "values": values,
        "instances": list(instances),
        "solved": solved,
        "equations": unknowns,
        "states": states,
    }


def value_text(value: float | bool | str | tuple[float | str, ...]) -> str:
    """The value of a parameter as it is written."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        shown = ", ".join(map(value_text, value[:6]))
        return f"[{shown}{', ...' if len(value) > 6 else ''}]"
    return f'"{value}"' if isinstance(value, str) else f"{value:.12g}"


def solved_of(stages: Stages) -> Iterator[Solved]:
    """The equations as written with what they are solved for, and those that only say that two are equal."""
    index, equations = stages.selection.reduced.index, stages.selection.reduced.equations
    sources, count = index.eq_source, 0
    for block, summary in zip(stages.run.blocks, stages.plan.blocks, strict=True):
        for number, unknown in solved_equations(block, summary):
            first, order = sources[number]
            note = _method(summary.kind, len(block.eqs))
            if unknown in summary.tears and len(block.eqs) > 1:
                note += ", residual of a tearing variable"
            if order:
                note = ", ".join(
                    [n for n in (f"differentiated {'once' if order == 1 else f'{order} times'}", note) if n]
                )
            yield from _written(equations[first].origin, unknown, note)
            count += 1
            if count > MOST:
                return
    for alias in stages.dae.aliases[:MOST]:
        for equation in alias.because:
            yield from _written(equation.origin, alias.variable.symbol, "an alias")


def _method(kind: SolutionKind, size: int) -> str:
    if size == 1:
        return "by iteration" if kind == "nonlinear" else ""
    return f"in a {kind} loop of {size}"


def _written(origin: Origin, unknown: Expr, note: str) -> Iterator[Solved]:
    base = base_origin(origin)
    if base.how is How.WRITTEN:
        span = base.span
        yield Solved(span.file.name, span.start, span.end, show_name(base.path), _local(unknown, base.path), note)


def _local(leaf: Expr, path: Name) -> str:
    """The unknown by its name inside the instance that the equation belongs to."""
    name = leaf.name
    inside = name[len(path) :] if name[: len(path)] == path and len(name) > len(path) else name
    return show_derivative(inside, leaf.order) if leaf.op == "variable" else show_name(inside)


def diagnostic_data(found: Diagnostic) -> Json:
    """A diagnostic with places as offsets."""
    return {
        "code": found.code,
        "severity": found.severity.value,
        "message": found.message,
        "primary": None if found.primary is None else (*_place(found.primary.span), found.primary.text),
        "secondary": [(*_place(label.span), label.text) for label in found.secondary],
        "notes": list(found.notes),
        "help": found.help,
        "fix": [(*_place(edit.span), edit.text) for edit in found.fix],
    }


def _place(span: Span) -> Place:
    return span.file.name, span.start, span.end
