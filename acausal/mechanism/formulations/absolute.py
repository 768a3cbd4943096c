"""Equations of motion in accelerations of all bodies, with multipliers for the joints.

For each body I a + b = N lambda + S (S^T S)^-1 tau less the same of the joints after it, for each joint
N^T (a - X a_before) = 0, where S are the directions of the joint and N those across: a linear system for 6 n
accelerations and as many multipliers as the joints take degrees of freedom. Closures of loops act on both of their
bodies: W^T lambda, with W a + d2phi/dt2 without accelerations of joints = 0. Haug, Computer Aided Kinematics and
Dynamics of Mechanical Systems (1989), chapter 11.
"""

from acausal.ir.expr import Expr
from acausal.ir.graph import LeastNorm
from acausal.ir.plan import SolveLinear
from acausal.mechanism.formulations.closure_wrenches import closure_wrenches
from acausal.mechanism.functions.constrained_dynamics import constraint_jacobian, drift
from acausal.mechanism.functions.forward_dynamics import spatial_inertia, to_child
from acausal.mechanism.functions.function_program import origin_of
from acausal.mechanism.functions.inverse_dynamics import body_motions, inertial_wrench
from acausal.mechanism.rigid_trees.across import directions_across
from acausal.mechanism.rigid_trees.joint_motion import directions_of, placement_of
from acausal.mechanism.rigid_trees.rigid_tree import BASE, RigidTree
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra, transpose

SIX = 6


def absolute_accelerations(tree: RigidTree) -> tuple[tuple[Expr, ...], SolveLinear]:
    """The accelerations of the joints by those of all bodies, and the linear equations for these.

    Accelerations of bodies are against the motion with the same velocities and no accelerations of joints, six-vectors
    in their own axes, angular part first.
    """
    return _Assembly(tree).solved()


class _Assembly:
    """The linear system: accelerations of body k in places 6 k to 6 k + 5, then multipliers."""

    def __init__(self, tree: RigidTree) -> None:
        self._tree, self._pool = tree, tree.pool
        self._algebra = algebra = VectorAlgebra(tree.pool)
        self._places = [placement_of(algebra, joint) for joint in tree.joints]
        self._transforms = [to_child(algebra, place) for place in self._places]
        self._columns = [tuple([(*d.angular, *d.linear) for d in directions_of(algebra, j)]) for j in tree.joints]
        self._across = [directions_across(algebra, joint) for joint in tree.joints]
        self._first = [SIX * len(tree.joints)]
        for across in self._across:
            self._first.append(self._first[-1] + len(across))
        self._wrenches = [closure_wrenches(tree, closure) for closure in tree.closures]
        self._closures = [self._first[-1]]
        for wrenches in self._wrenches:
            self._closures.append(self._closures[-1] + len(next(iter(wrenches.values()))))
        self._size = self._closures[-1]
        self._rows = [[self._pool.zero] * self._size for _ in range(self._size)]
        self._right = [self._pool.zero] * self._size

    def solved(self) -> tuple[tuple[Expr, ...], SolveLinear]:
        """The joint accelerations in terms of the unknowns, and the system."""
        for i, rest in enumerate(self._rest_forces()):
            self._newton_euler(i, rest)
            self._constraint(i)
        self._close_loops()
        unknowns = tuple([self._pool.variable(("absolute", k)) for k in range(1, self._size + 1)])
        rows: Matrix = tuple([tuple(row) for row in self._rows])
        origin = origin_of(self._tree.name)
        multipliers = tuple(range(self._first[0], self._size))
        norm = LeastNorm(multipliers, multipliers) if self._wrenches else None
        system = SolveLinear(unknowns, rows, tuple(self._right), self._size, (origin,), norm)
        found = [x for i in range(len(self._tree.joints)) for x in self._joint(i, unknowns)]
        return tuple(found), system

    def _rest_forces(self) -> list[Vector]:
        """Torque and force that each body needs for its motion without accelerations of joints."""
        tree, algebra = self._tree, self._algebra
        nothing = (self._pool.zero,) * len(tree.velocities)
        motions = body_motions(algebra, tree, self._places, tree.velocities, nothing, tree.gravity)
        found = []
        for joint, motion in zip(tree.joints, motions, strict=True):
            torque, force = inertial_wrench(algebra, joint.body, motion)
            found.append((*torque, *force))
        return found

    def _newton_euler(self, i: int, rest: Vector) -> None:
        """I a - N lambda + X_c^T N_c lambda_c = S^+ tau - X_c^T S_c^+ tau_c - rest."""
        first = SIX * i
        self._put(first, first, spatial_inertia(self._algebra, self._tree, i))
        self._put(first, self._first[i], transpose(self._across[i]), -1.0)
        right = self._algebra.sub(self._driven(i), rest)
        for k, joint in enumerate(self._tree.joints):
            if joint.parent == i:
                back = transpose(self._transforms[k])
                self._put(first, self._first[k], self._algebra.product(back, transpose(self._across[k])))
                right = self._algebra.sub(right, self._algebra.times(back, self._driven(k)))
        self._right[first : first + SIX] = right

    def _constraint(self, i: int) -> None:
        """N^T (a - X a_before) = 0."""
        joint = self._tree.joints[i]
        self._put(self._first[i], SIX * i, self._across[i])
        if joint.parent != BASE:
            carried = self._algebra.product(self._across[i], self._transforms[i])
            self._put(self._first[i], SIX * joint.parent, carried, -1.0)

    def _close_loops(self) -> None:
        """Closures, and their multipliers in the equations of their bodies."""
        if not self._wrenches:
            return
        changing = drift(self._tree, constraint_jacobian(self._tree))
        self._right[self._first[-1] :] = self._algebra.neg(changing)
        for row, wrenches in zip(self._closures, self._wrenches, strict=False):
            for body, wrench in wrenches.items():
                self._put(row, SIX * body, wrench)
                self._put(SIX * body, row, transpose(wrench), -1.0)

    def _driven(self, i: int) -> Vector:
        """Torque and force along the directions of a joint that have its efforts."""
        columns, efforts = self._columns[i], self._tree.joints[i].effort
        scaled = [self._pool.div(x, self._algebra.dot(c, c)) for x, c in zip(efforts, columns, strict=True)]
        parts = [self._algebra.scale(x, c) for x, c in zip(scaled, columns, strict=True)]
        return self._algebra.add(*parts)

    def _joint(self, i: int, unknowns: tuple[Expr, ...]) -> list[Expr]:
        """The accelerations of a joint: those of the body against the one before, along its directions."""
        joint, algebra = self._tree.joints[i], self._algebra
        own = unknowns[SIX * i : SIX * (i + 1)]
        if joint.parent != BASE:
            before = unknowns[SIX * joint.parent : SIX * (joint.parent + 1)]
            own = algebra.sub(own, algebra.times(self._transforms[i], before))
        return [self._pool.div(algebra.dot(c, own), algebra.dot(c, c)) for c in self._columns[i]]

    def _put(self, row: int, column: int, block: Matrix, factor: float = 1.0) -> None:
        for i, line in enumerate(block):
            for j, x in enumerate(line):
                self._rows[row + i][column + j] = self._pool.mul(self._pool.const(factor), x)
