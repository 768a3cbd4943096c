"""Motions and wrenches of a run, row by row, in axes of the frames."""

from typing import TYPE_CHECKING

import numpy as np

from acausal.ir.names import show_name
from acausal.mechanism.model import Joint, MassElement, Mechanism, RigidLink

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.result import Result


class RunColumns:
    """Columns of a run: vectors are N x 3 or N x 6, rotation matrices N x 3 x 3, for its N rows."""

    def __init__(self, mechanism: Mechanism, result: "Result") -> None:
        self._mechanism = mechanism
        self._result = result
        self.time = result.time

    def vector(self, name: str, size: int = 6) -> "Array":
        """The elements of a vector."""
        return np.column_stack([self._result[f"{name}[{i}]"] for i in range(1, size + 1)])

    def rotation(self, frame: int) -> "Array":
        """Components in a frame to inertial ones."""
        name = self._mechanism.frames[frame].name
        rows = [[self._result[f"{name}.T[{i},{k}]"] for k in (1, 2, 3)] for i in (1, 2, 3)]
        return np.moveaxis(np.array(rows), 2, 0)

    def place(self, frame: int) -> "Array":
        """The origin of a frame [m], in inertial axes."""
        return self.vector(f"{self._mechanism.frames[frame].name}.r", 3)

    def velocity(self, frame: int) -> "Array":
        """Angular and linear velocity of a frame [rad/s, m/s]."""
        if self._mechanism.frames[frame].link is None:
            return np.zeros((len(self.time), 6))
        return self.vector(f"{self._mechanism.frames[frame].name}.v")

    def acceleration(self, frame: int) -> "Array":
        """Acceleration of a frame, less that of gravity [rad/s2, m/s2]."""
        if self._mechanism.frames[frame].link is None:
            rest = np.concatenate([np.zeros(3), -np.array(self._mechanism.gravity)])
            return np.tile(rest, (len(self.time), 1))
        return self.vector(f"{self._mechanism.frames[frame].name}.a")

    def after(self, link: Joint | RigidLink) -> "Array":
        """Torque and force on the frame of a link."""
        return self.vector(f"{link.name}.f")

    def before(self, link: Joint | RigidLink) -> "Array":
        """The same wrench in axes and about the origin of the reference frame: what the link takes from there."""
        first, second = self.rotation(link.reference), self.rotation(link.frame)
        turned = np.einsum("nji,njk->nik", first, second)
        way = np.einsum("nji,nj->ni", first, self.place(link.frame) - self.place(link.reference))
        wrench = self.after(link)
        torque = np.einsum("nij,nj->ni", turned, wrench[:, :3])
        force = np.einsum("nij,nj->ni", turned, wrench[:, 3:])
        return np.hstack([torque + np.cross(way, force), force])

    def of_body(self, element: MassElement) -> "Array":
        """Torque and force that the motion of a mass element takes, gravity included (Newton and Euler)."""
        velocity, acceleration = self.velocity(element.frame), self.acceleration(element.frame)
        w, al = velocity[:, :3], acceleration[:, :3]
        center, inertia = np.array(element.center), np.array(element.inertia)
        force = element.mass * (acceleration[:, 3:] + np.cross(al, center) + np.cross(w, np.cross(w, center)))
        torque = al @ inertia.T + np.cross(w, w @ inertia.T)
        return np.hstack([torque + np.cross(center, force), force])

    def effort_power(self, joint: Joint) -> "Array":
        """Power of what drives a joint [W]."""
        found = np.zeros(len(self.time))
        for effort, rate in zip(joint.efforts, joint.rates, strict=True):
            found += self._result[show_name(effort)] * self._result[show_name(rate)]
        return found
