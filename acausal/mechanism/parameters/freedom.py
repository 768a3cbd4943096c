"""Rotations of the bodies of a tree: none, about one direction, or about several.

Axes are compared by their numbers at zero positions: as long as bodies turn about one direction only, it and all axes
parallel to it stay where they point.
"""

from typing import TYPE_CHECKING, Literal

from acausal.base.frozen import record
from acausal.ir.evaluate import evaluated
from acausal.ir.expr import Expr
from acausal.ir.flat import numbers_of
from acausal.mechanism.rigid_trees.rigid_tree import BASE, RigidTree, TreeJoint
from acausal.mechanism.rigid_trees.vectors import Vector, VectorAlgebra

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Rotation = Literal["none", "axis", "general"]
PARALLEL = 1e-9
"""Sine of the angle between axes that count as parallel."""


@record(frozen=True, slots=True)
class Freedom:
    """Motion of the body of a joint: `axis`, in its frame, is the direction that it turns about, else the joint's.

    `across` are two unit vectors that make a right-handed frame with the axis, `letters` names of the three directions.
    Where the body turns about one direction, first moments across have an effect if it `has_moments`, its mass
    if it `has_mass`; a slide may go along the direction (`slides_along`).
    """

    rotation: Rotation
    axis: Vector
    across: tuple[Vector, Vector]
    letters: str
    has_moments: bool
    has_mass: bool
    slides_along: bool


@record(frozen=True, slots=True)
class _Motion:
    """Motion of a body as numbers, at zero positions.

    `turned` is its rotation, `direction` the one that it turns about, `ways` those of slides before it; its axis is
    `apart` if it is not in line with all hinges before it.
    """

    rotation: Rotation
    turned: "Array"
    direction: "Array | None"
    ways: "tuple[Array, ...]"
    origin: "Array"
    apart: bool


def freedoms_of(tree: RigidTree) -> list[Freedom]:
    """The freedom of every body."""
    import numpy as np

    known = numbers_of(tree.parameters)
    base = _Motion("none", np.eye(3), None, (), np.zeros(3), False)
    motions: list[_Motion] = []
    found = []
    for joint in tree.joints:
        parent = base if joint.parent == BASE else motions[joint.parent]
        motions.append(_child_motion(parent, joint, known))
        found.append(_freedom(tree, joint, parent, motions[-1], known))
    return found


def _child_motion(parent: _Motion, joint: TreeJoint, known: dict[Expr, float]) -> _Motion:
    """The motion of the body behind a joint."""
    import numpy as np

    turned = parent.turned @ np.array([_numbers(row, known) for row in joint.placement.rotation])
    origin = parent.origin + parent.turned @ _numbers(joint.placement.origin, known)
    axis = turned @ _numbers(joint.axis, known)
    if joint.kind == "prismatic":
        return _Motion(parent.rotation, turned, parent.direction, (*parent.ways, axis), origin, parent.apart)
    is_turning = parent.direction is not None and _differ(axis, parent.direction)
    if joint.kind == "spherical" or parent.rotation == "general" or is_turning:
        return _Motion("general", turned, None, parent.ways, origin, True)
    apart = parent.direction is not None and _differ(origin - parent.origin, axis)
    return _Motion("axis", turned, axis, parent.ways, origin, parent.apart or apart)


def _freedom(tree: RigidTree, joint: TreeJoint, parent: _Motion, motion: _Motion, known: dict[Expr, float]) -> Freedom:
    import numpy as np

    algebra = VectorAlgebra(tree.pool)
    gravity, axis = _numbers(tree.gravity, known), joint.axis
    moments, mass, along = True, joint.kind == "prismatic", False
    if joint.kind == "spherical":
        axis = algebra.identity[2]
    if motion.direction is not None:
        axis = _constant(algebra, motion.turned.T @ motion.direction)
        direction = motion.direction
        moments = motion.apart or any(_differ(way, direction) for way in (*motion.ways, gravity))
        along = joint.kind == "prismatic" and not _differ(motion.turned @ _numbers(joint.axis, known), direction)
        if joint.kind == "screw":
            moved = parent.rotation != "none" or bool(motion.ways)
            mass = moved or abs(float(np.dot(gravity, direction))) > PARALLEL
    across, letters = _frame(algebra, _numbers(axis, known))
    return Freedom(motion.rotation, axis, across, letters, moments, mass, along)


def _differ(a: "Array", b: "Array") -> bool:
    """True unless the vectors are parallel, or the first is zero."""
    import numpy as np

    return bool(np.linalg.norm(np.cross(a, b)) > PARALLEL)


def _numbers(values: Vector, known: dict[Expr, float]) -> "Array":
    import numpy as np

    return np.array([evaluated(x, known) for x in values])


def _constant(algebra: VectorAlgebra, numbers: "Array") -> Vector:
    """A vector of numbers without what rounding has left of zeros."""
    return algebra.constant([float(round(x, 15)) for x in numbers])


def _frame(algebra: VectorAlgebra, axis: "Array") -> tuple[tuple[Vector, Vector], str]:
    """Two unit vectors that make a right-handed frame with the axis, and the names of the three.

    Where the axis is one of the frame's these are the two others, and the names those of the axes.
    """
    import numpy as np

    largest = int(np.argmax(np.abs(axis)))
    unit = np.eye(3)[(largest + 1) % 3]
    first = unit - (unit @ axis) * axis
    first /= np.linalg.norm(first)
    second = np.cross(axis, first)
    is_own = abs(axis[largest]) > 1.0 - PARALLEL
    letters = "".join(["xyz"[(largest + k) % 3] for k in (1, 2, 3)]) if is_own else "uwe"
    return (_constant(algebra, first), _constant(algebra, second)), letters
