"""A Stewart platform: the lengths of its legs in closed form, their forces by virtual work on a tree of joints.

The reference (`trees.torques`) gives generalised forces of the open tree; what the balls do falls out when these are
summed along motions in which the legs follow the platform.
"""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import Severity
from acausal.cli import main
from acausal.pipeline import translate
from tests.multibody.trees import Joint, State, torques

EXAMPLE = Path(__file__).parents[2] / "examples" / "stewart.mdl"
POSE = ("x.q", "y.q", "z.q", "yaw.q", "pitch.q", "roll.q")
FOOT = np.radians([-10, 10, 110, 130, 230, 250])
EYE = np.radians([-50, 50, 70, 170, 190, 290])
UP, ZERO = np.array([0.0, 0.0, 1.0]), np.zeros(3)
FEET = np.array([np.cos(FOOT), np.sin(FOOT), 0 * FOOT]).T
EYES = 0.6 * np.array([np.cos(EYE), np.sin(EYE), 0 * EYE]).T
HOME = EYES + UP - FEET
LENGTH = np.linalg.norm(HOME, axis=1)


def _turned(yaw: float, pitch: float, roll: float) -> np.ndarray:
    (a, b, c), (d, e, f) = np.cos([yaw, pitch, roll]), np.sin([yaw, pitch, roll])
    about3, about2 = np.array([[a, -d, 0], [d, a, 0], [0, 0, 1]]), np.array([[b, 0, e], [0, 1, 0], [-e, 0, b]])
    return np.asarray(about3 @ about2 @ np.array([[1, 0, 0], [0, c, -f], [0, f, c]]))


def _legs(pose: np.ndarray) -> np.ndarray:
    """For each leg the two angles of its cross joint (about 1, then about 2) and how far it is drawn out.

    Rx(a) Ry(b) u = s/|s| for the direction u of the leg at home and s from its foot to its eye.
    """
    way = pose[:3] + UP + EYES @ _turned(*pose[3:]).T - FEET
    length = np.linalg.norm(way, axis=1)
    u, s = HOME / LENGTH[:, None], way / length[:, None]
    b = np.arcsin(s[:, 0] / np.hypot(u[:, 0], u[:, 2])) - np.arctan2(u[:, 0], u[:, 2])
    a = np.arctan2(s[:, 2], s[:, 1]) - np.arctan2(u[:, 2] * np.cos(b) - u[:, 0] * np.sin(b), u[:, 1])
    return np.stack([(a + np.pi) % (2 * np.pi) - np.pi, b, length - LENGTH], axis=1)


def _all(pose: np.ndarray) -> np.ndarray:
    return np.concatenate([pose, _legs(pose).ravel()])


def _tree() -> list[Joint]:
    """Platform on six joints, then each leg on a cross joint and a slide."""
    none = np.zeros((3, 3))
    axes = np.eye(3)
    chain = [("Prismatic", 0, ZERO), ("Prismatic", 1, ZERO), ("Prismatic", 2, UP)]
    chain += [("Revolute", 2, ZERO), ("Revolute", 1, ZERO), ("Revolute", 0, ZERO)]
    joints = [Joint(k - 1, kind, axes[n], at, 0.0, ZERO, none) for k, (kind, n, at) in enumerate(chain)]
    joints[5] = Joint(4, "Revolute", axes[0], ZERO, 20.0, ZERO, np.diag([0.9, 0.9, 1.8]))
    for foot, way, length in zip(FEET, HOME, LENGTH, strict=True):
        u = way / length
        mass = [7700 * np.pi * 0.5 * radius**2 for radius in (0.02, 0.01)]
        barrel, rod = (
            m / 12 * ((3 * r**2 + 0.25) * np.eye(3) + (3 * r**2 - 0.25) * np.outer(u, u))
            for m, r in zip(mass, (0.02, 0.01), strict=True)
        )
        joints.append(Joint(-1, "Universal", axes[0], foot, mass[0], way / 4, barrel, axes[1]))
        joints.append(Joint(len(joints) - 1, "Prismatic", u, ZERO, mass[1], 3 * way / 4, rod))
    return joints


