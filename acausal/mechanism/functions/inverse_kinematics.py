"""Inverse kinematics by damped least squares with limits.

Each step minimizes |J d - e|^2 + damping |d|^2 within the limits of the positions; the damping follows the error.
Levenberg (1944), Marquardt (1963); Sugihara, Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt
method, IEEE Trans. Robotics 27 (2011) 984-991.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.names import listed
from acausal.mechanism.functions.arguments import array_of, numbers_in
from acausal.mechanism.functions.tree_function import TreeFunction
from acausal.mechanism.rigid_trees.configurations import integrate
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from acausal.codegen.executable import Array

    Limits = Mapping[str, tuple[float, float]]
    """The least and the largest value of positions by name."""

MOST_STEPS, MOST_STARTS = 200, 20
REACHED = 1e-10
"""Errors of a pose that is reached: m, and rad."""
BIAS = 1e-12
"""Damping that stays where the error vanishes."""


@dataclass(frozen=True, slots=True)
class InverseKinematics:
    """Positions `q` at which a frame has a pose, or comes nearest to it within the limits: then `reached` is False.

    Loops may be open then. `position_error` [m] and `angle_error` [rad] are what is left; `steps` were taken in all.
    """

    q: "Array"
    reached: bool
    position_error: float
    angle_error: float
    steps: int


def inverse_kinematics(
    tree: RigidTree,
    placement: TreeFunction,
    jacobian: TreeFunction,
    loops: tuple[TreeFunction, TreeFunction] | None,
    pose: "ArrayLike",
    start: "ArrayLike | None",
    limits: "Limits",
) -> InverseKinematics:
    """Positions for a pose of the frame with this placement and local Jacobian, `loops` (phi and phi_q) closed.

    The pose is a homogeneous matrix (4, 4), or a point (3,) [m] in the inertial frame.

    The search begins at `start`, by default in the middle of the limits, and again at random positions within the
    limits (the same in every call) as long as the pose is not reached. UsageError F005 for a name, F006 for a shape.
    """
    search = _Search(tree, placement, jacobian, loops, pose, limits)
    best = search.from_start(search.middle if start is None else search.started(start))
    steps = best.steps
    for number in range(1, MOST_STARTS):
        if best.reached:
            break
        found = search.from_start(search.random(number))
        steps += found.steps
        if found.reached or found.position_error + found.angle_error < best.position_error + best.angle_error:
            best = found
    return InverseKinematics(best.q, best.reached, best.position_error, best.angle_error, steps)


class _Search:
    """One pose of one frame, with the limits of all velocities."""

    def __init__(
        self,
        tree: RigidTree,
        placement: TreeFunction,
        jacobian: TreeFunction,
        loops: tuple[TreeFunction, TreeFunction] | None,
        pose: "ArrayLike",
        limits: "Limits",
    ) -> None:
        import numpy as np

        self._tree, self._placement, self._jacobian, self._loops = tree, placement, jacobian, loops
        target = numbers_in("elements of pose", pose)
        if target.shape not in ((4, 4), (3,)):
            message = f"pose: the shape is {target.shape}, required is (4, 4) or (3,)"
            raise UsageError(Diagnostic("F006", message, help="give a homogeneous matrix, or a point"))
        self._is_point = target.shape == (3,)
        self._point = target if self._is_point else target[:3, 3]
        self._rotation = None if self._is_point else target[:3, :3]
        names = placement.arguments[0].names
        unknown = [name for name in limits if name not in names]
        if unknown:
            hint = f"positions: {listed(names, 8)}"
            raise UsageError(Diagnostic("F005", f"{unknown[0]} is not a position of {self._tree.name}", help=hint))
        self.low = np.array([limits.get(name, (-np.inf, np.inf))[0] for name in names])
        self.high = np.array([limits.get(name, (-np.inf, np.inf))[1] for name in names])

    @property
    def middle(self) -> "Array":
        """The middle of the limits; zero without limits, no rotation for quaternions."""
        import numpy as np

        low = np.where(np.isfinite(self.low), self.low, np.minimum(0.0, self.high))
        high = np.where(np.isfinite(self.high), self.high, np.maximum(0.0, self.low))
        return self._unit((low + high) / 2)

    def started(self, start: "ArrayLike") -> "Array":
        """A start given by the user, within the limits."""
        import numpy as np

        given = array_of("start", start, self.low.shape)
        return self._unit(np.clip(given, self.low, self.high))

    def random(self, number: int) -> "Array":
        """Random positions within the limits, half a turn or a meter from zero where there are none."""
        import numpy as np

        rng = np.random.default_rng(number)
        low = np.where(np.isfinite(self.low), self.low, np.minimum(-np.pi, self.high - 2 * np.pi))
        high = np.where(np.isfinite(self.high), self.high, np.maximum(np.pi, low))
        return self._unit(rng.uniform(low, high))

    def _unit(self, q: "Array") -> "Array":
        """Quaternions of length 1; one of length 0 becomes that of no rotation."""
        import numpy as np

        place = 0
        for joint in self._tree.joints:
            if joint.kind == "spherical":
                part = q[place : place + 4]
                length = np.linalg.norm(part)
                q[place : place + 4] = part / length if length > 1e-9 else (0.0, 0.0, 0.0, 1.0)
            place += len(joint.positions)
        return q

    def from_start(self, q: "Array") -> InverseKinematics:
        """Steps from a start until the pose is reached, or the error falls no more."""
        import numpy as np

        error, factor, steps = self._error(q), 1e-2, 0
        size = float(error @ error)
        while steps < MOST_STEPS and not self._is_reached(error) and factor < 1e8:
            jacobian = self._derivatives(q)
            steps += 1
            tried = self._moved(q, self._step(jacobian, error, factor * size + BIAS, q))
            after = self._error(tried)
            if float(after @ after) < size:
                q, error, size, factor = tried, after, float(after @ after), max(factor / 10, 1e-12)
            else:
                factor *= 10
        angle = 0.0 if self._is_point else float(np.linalg.norm(error[3:6]))
        return InverseKinematics(q, self._is_reached(error), float(np.linalg.norm(error[:3])), angle, steps)

    @staticmethod
    def _is_reached(error: "Array") -> bool:
        import numpy as np

        return bool(np.max(np.abs(error)) < REACHED)

    def _error(self, q: "Array") -> "Array":
        """Way to the point and rotation vector to the target, in axes of the frame, then what closes the loops."""
        import numpy as np
        from scipy.spatial.transform import Rotation

        place = self._placement(q)
        parts = [place[:3, :3].T @ (self._point - place[:3, 3])]
        if self._rotation is not None:
            parts.append(Rotation.from_matrix(place[:3, :3].T @ self._rotation).as_rotvec())
        if self._loops is not None:
            parts.append(-self._loops[0](q))
        return np.concatenate(parts)

    def _derivatives(self, q: "Array") -> "Array":
        """Derivatives of what reduces the error, along the velocities."""
        import numpy as np

        rows = self._jacobian(q)[: 3 if self._is_point else 6]
        return rows if self._loops is None else np.vstack([rows, self._loops[1](q)])

    def _step(self, jacobian: "Array", error: "Array", damping: float, q: "Array") -> "Array":
        """The damped step within the limits."""
        import numpy as np
        from scipy.optimize import lsq_linear

        size = jacobian.shape[1]
        matrix = np.vstack([jacobian, np.sqrt(damping) * np.eye(size)])
        right = np.concatenate([error, np.zeros(size)])
        low, high = self._room(q)
        if np.isinf(low).all() and np.isinf(high).all():
            return np.asarray(np.linalg.lstsq(matrix, right, rcond=None)[0])
        return np.asarray(lsq_linear(matrix, right, bounds=(low, np.maximum(high, low + 1e-300))).x)

    def _room(self, q: "Array") -> "tuple[Array, Array]":
        """Room to the limits in the direction of each velocity; balls have no limits."""
        import numpy as np

        low, high, place = [], [], 0
        for joint in self._tree.joints:
            count = len(joint.positions)
            if joint.kind == "spherical":
                low += [-np.inf] * 3
                high += [np.inf] * 3
            else:
                low.append(self.low[place] - q[place])
                high.append(self.high[place] - q[place])
            place += count
        return np.array(low), np.array(high)

    def _moved(self, q: "Array", step: "Array") -> "Array":
        """The positions behind a step."""
        import numpy as np

        return np.asarray(np.clip(integrate(self._tree, q, step), self.low, self.high))
