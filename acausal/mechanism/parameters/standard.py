"""The ten standard inertial parameters of a body, in the frame of its joint.

Ixx Ixy Ixz Iyy Iyz Izz    inertia about the frame's origin [kg.m2]
mx my mz                   first moments [kg.m]
m                          mass [kg]
"""

from acausal.ir.expr import Expr
from acausal.mechanism.rigid_trees.rigid_tree import Inertia, RigidTree
from acausal.mechanism.rigid_trees.vectors import VectorAlgebra

SYMBOLS = ("Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz", "mx", "my", "mz", "m")
UNITS = ("kg.m2",) * 6 + ("kg.m",) * 3 + ("kg",)
COUNT = len(SYMBOLS)
PLACES = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
"""Elements of the inertia, in the order of the parameters."""


def names_of(tree: RigidTree) -> tuple[str, ...]:
    """Names of the standard parameters of a tree: `j2.Ixx` is that of the body behind the joint j2."""
    return tuple([f"{joint.name}.{symbol}" for joint in tree.joints for symbol in SYMBOLS])


def elements_of(body: Inertia) -> tuple[Expr, ...]:
    """The ten parameters of a body."""
    return (*[body.inertia[i][j] for i, j in PLACES], *body.moment, body.mass)


def body_of(elements: tuple[Expr, ...]) -> Inertia:
    """The body with these ten parameters."""
    xx, xy, xz, yy, yz, zz, *moment, mass = elements
    return Inertia(mass, tuple(moment), ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))


def unit_bodies(algebra: VectorAlgebra) -> list[Inertia]:
    """Ten bodies with one parameter that is 1 and others that are 0."""
    one, zero = algebra.pool.one, algebra.pool.zero
    return [body_of(tuple([one if i == k else zero for i in range(COUNT)])) for k in range(COUNT)]


def symbolic_bodies(algebra: VectorAlgebra, tree: RigidTree) -> list[Inertia]:
    """The bodies of a tree with its standard parameters as symbols."""
    pool = algebra.pool
    return [body_of(tuple([pool.parameter((joint.name, symbol)) for symbol in SYMBOLS])) for joint in tree.joints]


def standard_values(tree: RigidTree) -> tuple[Expr, ...]:
    """The standard parameters as expressions in the parameters of the tree."""
    return tuple([x for joint in tree.joints for x in elements_of(joint.body)])