def _forces(pose: np.ndarray, speed: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
    """Forces of the motors for a motion of the platform."""
    h = 1e-3

    def along(s: float) -> np.ndarray:
        return _all(pose + s * speed + s**2 / 2 * acceleration)

    a, b, c, d, e = (along(k * h) for k in (-2, -1, 0, 1, 2))
    w, wd = (a - 8 * b + 8 * d - e) / (12 * h), (-a + 16 * b - 30 * c + 16 * d - e) / (12 * h**2)
    slopes = [(_all(pose + 1e-6 * x) - _all(pose - 1e-6 * x)) / 2e-6 for x in np.eye(6)]
    needed = torques(_tree(), State(c, w, {}), wd)
    return np.linalg.solve(np.array(slopes)[:, 8::3], np.array(slopes) @ needed)


def test_servos_move_a_platform() -> None:
    """Six degrees of freedom, twelve states; of the mechanism one system is left, of the 18 forces in the balls."""
    assert main(["fmt", "--check", str(EXAMPLE)]) == 0
    made = translate(EXAMPLE)
    assert all(d.severity is Severity.NOTE for d in made.report.diagnostics)
    assert made.statistics["states"] == 12
    assert max(torn for _, torn in made.statistics["linear_blocks"]) == 18  # type: ignore[attr-defined]
    assert [torn for _, torn in made.statistics["nonlinear_blocks"]] == 6 * [3]  # type: ignore[attr-defined]
    r = made.simulate()
    for row in range(5, len(r.time), 80):
        pose, w, wd = (np.array([r[f"{x[:-1]}{q}"][row] for x in POSE]) for q in ("q", "w", "wd"))
        legs = [[r[f"leg[{k}].{x}.q"][row] for x in ("joint.first", "joint.second", "slide")] for k in range(1, 7)]
        assert np.abs(legs - _legs(pose)).max() < 1e-9
        forces = np.array([r[f"F[{k}]"][row] for k in range(1, 7)])
        assert np.abs(forces - _forces(pose, w, wd)).max() < 1e-5 * np.abs(forces).max()
    gap = [r[f"leg[{k}].ball.ra[{n}]"] - r[f"leg[{k}].ball.rb[{n}]"] for k in range(1, 7) for n in (1, 2, 3)]
    assert np.abs(gap).max() < 1e-9


def _asked(library: str) -> str:
    """The example without servos: the pose is known, the forces are sought."""
    text = EXAMPLE.read_text(encoding="utf-8").replace("@mbsdir", f"@{library}")
    head, _, tail = text.partition("  local wanted")
    body = "".join(f"  leg[{k}].motor.force = F{k}\n" for k in range(1, 7))
    given = ", ".join(f"p{k} = {x}" for k, x in enumerate(POSE, 1))
    connect = tail[tail.index("  connect base") : tail.index("    F[k]")]
    names = ", ".join(f"F{k}" for k in range(1, 7))
    return f"{head}  output {given}\n  input {names}\n{connect}  endfor\n{body}end\n"


@pytest.mark.parametrize("library", ["mbsinv", "mbsdir"])
def test_forces_for_a_motion_of_the_platform(tmp_path: Path, library: str) -> None:
    """No states; legs are found from the pose one by one, then the forces: 18 unknowns are left after tearing."""
    file = tmp_path / "m.mdl"
    file.write_text(_asked(library), encoding="utf-8")
    numbers = range(1, 7)
    made = translate(file, known=[f"p{k}" for k in numbers], unknown=[f"F{k}" for k in numbers])
    statistics = made.statistics
    assert statistics["states"] == 0
    assert [torn for _, torn in statistics["nonlinear_blocks"]] == 6 * [3]  # type: ignore[attr-defined]
    assert max(torn for _, torn in statistics["linear_blocks"]) == 18  # type: ignore[attr-defined]
    size, rate = np.array([0.1, 0.05, 0.1, 0.2, 0.15, 0.1]), np.array([3, 4, 5, 2, 4, 1.0])
    given = {f"p{k}": f"{a}*sin({w}*time)" for k, a, w in zip(numbers, size, rate, strict=True)}
    r = made.simulate(stop=1.2, interval=0.3, inputs=given)
    for row, time in enumerate(r.time):
        pose, w, wd = (
            size * np.sin(rate * time),
            size * rate * np.cos(rate * time),
            -size * rate**2 * np.sin(rate * time),
        )
        forces = _forces(pose, w, wd)
        assert [r[f"F{k}"][row] for k in numbers] == pytest.approx(forces, abs=1e-6 * np.abs(forces).max())
