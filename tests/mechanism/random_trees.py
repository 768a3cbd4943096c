"""Random trees of rigid bodies: expressions with numbers, and the same numbers for other tools."""

from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

import numpy as np
from numpy.typing import NDArray

from acausal.ir.evaluate import evaluated
from acausal.ir.expr import Expr
from acausal.ir.flat import Parameter
from acausal.ir.pool import Pool
from acausal.mechanism.functions.constrained_dynamics import constraint_jacobian
from acausal.mechanism.functions.function_program import origin_of
from acausal.mechanism.functions.kinematics import body_placements
from acausal.mechanism.parameters.standard import SYMBOLS, body_of, elements_of
from acausal.mechanism.rigid_trees.rigid_tree import (
    BASE,
    Inertia,
    JointKind,
    Placement,
    RigidTree,
    TreeClosure,
    TreeFrame,
    TreeJoint,
)
from acausal.mechanism.rigid_trees.vectors import VectorAlgebra

Array = NDArray[np.float64]
CLOSURES = {
    "rod": 1,
    "planar": 2,
    "parallel": 2,
    "spherical": 3,
    "universal": 4,
    "revolute": 5,
    "prismatic": 5,
    "rigid": 6,
}
"""Kinds of closures, and their constraints."""
KINDS: tuple[JointKind, ...] = ("revolute", "prismatic", "screw", "spherical")


@dataclass(frozen=True)
class Numbers:
    """A joint and its body: center of mass, inertia about it in axes of the frame."""

    kind: JointKind
    parent: int
    rotation: Array
    origin: Array
    axis: Array
    pitch: float
    mass: float
    center: Array
    inertia: Array


@dataclass(frozen=True)
class RandomTree:
    """The tree, its numbers, gravity, and the place of the frame `tip` in the last body."""

    tree: RigidTree
    joints: tuple[Numbers, ...]
    gravity: Array
    tip: tuple[Array, Array]

    def configuration(self, rng: np.random.Generator) -> Array:
        """Positions with unit quaternions."""
        parts = []
        for joint in self.joints:
            part = rng.normal(size=4 if joint.kind == "spherical" else 1)
            parts.append(part / np.linalg.norm(part) if joint.kind == "spherical" else part)
        return np.concatenate(parts)


def random_tree(random: Random, kinds: tuple[JointKind, ...] = KINDS, most: int = 8) -> RandomTree:
    """A tree of two to `most` joints with general placements and inertias."""
    rng = np.random.default_rng(random.getrandbits(32))
    count = int(rng.integers(2, most + 1))
    joints = tuple([_joint(rng, kinds, i) for i in range(count)])
    return made_tree(joints, rng.normal(size=3), (_rotation(rng), rng.normal(size=3)))


def made_tree(joints: tuple[Numbers, ...], gravity: Array, tip: tuple[Array, Array]) -> RandomTree:
    """The tree of these numbers."""
    pool = Pool()
    algebra = VectorAlgebra(pool)
    made = tuple([_tree_joint(algebra, i, joint) for i, joint in enumerate(joints)])
    place = Placement(algebra.constants(tip[0]), algebra.constant(tip[1]))
    frame = TreeFrame("tip", len(joints) - 1, place)
    tree = RigidTree("random tree", pool, made, (frame,), algebra.constant(gravity))
    return RandomTree(tree, joints, gravity, tip)


def closed_tree(made: RandomTree, q: Array, random: Random) -> RigidTree:
    """The tree with a loop that is closed at the positions q, with independent constraints, and can move there."""
    known = dict(zip(made.tree.positions, q, strict=True))
    while True:
        tree = _with_closure(made.tree, known, random)
        rows = np.array([[evaluated(x, known) for x in row] for row in constraint_jacobian(tree)])
        if np.linalg.svd(rows, compute_uv=False)[-1] > 1e-3:
            return tree


