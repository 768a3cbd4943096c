"""Ends found once: those of a submodel, of a class, and of a reference in a loop.

connect R[k] - R[k+1]      the element of R that k + 1 gives; first and last cut as in all resistors
"""

from acausal.base.frozen import record
from acausal.elaborate.connections.connection_ends import MOST_CUTS, ConnectorReference, GroupEnd
from acausal.elaborate.connections.loop_elements import Shifted, shifted_element
from acausal.elaborate.scopes.scope import InstanceScope
from acausal.ir import ast
from acausal.ir.model.classes import ExportedCut, GroupCut, SimpleCut, Template
from acausal.ir.model.instance import CutEnd, Instance, SubmodelArray


@record(frozen=True, slots=True, eq=False)
class ClassEnds:
    """The ends of a class with a main path between simple cuts, which all its submodels have.

    The main cut is one of these, a `group` of simple cuts with its name, or none.
    """

    first: SimpleCut
    last: SimpleCut
    main: SimpleCut | None
    group: tuple[str, tuple[SimpleCut, ...]] | None

    def of(self, instance: Instance) -> ConnectorReference:
        """The ends of a submodel of the class."""
        first, last = CutEnd(instance, self.first, False), CutEnd(instance, self.last, False)
        if self.group is None:
            return ConnectorReference(first, last, None if self.main is None else CutEnd(instance, self.main, False))
        name, cuts = self.group
        ends = {id(self.last): last, id(self.first): first}
        parts = tuple([ends.get(id(cut)) or CutEnd(instance, cut, False) for cut in cuts])
        return ConnectorReference(first, last, GroupEnd(instance.path, name, parts))


def class_ends(template: Template) -> ClassEnds | None:
    """The ends of a class; None for one without such a path, and where other classes give its cuts."""
    cuts, path, main = template.cuts, template.main_path, template.main_cut
    if path is None or path.first.cut or path.last.cut or len(path.first.object) + len(path.last.object) > 2:
        return None
    first, last = cuts.get(path.first.object[0].name), cuts.get(path.last.object[0].name)
    cut = None if main is None else cuts[main]
    if not isinstance(first, SimpleCut) or not isinstance(last, SimpleCut) or isinstance(cut, ExportedCut):
        return None
    if not isinstance(cut, GroupCut):
        return ClassEnds(first, last, cut, None)
    parts = [part for name in cut.parts if isinstance(part := cuts.get(name), SimpleCut)]
    if len(parts) < len(cut.parts) or len(parts) > MOST_CUTS:
        return None
    return ClassEnds(first, last, None, (main or cut.name, tuple(parts)))


class Known:
    """The ends of submodels found so far, as most are connected several times, and texts that loops repeat."""

    def __init__(self) -> None:
        self.ends: dict[Instance, ConnectorReference] = {}
        self._classes: dict[Template, ClassEnds | None] = {}
        self._texts: dict[int, tuple[ast.CutReference, Shifted | None]] = {}

    def of_class(self, template: Template) -> ClassEnds | None:
        """The ends of a class, found once."""
        if template not in self._classes:
            self._classes[template] = class_ends(template)
        return self._classes[template]

    def element(self, reference: ast.CutReference, scope: InstanceScope) -> Instance | None:
        """The element of an array of the instance that `name[k + shift]` is in a loop; None for any other reference."""
        text = self._texts.get(id(reference))
        if text is None:
            text = self._texts[id(reference)] = reference, shifted_element(reference)
        if text[1] is None:
            return None
        name, variable, shift = text[1]
        array, number = scope.instance.children.get(name), scope.loops.get(variable)
        if number is None or not isinstance(array, SubmodelArray) or len(array.dimensions) != 1:
            return None
        position = int(number.number) + shift
        return array.elements[position - 1] if 0 < position <= array.dimensions[0] else None
