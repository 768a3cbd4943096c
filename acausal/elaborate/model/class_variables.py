"""The variables of a class as all its submodels have them, found once for the class.

    submodel (resistor) R[100]      Va, Vb, i: cuts, u: local, as they are declared; the parameter R is no variable

A variable whose declaration means something else in each submodel (a binding, dimensions that are computed, a start
value given with the submodel) stands there without kind.
"""

from acausal.elaborate.classes.declarations import PARAMETERS
from acausal.ir.kinds import VariableKind
from acausal.ir.model.classes import Template, Value
from acausal.ir.model.instance import Instance

Declared = tuple[Value, VariableKind | None]


class ClassVariables:
    """The variables of classes; `freed` if parameters may be variables, too."""

    def __init__(self, *, freed: bool) -> None:
        self._freed = freed
        self._known: dict[tuple[int, tuple[str, ...]], tuple[Template, list[Declared]]] = {}

    def of(self, instance: Instance) -> list[Declared]:
        """The variables of an instance in the order of its class, with their kinds where all instances have these."""
        template, item = instance.template, instance.item
        if self._freed or item is None or instance.broken or template.broken:
            return [(value, None) for value in template.values.values()]
        given = tuple([argument.name for argument in item.initial]) if item.initial else ()
        found = self._known.get((id(template), given))
        if found is None:
            declared = [(v, _kind(v, given)) for v in template.values.values() if v.kind not in _NO_VARIABLES]
            found = self._known[id(template), given] = template, declared
        return found[1]


_NO_VARIABLES = frozenset((*PARAMETERS, "external"))


def _kind(value: Value, given: tuple[str, ...]) -> VariableKind | None:
    plain = value.of is None and value.attributes is not None and value.binding is None and value.name not in given
    if not plain or value.kind == "parameter" or value.kind == "constant" or value.kind == "external":
        return None
    return "terminal" if value.kind == "input" else value.kind
