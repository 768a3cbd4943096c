"""The tree of rigid bodies of a mechanism, whose parameters are symbols.

Numbers that are not zero stay parameters of the model by their names; zeros and axes are part of the expressions.
Joints of closed loops are those of the tree that is left without the closures.
"""

from dataclasses import replace
from math import sqrt

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.ir.expr import Expr
from acausal.ir.flat import Parameter
from acausal.ir.origin import Origin
from acausal.ir.pool import Pool
from acausal.mechanism.functions.mass_matrix import carried_body, joined
from acausal.mechanism.model import Closure, Instance, Joint, MassElement, Mechanism
from acausal.mechanism.model import Vector as Numbers
from acausal.mechanism.rigid_trees.rigid_tree import (
    BASE,
    Inertia,
    Placement,
    RigidTree,
    TreeClosure,
    TreeFrame,
    TreeJoint,
)
from acausal.mechanism.rigid_trees.vectors import Vector, VectorAlgebra, mirrored

_RIGID = ("Bar", "Fixed", "FixedAxes")
"""Rigid links whose place is r1, r2, r3; that of other classes may be computed."""
_PLACE = ("r1", "r2", "r3")


def rigid_tree(mechanism: Mechanism) -> RigidTree:
    """The tree of a mechanism; ModelError M020 for a joint of the user's own class, and for one that stays locked."""
    return _Tree(mechanism).made()


class _Tree:
    """The tree under construction; each frame of the mechanism is at a `place` in a body of the tree."""

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism
        self._pool = Pool()
        self._algebra = VectorAlgebra(self._pool)
        self._parameters: dict[Expr, Parameter] = {}
        still = Placement(self._algebra.identity, self._algebra.zeros)
        self._still = still
        self._place = [(BASE, still)] * len(mechanism.frames)

    def made(self) -> RigidTree:
        """The whole tree."""
        joints: list[TreeJoint] = []
        for link in self._mechanism.links:
            body, place = self._place[link.reference]
            is_known = isinstance(link, Joint) or link.instance.class_name in _RIGID
            numbers = link.placement
            origin = self._symbols(link.instance, _PLACE, numbers) if is_known else self._algebra.constant(numbers)
            there = self._within(place, origin)
            if isinstance(link, Joint):
                joints.append(self._joint(link, body, there))
                self._place[link.frame] = len(joints) - 1, self._still
            else:
                turned = self._algebra.constants(link.rotation)
                self._place[link.frame] = (
                    body,
                    Placement(self._algebra.product(there.rotation, turned), there.origin),
                )
        bodies = self._bodies(len(joints))
        frames = [TreeFrame(f.name, *self._place[i]) for i, f in enumerate(self._mechanism.frames)]
        gravity = self._gravity()
        return RigidTree(
            self._mechanism.model,
            self._pool,
            tuple([replace(joint, body=body) for joint, body in zip(joints, bodies, strict=True)]),
            tuple(frames),
            gravity,
            tuple(self._parameters.values()),
            tuple([self._closure(closure, frames) for closure in self._mechanism.closures]),
        )

    def _closure(self, closure: Closure, frames: list[TreeFrame]) -> TreeClosure:
        algebra = self._algebra
        return TreeClosure(
            closure.name,
            closure.kind,
            frames[closure.first],
            frames[closure.second],
            algebra.constant(closure.axis),
            algebra.constant(closure.second_axis),
            self._pool.const(closure.size),
        )

    def _within(self, place: Placement, origin: Vector) -> Placement:
        """A parallel frame at `origin` in the frame at `place`."""
        way = self._algebra.times(place.rotation, origin)
        return Placement(place.rotation, self._algebra.add(place.origin, way))

    def _joint(self, joint: Joint, parent: int, place: Placement) -> TreeJoint:
        if joint.kind == "general":
            message = f"{joint.name} is of class {joint.instance.class_name}, which has its own equations of motion"
            hint = "the functions support Revolute, Prismatic, Screw, Spherical and the joints made of them"
            raise ModelError(Diagnostic("M020", message, Label(joint.instance.span), help=hint))
        if joint.locked:
            message = f"{joint.name} is locked from the start to the end: functions would let it move"
            hint = "put a Fixed in its place, or give it lock=0"
            raise ModelError(Diagnostic("M020", message, Label(joint.instance.span), help=hint))
        pool = self._pool
        pitch = None
        if joint.kind == "spherical":
            scalar, *vector = joint.coordinates
            positions = tuple([pool.variable(name) for name in (*vector, scalar)])
            velocities = tuple([pool.variable(name) for name in joint.rates])
        else:
            positions = (pool.variable(joint.coordinates[0]),)
            velocities = (pool.derivative(positions[0]),)
            if joint.kind == "screw":
                pitch = self._symbol(joint.instance, "pitch", joint.pitch)
        return TreeJoint(
            joint.name,
            parent,
            joint.kind,
            place,
            self._algebra.constant(joint.axis),
            self._no_body(),
            positions,
            velocities,
            tuple([pool.derivative(x) for x in velocities]),
            tuple([pool.variable(name) for name in joint.efforts]),
            pitch,
        )

    def _no_body(self) -> Inertia:
        zero = self._pool.zero
        return Inertia(zero, self._algebra.zeros, self._algebra.diagonal((zero,) * 3))

    def _bodies(self, count: int) -> list[Inertia]:
        """Everything that hangs at each joint as one body; what hangs at the base does not move."""
        found = [self._no_body()] * count
        for element in self._mechanism.elements:
            body, place = self._place[element.frame]
            if body != BASE:
                carried = carried_body(self._algebra, place, self._element(element))
                found[body] = joined(self._algebra, found[body], carried)
        return found

    def _element(self, element: MassElement) -> Inertia:
        algebra, instance = self._algebra, element.instance
        mass = self._symbol(instance, "m", element.mass)
        center = self._symbols(instance, _PLACE, element.center)
        moment = algebra.scale(mass, center)
        numbers = element.inertia
        lower = [[self._symbol(instance, f"I{i + 1}{j + 1}", numbers[i][j]) for j in range(i + 1)] for i in range(3)]
        inertia = algebra.shifted_inertia(mirrored(lower), mass, algebra.zeros, center)
        return Inertia(mass, moment, inertia)

    def _gravity(self) -> Vector:
        size = sqrt(sum([x * x for x in self._mechanism.gravity]))
        if size == 0.0:
            return self._algebra.zeros
        symbol = self._symbol(self._mechanism.frames[0].instance, "g", size)
        return self._algebra.scale(symbol, self._algebra.constant([x / size for x in self._mechanism.gravity]))

    def _symbols(self, instance: Instance, names: tuple[str, ...], values: Numbers) -> Vector:
        return tuple([self._symbol(instance, name, value) for name, value in zip(names, values, strict=True)])

    def _symbol(self, instance: Instance, name: str, value: float) -> Expr:
        """A parameter of the model; zero where it is zero."""
        if value == 0.0:
            return self._pool.zero
        leaf = self._pool.parameter(instance.parameter_name(name))
        if leaf not in self._parameters:
            origin = Origin(instance.span, instance.path)
            self._parameters[leaf] = Parameter(leaf, self._pool.const(value), value, "real", origin)
        return leaf