def _with_closure(tree: RigidTree, known: dict[Expr, float], random: Random) -> RigidTree:
    algebra = VectorAlgebra(tree.pool)
    rotations, origins = [np.eye(3)], [np.zeros(3)]
    for body in body_placements(tree):
        rotations.append(np.array([[evaluated(x, known) for x in row] for row in body.rotation]))
        origins.append(np.array([evaluated(x, known) for x in body.origin]))
    sizes = {pair: _loop_size(tree, *pair) for pair in combinations(range(BASE, len(tree.joints)), 2)}
    first, second = random.choice([pair for pair, size in sizes.items() if size > 1])
    kind = random.choice([kind for kind, count in CLOSURES.items() if count < sizes[first, second]])
    turned, other = rotations[first + 1], rotations[second + 1]
    away = np.array([0.3, 0.4, 1.2]) if kind == "rod" else np.zeros(3)
    way = origins[first + 1] + turned @ away - origins[second + 1]
    here = TreeFrame("first", first, Placement(algebra.identity, algebra.zeros))
    place = Placement(algebra.constants(other.T @ turned), algebra.constant(other.T @ way))
    axis, second_axis = algebra.constant([0.0, 0.6, 0.8]), algebra.constant([1.0, 0.0, 0.0])
    there = TreeFrame("second", second, place)
    closure = TreeClosure("loop", kind, here, there, axis, second_axis, tree.pool.const(1.3))
    return replace(tree, closures=(closure,))


def _loop_size(tree: RigidTree, first: int, second: int) -> int:
    """The number of velocities of the joints between two bodies."""
    return sum(len(tree.joints[i].velocities) for i in {*tree.path(first)} ^ {*tree.path(second)})


def symbolic(tree: RigidTree) -> RigidTree:
    """The tree with inertias as parameters, as those of a model are."""
    pool, parameters = tree.pool, []

    def leaf(joint: TreeJoint, symbol: str, x: Expr) -> Expr:
        found = pool.parameter((joint.name, symbol))
        parameters.append(Parameter(found, x, x.number, "real", origin_of("test")))
        return found

    joints = []
    for joint in tree.joints:
        values = zip(SYMBOLS, elements_of(joint.body), strict=True)
        body = body_of(tuple([leaf(joint, symbol, x) for symbol, x in values]))
        joints.append(replace(joint, body=body))
    return replace(tree, joints=tuple(joints), parameters=tuple(parameters))


def skew(a: Array) -> Array:
    """The matrix of the vector product."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def _joint(rng: np.random.Generator, kinds: tuple[JointKind, ...], number: int) -> Numbers:
    axis = rng.normal(size=3)
    root = rng.normal(size=(3, 3))
    return Numbers(
        kind=kinds[rng.integers(len(kinds))],
        parent=int(rng.integers(-1, number)) if number else BASE,
        rotation=_rotation(rng),
        origin=rng.normal(size=3),
        axis=axis / np.linalg.norm(axis),
        pitch=float(rng.uniform(0.1, 0.5)),
        mass=float(rng.uniform(0.5, 3.0)),
        center=0.3 * rng.normal(size=3),
        inertia=0.1 * (root @ root.T + np.eye(3)),
    )


def _rotation(rng: np.random.Generator) -> Array:
    found = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return np.asarray(found * np.sign(np.linalg.det(found)))


def _tree_joint(algebra: VectorAlgebra, number: int, joint: Numbers) -> TreeJoint:
    pool, name = algebra.pool, f"j{number}"
    if joint.kind == "spherical":
        positions = tuple([pool.variable((name, "Q", k)) for k in (2, 3, 4, 1)])
        velocities = tuple([pool.variable((name, "w", k)) for k in (1, 2, 3)])
    else:
        positions = (pool.variable((name, "q")),)
        velocities = (pool.derivative(positions[0]),)
    about_origin = joint.inertia - joint.mass * skew(joint.center) @ skew(joint.center)
    body = Inertia(pool.const(joint.mass), algebra.constant(joint.mass * joint.center), algebra.constants(about_origin))
    return TreeJoint(
        name=name,
        parent=joint.parent,
        kind=joint.kind,
        placement=Placement(algebra.constants(joint.rotation), algebra.constant(joint.origin)),
        axis=algebra.constant(joint.axis),
        body=body,
        positions=positions,
        velocities=velocities,
        accelerations=tuple([pool.derivative(x) for x in velocities]),
        effort=tuple([pool.variable((name, "t", k)) for k in range(1, len(velocities) + 1)]),
        pitch=pool.const(joint.pitch) if joint.kind == "screw" else None,
    )
