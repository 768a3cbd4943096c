"""Points that a frame can reach: samples, and the boundary of chains with three hinges.

At the boundary the Jacobian of the point is singular. Its determinant does not depend on the first angle, and for a
given q3 it is A cos(q2) + B sin(q2) + C, as is the line of the first axis seen from the second link: two angles q2 in
closed form for each q3. Kohli, Spanos, Workspace analysis of mechanical manipulators using polynomial discriminants,
J. Mechanisms, Transmissions, and Automation in Design 107 (1985) 209-215.
"""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.mechanism.functions.tree_function import TreeFunction
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree, TreeFrame

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@dataclass(frozen=True, slots=True)
class Workspace:
    """Positions `q` (m, nq) and the `points` (m, 3) [m] of the frame there, in the inertial frame."""

    q: "Array"
    points: "Array"


def need_tree(tree: RigidTree) -> None:
    """UsageError F006 for closed loops."""
    if tree.closures:
        message = f"{tree.name} has closed loops, whose positions are not independent"
        raise UsageError(Diagnostic("F006", message, help="call frame_placement(frame).batch with positions of runs"))


def sampled_workspace(placement: TreeFunction, low: "Array", high: "Array", count: int, seed: int) -> Workspace:
    """Points at `count` random positions between limits, the same for a seed."""
    import numpy as np

    q = np.random.default_rng(seed).uniform(low, high, size=(count, len(low)))
    return Workspace(q, placement.batch(q)[:, :3, 3])


def boundary(
    tree: RigidTree, frame: TreeFrame, placement: TreeFunction, jacobian: TreeFunction, count: int
) -> Workspace:
    """Singular points of a chain with three hinges for `count` angles q3, at q1 = 0.

    The surface is made by turning them about the first axis. Points inside the workspace may be among them, where
    surfaces of one posture end. UsageError F006 for other chains.
    """
    import numpy as np

    if [tree.joints[i].kind for i in tree.path(frame.body)] != ["revolute"] * 3 or len(tree.joints) != 3:
        message = f"{frame.name} is not moved by a chain of three hinges"
        raise UsageError(Diagnostic("F006", message, help="`workspace` samples the points of any mechanism"))
    third = np.linspace(-np.pi, np.pi, count, endpoint=False)

    def determinants(second: "Array") -> "Array":
        q = np.stack([np.zeros(count), second, third], axis=1)
        found: Array = np.linalg.det(jacobian.batch(q)[:, :3, :])
        return found

    zero, right, left = [determinants(np.full(count, angle)) for angle in (0.0, np.pi / 2, np.pi)]
    constant, cosine = (zero + left) / 2, (zero - left) / 2
    sine = right - constant
    size = np.hypot(cosine, sine)
    share = np.divide(-constant, size, out=np.full(count, np.inf), where=size > 1e-12 * size.max(initial=1e-300))
    exists = np.abs(share) <= 1.0
    middle, half = np.arctan2(sine, cosine)[exists], np.arccos(share[exists])
    angles, kept = np.concatenate([middle + half, middle - half]), np.tile(third[exists], 2)
    always = third[np.maximum(size, np.abs(constant)) <= 1e-12 * max(size.max(), np.abs(constant).max())]
    turns = np.linspace(-np.pi, np.pi, count, endpoint=False)
    q = np.stack(
        [
            np.zeros(len(angles) + len(always) * count),
            np.concatenate([angles, np.tile(turns, len(always))]),
            np.concatenate([kept, np.repeat(always, count)]),
        ],
        axis=1,
    )
    return Workspace(q, placement.batch(q)[:, :3, 3])
