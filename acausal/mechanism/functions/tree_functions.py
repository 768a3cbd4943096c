"""The functions of a tree of rigid bodies, made when they are first asked for."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.expr import Expr
from acausal.ir.names import listed
from acausal.mechanism.functions.energies import (
    center_of_mass,
    kinetic_energy,
    momentum,
    potential_energy,
)
from acausal.mechanism.functions.forward_dynamics import forward_dynamics
from acausal.mechanism.functions.inverse_dynamics import inverse_dynamics
from acausal.mechanism.functions.jacobians import (
    Reference,
    frame_jacobian,
    position_derivatives,
    rate_of,
    velocity_derivatives,
)
from acausal.mechanism.functions.kinematics import body_placements, frame_placement, homogeneous
from acausal.mechanism.functions.mass_matrix import mass_matrix
from acausal.mechanism.functions.rigid_tree import RigidTree, TreeFrame
from acausal.mechanism.functions.tree_function import SHOWN, Argument, TreeFunction, flat
from acausal.mechanism.functions.vectors import Matrix, Vector

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from acausal.mechanism.functions.inverse_kinematics import InverseKinematics, Limits

REFERENCES = ("local", "world", "local_world_aligned")
Made = tuple[tuple[int, ...], Sequence[Expr]]
"""The shape and the elements of a result."""


class TreeFunctions:
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
        near = get_close_matches(name, self.frames, 1)
        hint = f"did you mean {near[0]}?" if near else f"frames: {listed(self.frames, SHOWN)}"
        raise UsageError(Diagnostic("F005", f"{self.tree.name} has no frame {name}", help=hint))

    def _function(self, name: str, arguments: Sequence[Argument], make: Callable[[], Made]) -> TreeFunction:
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
        return self._function("mass_matrix", [self.q], lambda: _matrix(mass_matrix(self.tree)))

    @property
    def nonlinear_effects(self) -> TreeFunction:
        """h(q, v), (nv,): Coriolis, centrifugal and gravity terms, so that M a + h = tau [N.m, N]."""
        return self._function(
            "nonlinear_effects", [self.q, self.v], lambda: _vector(self._efforts(velocities=True, accelerations=False))
        )

    @property
    def gravity(self) -> TreeFunction:
        """g(q), (nv,): efforts that hold the mechanism at rest [N.m, N]."""
        return self._function(
            "gravity", [self.q], lambda: _vector(self._efforts(velocities=False, accelerations=False))
        )

    @property
    def inverse_dynamics(self) -> TreeFunction:
        """tau(q, v, a), (nv,): efforts for a motion [N.m, N]."""
        return self._function(
            "inverse_dynamics",
            [self.q, self.v, self.a],
            lambda: _vector(self._efforts(velocities=True, accelerations=True)),
        )

    @property
    def forward_dynamics(self) -> TreeFunction:
        """a(q, v, tau), (nv,): accelerations [rad/s2, m/s2] for efforts tau."""
        return self._function("forward_dynamics", [self.q, self.v, self.tau], lambda: _vector(self._accelerations()))

    @property
    def inverse_dynamics_derivatives(self) -> TreeFunction:
        """(2, nv, nv): derivatives of tau(q, v, a) by q (along v) and by v; that by a is the mass matrix."""
        arguments = [self.q, self.v, self.a]
        return self._function(
            "inverse_dynamics_derivatives", arguments, lambda: self._derivatives(self._efforts(True, True))
        )

    @property
    def forward_dynamics_derivatives(self) -> TreeFunction:
        """(2, nv, nv): derivatives of a(q, v, tau) by q (along v) and by v; that by tau is the inverse of M."""
        arguments = [self.q, self.v, self.tau]
        return self._function(
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

    # ------------------------------------------------------------ kinematics

    def frame_placement(self, frame: str) -> TreeFunction:
        """T(q), (4, 4): homogeneous matrix of a frame in the inertial frame; lengths in m."""
        found = self.frame(frame)

        def make() -> Made:
            return _matrix(homogeneous(self.tree, frame_placement(self.tree, body_placements(self.tree), found)))

        return self._function(f"placement of {frame}", [self.q], make)

    def frame_jacobian(self, frame: str, reference: Reference = "local") -> TreeFunction:
        """J(q), (6, nv): velocity of a frame for unit v, linear part [m/s] first, in the axes of `reference`."""
        found = self.frame(frame)
        _check_reference(reference)
        return self._function(
            f"{reference} Jacobian of {frame}",
            [self.q],
            lambda: _matrix(frame_jacobian(self.tree, found, reference)),
        )

    def frame_jacobian_rate(self, frame: str, reference: Reference = "local") -> TreeFunction:
        """dJ/dt(q, v), (6, nv): the rate of the Jacobian while q moves with v."""
        found = self.frame(frame)
        _check_reference(reference)

        def make() -> Made:
            return _matrix(rate_of(self.tree, frame_jacobian(self.tree, found, reference)))

        return self._function(f"rate of the {reference} Jacobian of {frame}", [self.q, self.v], make)

    def frame_jacobian_derivatives(self, frame: str, reference: Reference = "local") -> TreeFunction:
        """dJ/dq(q), (6, nv, nv): [:, :, k] is the derivative along velocity k."""
        found = self.frame(frame)
        _check_reference(reference)

        def make() -> Made:
            slices = position_derivatives(self.tree, frame_jacobian(self.tree, found, reference))
            size = len(self.tree.velocities)
            return (6, size, size), [x for matrix in slices for x in flat(matrix)]

        return self._function(f"derivatives of the {reference} Jacobian of {frame}", [self.q], make)

    def inverse_kinematics(
        self,
        frame: str,
        pose: "ArrayLike",
        start: "ArrayLike | None" = None,
        limits: "Limits | None" = None,
    ) -> "InverseKinematics":
        """Positions q at which a frame has a pose, (4, 4) or a point (3,) [m]; `limits` are (low, high) by name.

        By damped least squares, from `start` and, where that does not reach the pose, from random positions.
        """
        from acausal.mechanism.functions.inverse_kinematics import inverse_kinematics

        placement, jacobian = self.frame_placement(frame), self.frame_jacobian(frame, "local")
        return inverse_kinematics(self.tree, placement, jacobian, pose, start, limits or {})

    # ------------------------------------------------------------ energies

    @property
    def kinetic_energy(self) -> TreeFunction:
        """Kinetic energy(q, v) [J]."""
        return self._function("kinetic_energy", [self.q, self.v], lambda: ((), [kinetic_energy(self.tree)]))

    @property
    def potential_energy(self) -> TreeFunction:
        """Potential energy of gravity(q) [J], zero with all masses at the origin."""
        return self._function("potential_energy", [self.q], lambda: ((), [potential_energy(self.tree)]))

    @property
    def center_of_mass(self) -> TreeFunction:
        """Center of mass(q), (3,), in the inertial frame [m]."""
        return self._function("center_of_mass", [self.q], lambda: _vector(center_of_mass(self.tree)))

    @property
    def center_of_mass_jacobian(self) -> TreeFunction:
        """(3, nv): velocity of the center of mass for unit v [m/s]."""

        def make() -> Made:
            column = tuple([(x,) for x in center_of_mass(self.tree)])
            return (3, len(self.tree.velocities)), flat([rows[0] for rows in position_derivatives(self.tree, column)])

        return self._function("center_of_mass_jacobian", [self.q], make)

    @property
    def momentum(self) -> TreeFunction:
        """(6,): linear momentum [N.s] and angular momentum about the origin [N.m.s], in inertial axes."""
        return self._function("momentum", [self.q, self.v], lambda: _vector(momentum(self.tree, False)))

    @property
    def centroidal_momentum(self) -> TreeFunction:
        """(6,): linear momentum [N.s] and angular momentum about the center of mass [N.m.s], in inertial axes."""
        return self._function("centroidal_momentum", [self.q, self.v], lambda: _vector(momentum(self.tree, True)))


def _check_reference(reference: str) -> None:
    """UsageError F005 for anything but the three references."""
    if reference not in REFERENCES:
        hint = f"references: {', '.join(REFERENCES)}"
        raise UsageError(Diagnostic("F005", f"{reference!r} is no reference of a Jacobian", help=hint))


def _matrix(rows: Matrix) -> Made:
    return (len(rows), len(rows[0])), flat(rows)


def _vector(elements: Vector) -> Made:
    return (len(elements),), elements
