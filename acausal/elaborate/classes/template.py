"""The template of a class from its declarations."""

from dataclasses import replace
from math import prod

from acausal.base.options import Limits
from acausal.elaborate.classes.attributes import written_attributes
from acausal.elaborate.classes.cut_checks import check_defaults, check_groups
from acausal.elaborate.classes.declarations import PARAMETERS, Declarations
from acausal.ir import ast
from acausal.ir.expr import Shape
from acausal.ir.flat import NO_ATTRIBUTES
from acausal.ir.model.classes import Template, Value


def finish(found: Declarations, limits: Limits) -> Template:
    """The template of what was collected; C... where its cuts do not fit together."""
    check_groups(found.cuts, limits.array_size)
    check_defaults(found.defaults, found.values)
    values = {name: _settled(value, limits) for name, value in found.values.items()}
    return Template(
        use=found.use,
        values=values,
        by_need=tuple(sorted(values.values(), key=_need)),
        submodels=found.submodels,
        cuts=found.cuts,
        paths=found.paths,
        nodes=found.nodes,
        defaults=found.defaults,
        main_cut=found.main_cut,
        main_path=found.main_path,
        behaviour=tuple(found.behaviour),
        connections=tuple(found.connections),
        experiment=found.experiment,
        broken=frozenset(found.broken),
        lineage=tuple([(use.name, use.definition.node.span.file.name) for use in reversed(found.lineage)]),
    )


def _settled(value: Value, limits: Limits) -> Value:
    """With shape and attributes as far as the text alone has them."""
    if not value.dimensions and not value.written:
        return replace(value, attributes=NO_ATTRIBUTES)
    return replace(value, shape=_written_shape(value.dimensions, limits), attributes=written_attributes(value.written))


def _written_shape(dimensions: tuple[ast.Expression, ...], limits: Limits) -> Shape | None:
    """The shape where all dimensions are numbers within the limit; None where there is more to do."""
    numbers = [d.value for d in dimensions if isinstance(d, ast.Number)]
    most = limits.array_size
    if len(numbers) < len(dimensions) or any(n > most or n != int(n) for n in numbers) or prod(numbers) > most:
        return None
    return tuple([int(n) for n in numbers])


def _need(value: Value) -> int:
    """Scalar parameters first, then arrays, then variables."""
    return 2 if value.kind not in PARAMETERS else 1 if value.dimensions else 0
