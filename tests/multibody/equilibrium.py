"""Reactions of minimum norm by hand: the equilibrium of rigid bodies in world axes, solved by `numpy.linalg.lstsq`.

Each reaction is a wrench of body B's part on what it carries, at a place, in the components that a joint holds. Unknown
are all components together; the equations are force and torque of each body.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

AXES = np.eye(3)


@dataclass(frozen=True)
class Reaction:
    """Acts on body `on` and back on body `back` (None: the ground) at `place`, in `axes` (columns).

    `torques` and `forces` are the numbers of the components, from 0.
    """

    on: int
    back: int | None
    place: np.ndarray
    axes: np.ndarray
    torques: tuple[int, ...]
    forces: tuple[int, ...]


@dataclass(frozen=True)
class Solution:
    """The shortest reactions: of each the torques, then the forces; the rank of the equations, the redundancy."""

    reactions: list[np.ndarray]
    rank: int
    redundancy: int


def least_norm(reactions: Sequence[Reaction], wrenches: Sequence[np.ndarray]) -> Solution:
    """What gives each body its wrench [torque about the world's origin; force]."""
    columns = []
    for r in reactions:
        units = [(r.axes[:, k], np.zeros(3)) for k in r.torques]
        units += [(np.cross(r.place, r.axes[:, k]), r.axes[:, k]) for k in r.forces]
        for torque, force in units:
            column = np.zeros((len(wrenches), 6))
            column[r.on] = [*torque, *force]
            if r.back is not None:
                column[r.back] -= [*torque, *force]
            columns.append(column.ravel())
    matrix, right = np.array(columns).T, np.concatenate(wrenches)
    found, _, rank, _ = np.linalg.lstsq(matrix, right, rcond=1e-10)
    assert np.abs(matrix @ found - right).max() < 1e-6 * (1 + np.abs(right).max())
    sizes = [len(r.torques) + len(r.forces) for r in reactions]
    return Solution(np.split(found, np.cumsum(sizes)[:-1]), int(rank), matrix.shape[1] - int(rank))


def needed(
    mass: float,
    inertia: np.ndarray,
    middle: np.ndarray,
    acceleration: np.ndarray,
    omega: np.ndarray,
    alpha: np.ndarray,
    gravity: np.ndarray,
) -> np.ndarray:
    """The wrench about the world's origin that moves a body (inertia about its middle, in world axes)."""
    force = mass * (acceleration - gravity)
    spin = inertia @ alpha + np.cross(omega, inertia @ omega)
    return np.concatenate([spin + np.cross(middle, force), force])


def turned(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation about a unit vector (Rodrigues)."""
    cross = np.cross(np.eye(3), axis)
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


@dataclass(frozen=True)
class Frame:
    """Rotation to world axes, place, and the motion of both; at rest in the world by default."""

    turn: np.ndarray
    place: np.ndarray
    omega: np.ndarray
    alpha: np.ndarray
    speed: np.ndarray
    acceleration: np.ndarray

    def hinge(self, axis: Sequence[float], angle: float, rate: float, second: float) -> "Frame":
        """The frame behind a hinge."""
        e = self.turn @ np.array(axis, float)
        turn = self.turn @ turned(np.array(axis, float), angle)
        alpha = self.alpha + e * second + np.cross(self.omega, e * rate)
        return Frame(turn, self.place, self.omega + e * rate, alpha, self.speed, self.acceleration)

    def at(self, place: Sequence[float], turn: np.ndarray | None = None) -> "Frame":
        """A frame fixed to this one."""
        r = self.turn @ np.array(place, float)
        spin = np.cross(self.omega, np.cross(self.omega, r))
        acceleration = self.acceleration + np.cross(self.alpha, r) + spin
        turned_frame = self.turn if turn is None else self.turn @ turn
        speed = self.speed + np.cross(self.omega, r)
        return Frame(turned_frame, self.place + r, self.omega, self.alpha, speed, acceleration)

    def needs(self, mass: float, middle: Sequence[float], inertia: Sequence[float], gravity: np.ndarray) -> np.ndarray:
        """The wrench on a body that moves with the frame."""
        center = self.at(middle)
        world = self.turn @ np.diag(inertia) @ self.turn.T
        return needed(mass, world, center.place, center.acceleration, self.omega, self.alpha, gravity)


GROUND = Frame(np.eye(3), *[np.zeros(3)] * 5)


def hinge_reaction(on: int, back: int | None, frame: Frame, axis: int) -> Reaction:
    """That of a hinge about one of the frame's axes."""
    across = tuple(k for k in range(3) if k != axis)
    return Reaction(on, back, frame.place, frame.turn, across, (0, 1, 2))
