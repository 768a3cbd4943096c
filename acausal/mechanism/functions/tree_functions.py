"""The functions of a tree of rigid bodies: dynamics, kinematics, energies; searches for positions."""

from functools import cached_property
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.names import listed
from acausal.mechanism.functions.arguments import SHOWN, array_of
from acausal.mechanism.functions.energies import center_of_mass, kinetic_energy, momentum, potential_energy
from acausal.mechanism.functions.jacobians import Reference, frame_jacobian, position_derivatives, rate_of
from acausal.mechanism.functions.kinematics import body_placements, frame_placement, homogeneous
from acausal.mechanism.functions.tree_dynamics import Made, TreeDynamics, of_matrix, of_vector
from acausal.mechanism.functions.tree_function import TreeFunction, flat

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from acausal.mechanism.functions.equilibrium import Equilibrium
    from acausal.mechanism.functions.inverse_kinematics import InverseKinematics, Limits
    from acausal.mechanism.functions.workspace import Workspace

REFERENCES = ("local", "world", "local_world_aligned")


@dataclass(frozen=True, slots=True)
class NullSpaceFunctions:
    """Functions of the null space of the constraints of a tree with n bodies (Thompson 2011).

    `constraints` phi_q(q), (m, 6 n), and `basis` H2(q), (6 n, nv), with phi_q H2 = 0; `rate` dH2/dt(q, v); `mass`
    M22(q), (nv, nv), and `rest` N22(q, v), (nv,) [N.m, N], with M22 a + N22 = tau. Velocities of bodies have the linear
    part [m/s] first, in axes of the body.
    """

    constraints: TreeFunction
    basis: TreeFunction
    rate: TreeFunction
    mass: TreeFunction
    rest: TreeFunction


