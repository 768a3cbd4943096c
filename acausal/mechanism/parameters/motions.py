"""Motions of a mechanism by coordinates that move independently: all joints of a tree, some where loops are closed."""

from typing import TYPE_CHECKING, Protocol

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.names import show_name
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from acausal.codegen.executable import Array
    from acausal.mechanism.parameters.closed_loops import ClosedLoops

    Motion = tuple[Array, Array, Array]

FARTHEST = 1.0
"""A coordinate without limits stays so near to its center [rad, m]."""
STEPS = 12
"""On the way from the start to a motion."""
SINGULAR = 1e-3
"""Smallest share that independent coordinates have of a motion."""
POSES, SEED = 20, 0


class Motions(Protocol):
    """Motions by coordinates: `names` are theirs, `center` (n,) where they are in the middle of ranges without limits.

    `places` are where positions that may have limits are in q, by name, `columns` where their derivatives are in v;
    `speeds` is the number of velocities.
    """

    names: tuple[str, ...]
    center: "Array"
    places: dict[str, int]
    columns: dict[str, int]
    speeds: int

    def whole(self, q: "Array", v: "Array", a: "Array") -> "Motion | None":
        """Positions (m, nq), velocities and accelerations (m, nv) for those of the coordinates (m, n); None if none."""
        ...


class TreeMotions:
    """Motions of a tree: all positions are coordinates. UsageError F006 for ball joints."""

    def __init__(self, tree: RigidTree) -> None:
        import numpy as np

        self.places = {name: place for name, place, _ in scalar_positions(tree)}
        self.columns = {name: column for name, _, column in scalar_positions(tree)}
        self.speeds = len(tree.velocities)
        self.names = tuple(self.places)
        if len(self.names) != len(tree.velocities):
            message = f"{tree.name} has ball joints, for which there are no Fourier series"
            raise UsageError(Diagnostic("F006", message, help="give trajectories of your own to `identify`"))
        self.center = np.zeros(len(self.names))

    def whole(self, q: "Array", v: "Array", a: "Array") -> "Motion | None":
        """The arrays themselves."""
        return q, v, a


class LoopMotions:
    """Motions with closed loops: as many coordinates as degrees of freedom, the other joints follow.

    Without `names` those are taken that determine the motion best at random poses beside the start. UsageError F005 for
    unknown names, F006 for some that do not determine the motion.
    """

    def __init__(self, tree: RigidTree, loops: "ClosedLoops", names: "Sequence[str]") -> None:
        scalars = list(scalar_positions(tree))
        self._loops, self.speeds = loops, len(tree.velocities)
        self.places = {name: place for name, place, _ in scalars}
        self.columns = {name: column for name, _, column in scalars}
        need_positions(tree.name, self.places, names)
        self.names = tuple(names or self._best())
        self._free = [self.columns[name] for name in self.names]
        self._dependent = [k for k in range(len(tree.velocities)) if k not in self._free]
        self.center = loops.start[[self.places[name] for name in self.names]]
        self._need_independent(tree.name)
        self._last: tuple[Array, Array] | None = None

    def _best(self) -> "list[str]":
        """The coordinates whose share in the motion is largest at the worst of several poses."""
        import numpy as np
        from scipy.linalg import qr

        names, rows = list(self.columns), list(self.columns.values())
        bases = self._loops.bases(self._loops.random_states(POSES, SEED)[0])[:, rows]
        size = bases.shape[2]
        chosen = {tuple(sorted(qr(basis.T, mode="r", pivoting=True)[1][:size].tolist())) for basis in bases}
        worst = {k: np.linalg.svd(bases[:, list(k)], compute_uv=False).min(initial=1.0) for k in sorted(chosen)}
        return [names[k] for k in max(worst, key=lambda k: float(worst[k]))]

    def _need_independent(self, name: str) -> None:
        import numpy as np

        basis = self._loops.bases(self._loops.start[None])[0]
        chosen = basis[self._free]
        square = chosen.shape[0] == chosen.shape[1]
        if not square or np.linalg.svd(chosen, compute_uv=False).min(initial=1.0) < SINGULAR:
            count = f"{name} has {basis.shape[1]} degrees of freedom"
            hint = f"{count}: name as many positions, not of ball joints; or give motions of your own to `identify`"
            message = f"{', '.join(self.names) or 'no position'} does not determine the motion of {name}"
            raise UsageError(Diagnostic("F006", message, help=hint))

    def whole(self, q: "Array", v: "Array", a: "Array") -> "Motion | None":
        """The motion of all joints; None where loops cannot be closed.

        It is followed from the last one that was found, else from the start.
        """
        positions = self._near(q)
        if positions is None:
            return None
        self._last = q, positions
        velocities, accelerations = self._loops.follow(positions, v, a, self._free, self._dependent)
        return positions, velocities, accelerations

    def _near(self, q: "Array") -> "Array | None":
        """Positions with closed loops, in one step from the last motion, else in several from the start."""
        import numpy as np

        if self._last is not None and self._last[0].shape == q.shape:
            found = self._moved(self._last[1], q - self._last[0])
            if found is not None:
                return found
        found = np.tile(self._loops.start, (len(q), 1))
        for _ in range(STEPS):
            found = None if found is None else self._moved(found, (q - self.center) / STEPS)
        return found

    def _moved(self, positions: "Array", change: "Array") -> "Array | None":
        return self._loops.moved(positions, change, self._free, self._dependent)


def scalar_positions(tree: RigidTree) -> "Iterator[tuple[str, int, int]]":
    """Name, place in q and place in v of all positions but those of ball joints."""
    place = 0
    for joint, first in zip(tree.joints, tree.first_velocity, strict=True):
        if joint.kind != "spherical":
            for k, leaf in enumerate(joint.positions):
                yield show_name(leaf.name), place + k, first + k
        place += len(joint.positions)


def need_positions(owner: str, known: dict[str, int], names: "Sequence[str]") -> None:
    """UsageError F005 for a name that is not one of the positions."""
    unknown = [name for name in names if name not in known]
    if unknown:
        message = f"{unknown[0]} is not a position of {owner}"
        raise UsageError(Diagnostic("F005", message, help=f"positions: {', '.join(known)}"))
