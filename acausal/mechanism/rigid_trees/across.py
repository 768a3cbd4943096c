"""Directions across those of a joint: motion that it does not allow, forces that it transmits without work."""

from acausal.mechanism.rigid_trees.rigid_tree import TreeJoint
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra


def directions_across(algebra: VectorAlgebra, joint: TreeJoint) -> Matrix:
    """Six-vectors, angular part first, that are perpendicular to the directions of the joint: a row each."""
    pool, nothing = algebra.pool, algebra.zeros
    linear = tuple([(*nothing, *axis) for axis in algebra.identity])
    angular = tuple([(*axis, *nothing) for axis in algebra.identity])
    if joint.kind == "spherical":
        return linear
    across = perpendicular(algebra, joint.axis)
    turns = tuple([(*a, *nothing) for a in across])
    slides = tuple([(*nothing, *a) for a in across])
    if joint.kind == "revolute":
        return (*turns, *linear)
    if joint.kind == "prismatic":
        return (*angular, *slides)
    assert joint.pitch is not None
    back = algebra.scale(pool.neg(joint.pitch), joint.axis)
    return (*turns, *slides, (*back, *joint.axis))


def perpendicular(algebra: VectorAlgebra, axis: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors perpendicular to a unit vector of numbers, and to each other."""
    numbers = [x.number for x in axis]
    smallest = min(range(3), key=lambda k: abs(numbers[k]))
    unit = algebra.identity[smallest]
    crossed = [x.number for x in algebra.cross(axis, unit)]
    length = sum([x * x for x in crossed]) ** 0.5
    first = algebra.constant([x / length for x in crossed])
    return first, algebra.cross(axis, first)
