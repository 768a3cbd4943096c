"""Random trees of joints and bodies: their text, and their equations of motion written otherwise.

The reference works in world coordinates with Jacobians: torques = sum over bodies of
Jv^T m (a - g) + Jw^T (I alpha + w x I w), the accelerations from positions and velocities of joints alone.
"""

from dataclasses import dataclass

import numpy as np

Array = np.ndarray
GRAVITY = np.array([0.0, 0.0, -9.81])


@dataclass(frozen=True)
class Joint:
    """A joint, its body and what it is attached to (-1: the inertial frame)."""

    parent: int
    sliding: bool
    axis: Array
    place: Array
    mass: float
    centre: Array
    inertia: Array


def random_tree(seed: int, count: int) -> list[Joint]:
    """A branched tree with general axes, places and inertias."""
    chance = np.random.default_rng(seed)
    joints = []
    for number in range(count):
        axis = chance.normal(size=3)
        spread = chance.normal(size=(3, 3))
        joints.append(
            Joint(
                parent=number - 1 if chance.random() < 0.7 else int(chance.integers(-1, number)) if number else -1,
                sliding=bool(chance.random() < 0.25),
                axis=axis / np.linalg.norm(axis),
                place=chance.uniform(-1, 1, 3),
                mass=float(chance.uniform(0.5, 5)),
                centre=chance.uniform(-0.5, 0.5, 3),
                inertia=spread @ spread.T + 0.1 * np.eye(3),
            )
        )
    return joints


def text(joints: list[Joint], library: str) -> str:
    """The model; torques are t1, t2, ..., angles q1, q2, ..."""
    lines = [f"@{library}", "model Tree", "  submodel (Inertial) i(ng3=-1)"]
    for k, j in enumerate(joints, 1):
        kind = "Prismatic" if j.sliding else "Revolute"
        n, r, c, m = j.axis, j.place, j.centre, j.inertia
        lines.append(
            f"  submodel ({kind}) j{k}(n1={n[0]!r}, n2={n[1]!r}, n3={n[2]!r}, r1={r[0]!r}, r2={r[1]!r}, r3={r[2]!r})"
        )
        lines.append(
            f"  submodel (Body) b{k}(m={j.mass!r}, r1={c[0]!r}, r2={c[1]!r}, r3={c[2]!r}, I11={m[0, 0]!r}, "
            f"I22={m[1, 1]!r}, I33={m[2, 2]!r}, I21={m[1, 0]!r}, I31={m[2, 0]!r}, I32={m[2, 1]!r})"
        )
        lines.append(f"  cut c{k} (q{k}, w{k}, a{k} / t{k})")
        lines.append(f"  connect {'i' if j.parent < 0 else f'j{j.parent + 1}'} to j{k}")
        lines.append(f"  connect b{k} at j{k}")
        lines.append(f"  connect c{k} at j{k}:Axis")
    return "\n".join([*lines, "end", ""]).replace("np.float64(", "").replace("),", ",").replace("))", ")")


def torques(joints: list[Joint], q: Array, w: Array, a: Array) -> Array:
    """Generalised forces for a motion, in world coordinates."""
    count = len(joints)
    turn, place = [np.eye(3)] * count, [np.zeros(3)] * count
    omega, alpha = [np.zeros(3)] * count, [np.zeros(3)] * count
    velocity, acceleration = [np.zeros(3)] * count, [np.zeros(3)] * count
    axes = [np.zeros(3)] * count
    result = np.zeros(count)
    for k, j in enumerate(joints):
        p = j.parent
        base = (np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3))
        if p >= 0:
            base = (turn[p], place[p], omega[p], alpha[p], velocity[p], acceleration[p])
        t0, r0, w0, al0, v0, a0 = base
        axes[k] = n = t0 @ j.axis
        arm = t0 @ (j.place + (j.axis * q[k] if j.sliding else 0.0))
        place[k] = r0 + arm
        turn[k] = t0 if j.sliding else t0 @ _rotation(j.axis, q[k])
        rate, push = (np.zeros(3), n * w[k]) if j.sliding else (n * w[k], np.zeros(3))
        omega[k] = w0 + rate
        alpha[k] = al0 + np.cross(w0, rate) + (0.0 if j.sliding else n * a[k])
        velocity[k] = v0 + np.cross(w0, arm) + push
        acceleration[k] = a0 + np.cross(al0, arm) + np.cross(w0, np.cross(w0, arm)) + 2 * np.cross(w0, push)
        if j.sliding:
            acceleration[k] = acceleration[k] + n * a[k]
    for k, j in enumerate(joints):
        arm = turn[k] @ j.centre
        centre = acceleration[k] + np.cross(alpha[k], arm) + np.cross(omega[k], np.cross(omega[k], arm))
        inertia = turn[k] @ j.inertia @ turn[k].T
        force = j.mass * (centre - GRAVITY)
        moment = inertia @ alpha[k] + np.cross(omega[k], inertia @ omega[k])
        up = k
        while up >= 0:
            lever = place[k] + arm - place[up]
            joint = joints[up]
            result[up] += axes[up] @ (force if joint.sliding else moment + np.cross(lever, force))
            up = joint.parent
    return result


def _rotation(axis: Array, angle: float) -> Array:
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k