class TreeFunctions(TreeDynamics):
    """Functions of the positions, velocities, accelerations and efforts of a tree (conventions: `TreeDynamics`)."""

    @cached_property
    def null_space(self) -> "NullSpaceFunctions":
        """Null space of the constraints of the joints of the tree, and its equations of motion by it."""
        from acausal.mechanism.functions.null_space import null_space

        found = null_space(self.tree)
        both = [self.q, self.v]
        return NullSpaceFunctions(
            self.function("joint_constraints", [self.q], lambda: of_matrix(found.constraints)),
            self.function("null_space_basis", [self.q], lambda: of_matrix(found.basis)),
            self.function("null_space_rate", both, lambda: of_matrix(found.rate)),
            self.function("null_space_mass", [self.q], lambda: of_matrix(found.mass)),
            self.function("null_space_rest", both, lambda: of_vector(found.rest)),
        )

    # ------------------------------------------------------------ kinematics

    def frame_placement(self, frame: str) -> TreeFunction:
        """T(q), (4, 4): homogeneous matrix of a frame in the inertial frame; lengths in m."""
        found = self.frame(frame)

        def make() -> Made:
            return of_matrix(homogeneous(self.tree, frame_placement(self.tree, body_placements(self.tree), found)))

        return self.function(f"placement of {frame}", [self.q], make)

    def frame_jacobian(self, frame: str, reference: Reference = "local") -> TreeFunction:
        """J(q), (6, nv): velocity of a frame for unit v, linear part [m/s] first, in the axes of `reference`."""
        found = self.frame(frame)
        _check_reference(reference)
        return self.function(
            f"{reference} Jacobian of {frame}",
            [self.q],
            lambda: of_matrix(frame_jacobian(self.tree, found, reference)),
        )

    def frame_jacobian_rate(self, frame: str, reference: Reference = "local") -> TreeFunction:
        """dJ/dt(q, v), (6, nv): the rate of the Jacobian while q moves with v."""
        found = self.frame(frame)
        _check_reference(reference)

        def make() -> Made:
            return of_matrix(rate_of(self.tree, frame_jacobian(self.tree, found, reference)))

        return self.function(f"rate of the {reference} Jacobian of {frame}", [self.q, self.v], make)

    def frame_jacobian_derivatives(self, frame: str, reference: Reference = "local") -> TreeFunction:
        """dJ/dq(q), (6, nv, nv): [:, :, k] is the derivative along velocity k."""
        found = self.frame(frame)
        _check_reference(reference)

        def make() -> Made:
            slices = position_derivatives(self.tree, frame_jacobian(self.tree, found, reference))
            size = len(self.tree.velocities)
            return (6, size, size), [x for matrix in slices for x in flat(matrix)]

        return self.function(f"derivatives of the {reference} Jacobian of {frame}", [self.q], make)

    def inverse_kinematics(
        self,
        frame: str,
        pose: "ArrayLike",
        start: "ArrayLike | None" = None,
        limits: "Limits | None" = None,
    ) -> "InverseKinematics":
        """Positions q at which a frame has a pose, (4, 4) or a point (3,) [m]; `limits` are (low, high) by name.

        By damped least squares, from `start` and, where that does not reach the pose, from random positions. Closed
        loops are closed at the positions that reach it.
        """
        from acausal.mechanism.functions.inverse_kinematics import inverse_kinematics

        placement, jacobian = self.frame_placement(frame), self.frame_jacobian(frame, "local")
        return inverse_kinematics(self.tree, placement, jacobian, self._loops, pose, start, limits or {})

    def equilibrium(self, start: "ArrayLike", efforts: "ArrayLike | None" = None) -> "Equilibrium":
        """Position of rest near `start` (nq,) under gravity and constant efforts (nv,) of the joints, default zero.

        Loops are closed there. UsageError F006 for arrays of other shapes.
        """
        import numpy as np

        from acausal.mechanism.functions.equilibrium import equilibrium

        given = np.zeros(len(self.tree.velocities)) if efforts is None else efforts
        constant = array_of("efforts", given, (len(self.tree.velocities),))
        first = array_of("start", start, (len(self.positions),))
        derivatives = self.inverse_dynamics_derivatives
        return equilibrium(self.tree, self.gravity, derivatives, self._loops, first, constant)

    @property
    def _loops(self) -> tuple[TreeFunction, TreeFunction] | None:
        """Residuals of closed loops and their derivatives; None for a tree."""
        return (self.constraints, self.constraint_jacobian) if self.tree.closures else None

    def workspace(self, frame: str, limits: "Limits", count: int = 10_000, seed: int = 0) -> "Workspace":
        """Points of a frame at random positions within limits (low, high) by name; others turn fully or are 0 to 1.

        UsageError F006 for ball joints and closed loops, whose positions are not independent, F005 for a name.
        """
        import numpy as np

        from acausal.mechanism.functions.workspace import need_tree, sampled_workspace

        need_tree(self.tree)
        unknown = [name for name in limits if name not in self.positions]
        if unknown:
            hint = f"positions: {listed(self.positions, SHOWN)}"
            raise UsageError(Diagnostic("F005", f"{unknown[0]} is not a position of {self.tree.name}", help=hint))
        if len(self.positions) != len(self.velocities):
            message = f"{self.tree.name} has ball joints, whose positions are not sampled"
            raise UsageError(Diagnostic("F006", message, help="call frame_placement(frame).batch with positions"))
        default = [(-np.pi, np.pi) if joint.kind == "revolute" else (0.0, 1.0) for joint in self.tree.joints]
        ends = [limits.get(name, ends) for name, ends in zip(self.positions, default, strict=True)]
        low, high = np.array(ends).T
        return sampled_workspace(self.frame_placement(frame), low, high, count, seed)

    def workspace_boundary(self, frame: str, count: int = 360) -> "Workspace":
        """Singular points of a chain of three hinges in closed form, at q1 = 0 (`workspace.boundary`)."""
        from acausal.mechanism.functions.workspace import boundary, need_tree

        need_tree(self.tree)
        jacobian = self.frame_jacobian(frame, "local_world_aligned")
        return boundary(self.tree, self.frame(frame), self.frame_placement(frame), jacobian, count)

    # ------------------------------------------------------------ energies

    @property
    def kinetic_energy(self) -> TreeFunction:
        """Kinetic energy(q, v) [J]."""
        return self.function("kinetic_energy", [self.q, self.v], lambda: ((), [kinetic_energy(self.tree)]))

    @property
    def potential_energy(self) -> TreeFunction:
        """Potential energy of gravity(q) [J], zero with all masses at the origin."""
        return self.function("potential_energy", [self.q], lambda: ((), [potential_energy(self.tree)]))

    @property
    def center_of_mass(self) -> TreeFunction:
        """Center of mass(q), (3,), in the inertial frame [m]."""
        return self.function("center_of_mass", [self.q], lambda: of_vector(center_of_mass(self.tree)))

    @property
    def center_of_mass_jacobian(self) -> TreeFunction:
        """(3, nv): velocity of the center of mass for unit v [m/s]."""

        def make() -> Made:
            column = tuple([(x,) for x in center_of_mass(self.tree)])
            return (3, len(self.tree.velocities)), flat([rows[0] for rows in position_derivatives(self.tree, column)])

        return self.function("center_of_mass_jacobian", [self.q], make)

    @property
    def momentum(self) -> TreeFunction:
        """(6,): linear momentum [N.s] and angular momentum about the origin [N.m.s], in inertial axes."""
        return self.function("momentum", [self.q, self.v], lambda: of_vector(momentum(self.tree, False)))

    @property
    def centroidal_momentum(self) -> TreeFunction:
        """(6,): linear momentum [N.s] and angular momentum about the center of mass [N.m.s], in inertial axes."""
        return self.function("centroidal_momentum", [self.q, self.v], lambda: of_vector(momentum(self.tree, True)))


def _check_reference(reference: str) -> None:
    """UsageError F005 for anything but the three references."""
    if reference not in REFERENCES:
        hint = f"references: {', '.join(REFERENCES)}"
        raise UsageError(Diagnostic("F005", f"unknown reference {reference!r} of a Jacobian", help=hint))
