"""The mechanism in a flat model."""

from collections.abc import Iterable
from pathlib import PurePath
from typing import TypeVar

from acausal.base.diagnostics import Diagnostic, ModelError
from acausal.ir.flat import FlatModel
from acausal.ir.flat_connections import Component, Loop
from acausal.ir.names import Name
from acausal.mechanism.bodies import rigid_bodies
from acausal.mechanism.links import link_of
from acausal.mechanism.model import Closure, ForceElement, Instance, Link, MassElement, Matrix, Mechanism, Vector
from acausal.mechanism.points import Frames, Points
from acausal.mechanism.recognize import (
    closure_kind,
    force_class,
    is_body,
    is_compound,
    is_inertial,
    is_link,
    library_classes,
)
from acausal.mechanism.values import ModelValues

HINT = "include @mbsdir.lib, and connect joints and bodies to an Inertial; see examples/double_pendulum.mdl"
CENTER = ("r1", "r2", "r3")
Element = TypeVar("Element", MassElement, Closure, ForceElement)
INERTIA = ("I11", "I22", "I33", "I21", "I31", "I32")


def extract_mechanism(flat: FlatModel) -> Mechanism:
    """Joints, bodies, loops and forces; ModelError M001 for a model without joints at an inertial frame.

    Instances are recognized by the classes that theirs inherit (`recognize`), where they are by connection sets.
    """
    found = _Found(flat)
    if not found.inertials or not found.links:
        raise ModelError(Diagnostic("M001", f"{flat.name} has no mechanism", help=HINT))
    frames = Frames(Points(flat.connection_sets), [_instance(c) for c in found.inertials])
    links = tuple(_links(found, frames))
    loops = {loop.path: loop for loop in flat.loops}
    elements = _present(_element(c, frames, found.values) for c in found.bodies)
    closures = _present(_closure(c, loops.get(c.path), frames, found.values) for c in found.closures)
    forces = _present(_force(c, frames) for c in found.forces)
    root = found.inertials[0]
    return Mechanism(
        model=flat.name,
        library=_library(root),
        gravity=_gravity(root.path, found.values),
        frames=tuple(frames.found),
        links=links,
        elements=elements,
        bodies=rigid_bodies(frames.found, links, closures, elements),
        closures=closures,
        forces=forces,
    )


def mechanism_in(flat: FlatModel) -> Mechanism | None:
    """The mechanism; None for a model without one."""
    classes = [library_classes(component) for component in flat.components]
    there = any(is_inertial(names) for names in classes) and any(is_link(names) for names in classes)
    return extract_mechanism(flat) if there else None


class _Found:
    """Instances of the multibody libraries by what they are, in the order of the text."""

    def __init__(self, flat: FlatModel) -> None:
        self.values = ModelValues(flat)
        self.inertials: list[Component] = []
        self.links: list[Component] = []
        self.bodies: list[Component] = []
        self.closures: list[Component] = []
        self.forces: list[Component] = []
        self.compounds: list[Name] = []
        for component in flat.components:
            classes = library_classes(component)
            if is_inertial(classes):
                self.inertials.append(component)
            elif is_link(classes):
                self.links.append(component)
            elif is_body(classes):
                self.bodies.append(component)
            elif closure_kind(classes) is not None:
                self.closures.append(component)
            elif force_class(classes) is not None:
                self.forces.append(component)
            elif is_compound(classes):
                self.compounds.append(component.path)

    def compound_of(self, path: Name) -> Name | None:
        """The compound joint that an instance is a part of."""
        around = [name for name in self.compounds if path[: len(name)] == name]
        return max(around, key=len, default=None)


def _links(found: _Found, frames: Frames) -> Iterable[Link]:
    """From the inertial frames outward; what hangs at no inertial frame is left out."""
    waiting = found.links
    while waiting:
        later = []
        for component in waiting:
            reference = frames.at((*component.path, "A"))
            if reference is None:
                later.append(component)
                continue
            instance = _instance(component)
            ends = reference, frames.add(instance, len(frames.found) - len(found.inertials))
            yield link_of(instance, library_classes(component), ends, found.values, found.compound_of(component.path))
        if len(later) == len(waiting):
            return
        waiting = later


def _present(elements: Iterable[Element | None]) -> tuple[Element, ...]:
    """The elements at frames that hang at an inertial frame."""
    return tuple([element for element in elements if element is not None])


def _element(component: Component, frames: Frames, values: ModelValues) -> MassElement | None:
    path = component.path
    frame = frames.at((*path, "A"))
    if frame is None:
        return None
    xx, yy, zz, yx, zx, zy = [values.number(path, name) for name in INERTIA]
    inertia: Matrix = (xx, yx, zx), (yx, yy, zy), (zx, zy, zz)
    return MassElement(_instance(component), frame, values.number(path, "m"), values.vector(path, *CENTER), inertia)


def _closure(component: Component, loop: Loop | None, frames: Frames, values: ModelValues) -> Closure | None:
    path = component.path
    kind = closure_kind(library_classes(component))
    first, second = frames.at((*path, "A")), frames.at((*path, "B"))
    if kind is None or first is None or second is None:
        return None
    names = [name for name in ("f", "t", "F") if values.has((*path, name))]
    return Closure(
        instance=_instance(component) if loop is None else Instance(path, component.class_name, loop.origin.span),
        kind=kind,
        first=first,
        second=second,
        axis=values.vector(path, "n1", "n2", "n3"),
        second_axis=values.vector(path, "m1", "m2", "m3"),
        size=values.number(path, "length", values.number(path, "radius")),
        around=() if loop is None else loop.around,
        reactions=tuple([(*path, name) for name in names]),
    )


def _force(component: Component, frames: Frames) -> ForceElement | None:
    classes = library_classes(component)
    ends = [frames.at((*component.path, cut)) for cut in (("A", "B") if "Force" in classes else ("A",))]
    numbers = tuple([end for end in ends if end is not None])
    name = force_class(classes)
    return None if name is None or not numbers else ForceElement(_instance(component), name, numbers)


def _gravity(path: Name, values: ModelValues) -> Vector:
    size = values.number(path, "g")
    x, y, z = [size * n for n in values.vector(path, "ng1", "ng2", "ng3")]
    return x, y, z


def _library(root: Component) -> str:
    """Name of the library of an inertial frame: mbsdir, mbsinv, ..."""
    return next(PurePath(file).stem for name, file in root.lineage if name == "Inertial")


def _instance(component: Component) -> Instance:
    return Instance(component.path, component.class_name, component.span)
