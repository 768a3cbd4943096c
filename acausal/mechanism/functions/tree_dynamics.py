"""Dynamics of a tree of rigid bodies as functions, made when they are first asked for."""

from collections.abc import Callable, Sequence
from functools import cached_property

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.near_names import did_you_mean
from acausal.ir.expr import Expr
from acausal.ir.names import listed
from acausal.mechanism.functions.arguments import SHOWN, Argument
from acausal.mechanism.functions.constrained_dynamics import constrained_accelerations, constraint_jacobian, drift
from acausal.mechanism.functions.constraints import constraint_residuals
from acausal.mechanism.functions.forward_dynamics import forward_dynamics, shortest_dynamics
from acausal.mechanism.functions.inverse_dynamics import inverse_dynamics
from acausal.mechanism.functions.jacobians import position_derivatives, velocity_derivatives
from acausal.mechanism.functions.mass_matrix import mass_matrix
from acausal.mechanism.functions.tree_function import TreeFunction, flat
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree, TreeFrame
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector

Made = tuple[tuple[int, ...], Sequence[Expr]]
"""The shape and the elements of a result."""


class TreeDynamics:
    """Functions of the positions q, velocities v, accelerations a and efforts tau of a tree of rigid bodies.

    Conventions are those of Pinocchio: M a + h(q, v) = tau; q of a ball joint is the quaternion (x, y, z, w), its v the
    angular velocity in axes of its own frame; six-vectors of frames have the linear part first; derivatives by q are
    along v, with as many columns as v has. `positions` and `velocities` are the names of the elements of q and v.
    """

    def __init__(self, tree: RigidTree) -> None:
        self.tree = tree
        self._made: dict[str, TreeFunction] = {}
        self.q = Argument("q", tree.positions)
        self.v = Argument("v", tree.velocities)
        self.a = Argument("a", tree.accelerations)
        self.tau = Argument("tau", tree.efforts)

    @property
    def positions(self) -> tuple[str, ...]:
        """Names of the elements of q."""
        return self.q.names

    @property
    def velocities(self) -> tuple[str, ...]:
        """Names of the elements of v."""
        return self.v.names

    @property
    def frames(self) -> tuple[str, ...]:
        """Names of the frames."""
        return tuple([frame.name for frame in self.tree.frames])

    def frame(self, name: str) -> TreeFrame:
        """The frame of that name; UsageError F005 if there is none."""
        for frame in self.tree.frames:
            if frame.name == name:
                return frame
        hint = did_you_mean(name, self.frames) or f"frames: {listed(self.frames, SHOWN)}"
        raise UsageError(Diagnostic("F005", f"{self.tree.name} has no frame {name}", help=hint))

    def function(self, name: str, arguments: Sequence[Argument], make: Callable[[], Made]) -> TreeFunction:
        """The function of that name, made once."""
        if name not in self._made:
            shape, results = make()
            tree = self.tree
            self._made[name] = TreeFunction(name, tree.pool, arguments, shape, results, tree.parameters)
        return self._made[name]

    # ------------------------------------------------------------ dynamics

    @property
    def mass_matrix(self) -> TreeFunction:
        """M(q), (nv, nv): kinetic energy v^T M v / 2; kg, kg.m and kg.m2 for slides and turns."""
        return self.function("mass_matrix", [self.q], lambda: of_matrix(mass_matrix(self.tree)))

    @property
    def nonlinear_effects(self) -> TreeFunction:
        """h(q, v), (nv,): Coriolis, centrifugal and gravity terms, so that M a + h = tau [N.m, N]."""
        return self.function(
            "nonlinear_effects",
            [self.q, self.v],
            lambda: of_vector(self._efforts(velocities=True, accelerations=False)),
        )

    @property
    def gravity(self) -> TreeFunction:
        """g(q), (nv,): efforts that hold the mechanism at rest [N.m, N]."""
        return self.function(
            "gravity", [self.q], lambda: of_vector(self._efforts(velocities=False, accelerations=False))
        )

    @property
    def inverse_dynamics(self) -> TreeFunction:
        """tau(q, v, a), (nv,): efforts for a motion [N.m, N]; with closed loops those of the tree of joints.

        Of these, reactions of closures may be added: phi_q^T lambda, whatever lambda.
        """
        return self.function(
            "inverse_dynamics",
            [self.q, self.v, self.a],
            lambda: of_vector(self._efforts(velocities=True, accelerations=True)),
        )

    @property
    def forward_dynamics(self) -> TreeFunction:
        """a(q, v, tau), (nv,): accelerations [rad/s2, m/s2] for efforts tau; with loops `constrained_dynamics`."""
        if self.tree.closures:
            return self.constrained_dynamics
        arguments = [self.q, self.v, self.tau]
        return self.function("forward_dynamics", arguments, lambda: of_vector(shortest_dynamics(self.tree)))

    @property
    def constraints(self) -> TreeFunction:
        """phi(q), (m,): residuals of the constraints of closed loops, zero where these are closed [m, 1]."""
        return self.function("constraints", [self.q], lambda: of_vector(constraint_residuals(self.tree)))

    @property
    def constraint_jacobian(self) -> TreeFunction:
        """phi_q(q), (m, nv): derivatives of the residuals along the velocities."""
        return self.function("constraint_jacobian", [self.q], lambda: of_matrix(constraint_jacobian(self.tree)))

    @property
    def constraint_drift(self) -> TreeFunction:
        """d2phi/dt2(q, v), (m,), without accelerations: phi_q a + drift = 0 with closed loops."""
        both = [self.q, self.v]
        return self.function(
            "constraint_drift", both, lambda: of_vector(drift(self.tree, constraint_jacobian(self.tree)))
        )

    @cached_property
    def constrained_dynamics(self) -> TreeFunction:
        """a(q, v, tau), (nv,), with closed loops: q and v satisfy the constraints, which are kept by multipliers.

        Where constraints depend on each other the multipliers have minimum norm.
        """
        tree = self.tree
        found, system = constrained_accelerations(tree)
        arguments, shape = (self.q, self.v, self.tau), (len(found),)
        name = "constrained_dynamics"
        return TreeFunction(name, tree.pool, arguments, shape, found, tree.parameters, (system,))

    @property
    def inverse_dynamics_derivatives(self) -> TreeFunction:
        """(2, nv, nv): derivatives of tau(q, v, a) by q (along v) and by v; that by a is the mass matrix."""
        arguments = [self.q, self.v, self.a]
        return self.function(
            "inverse_dynamics_derivatives", arguments, lambda: self._derivatives(self._efforts(True, True))
        )

    @property
    def forward_dynamics_derivatives(self) -> TreeFunction:
        """(2, nv, nv): derivatives of a(q, v, tau) by q (along v) and by v; that by tau is the inverse of M.

        UsageError F006 for closed loops.
        """
        if self.tree.closures:
            hint = "take differences of constrained_dynamics along motions of the mechanism"
            raise UsageError(Diagnostic("F006", f"{self.tree.name} has closed loops", help=hint))
        arguments = [self.q, self.v, self.tau]
        return self.function(
            "forward_dynamics_derivatives", arguments, lambda: self._derivatives(self._accelerations())
        )

    def _efforts(self, velocities: bool, accelerations: bool) -> Vector:
        tree = self.tree
        nothing = (tree.pool.zero,) * len(tree.velocities)
        v, a = tree.velocities if velocities else nothing, tree.accelerations if accelerations else nothing
        return inverse_dynamics(tree, v, a).efforts

    def _accelerations(self) -> Vector:
        return forward_dynamics(self.tree, self.tree.velocities, self.tree.efforts)

    def _derivatives(self, vector: Vector) -> Made:
        size = len(vector)
        by_positions = [row for (row,) in [position_derivatives(self.tree, ((x,),))[0] for x in vector]]
        by_velocities = velocity_derivatives(self.tree, vector)
        return (2, size, size), (*flat(by_positions), *flat(by_velocities))


def of_matrix(rows: Matrix) -> Made:
    """Shape and elements of a matrix."""
    return (len(rows), len(rows[0])), flat(rows)


def of_vector(elements: Vector) -> Made:
    """Shape and elements of a vector."""
    return (len(elements),), elements
