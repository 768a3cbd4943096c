"""Forward kinematics: places, velocities and accelerations of frames."""

from collections.abc import Sequence

from acausal.ir.expr import Expr
from acausal.mechanism.rigid_trees.joint_motion import placement_of
from acausal.mechanism.rigid_trees.rigid_tree import BASE, Placement, RigidTree, TreeFrame
from acausal.mechanism.rigid_trees.vectors import VectorAlgebra


def body_placements(tree: RigidTree) -> list[Placement]:
    """The frame of every joint in the inertial frame."""
    algebra = VectorAlgebra(tree.pool)
    found: list[Placement] = []
    for joint in tree.joints:
        place = placement_of(algebra, joint)
        found.append(place if joint.parent == BASE else within(algebra, found[joint.parent], place))
    return found


def frame_placement(tree: RigidTree, bodies: Sequence[Placement], frame: TreeFrame) -> Placement:
    """A frame in the inertial frame, by the places of the bodies."""
    if frame.body == BASE:
        return frame.placement
    return within(VectorAlgebra(tree.pool), bodies[frame.body], frame.placement)


def within(algebra: VectorAlgebra, outer: Placement, inner: Placement) -> Placement:
    """The frame `inner`, given in the frame `outer`, in the frame where that one is given."""
    return Placement(
        algebra.product(outer.rotation, inner.rotation),
        algebra.add(outer.origin, algebra.times(outer.rotation, inner.origin)),
    )


def homogeneous(tree: RigidTree, place: Placement) -> tuple[tuple[Expr, ...], ...]:
    """The homogeneous matrix of a frame, 4 by 4."""
    pool = tree.pool
    rows = [(*row, x) for row, x in zip(place.rotation, place.origin, strict=True)]
    return (*rows, (pool.zero, pool.zero, pool.zero, pool.one))
