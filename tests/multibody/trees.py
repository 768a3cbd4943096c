"""Random trees of joints and bodies: their text, and their equations of motion written otherwise.

The reference works in world coordinates with Jacobians: generalised forces = sum over bodies of
Jv^T m (a - g) + Jw^T (I alpha + w x I w), the accelerations from positions and velocities of joints alone.
A joint is a row of elementary motions, each with one velocity: a turn, a slide, both (a screw), or one of the
three turns of a ball joint, whose axes are those of the frame behind it.
"""

from dataclasses import dataclass, field, replace

import numpy as np

Array = np.ndarray
GRAVITY = np.array([0.0, 0.0, -9.81])
KINDS = ("Revolute", "Prismatic", "Screw", "Universal", "Cylindrical", "Planar", "Spherical", "Free")
SLIDE, TURN = (0.0, 1.0), (1.0, 0.0)
ELEMENTS = ((1, 1), (2, 2), (3, 3), (2, 1), (3, 1), (3, 2))


@dataclass(frozen=True)
class Joint:
    """A joint, its body and what it is attached to (-1: the inertial frame); `second` is another axis, or direction.

    With an `angle` the joint stands behind a fixed rotation about `second`.
    """

    parent: int
    kind: str
    axis: Array
    place: Array
    mass: float
    centre: Array
    inertia: Array
    second: Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0]))
    pitch: float = 0.3
    angle: float = 0.0


@dataclass(frozen=True)
class Move:
    """An elementary motion: the share of turning and of sliding in it along an axis; `inside` the frame behind."""

    axis: Array
    turn: float
    slide: float
    path: str
    inside: bool = False


def moves(joint: Joint, name: str) -> list[Move]:
    """The elementary motions of a joint, with the instance whose coordinate they are."""
    n, m = joint.axis, joint.second
    unit = np.eye(3)
    ball = [Move(unit[k], *TURN, f"{name}{'.ball' if joint.kind == 'Free' else ''}", True) for k in range(3)]
    table = {
        "Revolute": [Move(n, *TURN, name)],
        "Prismatic": [Move(n, *SLIDE, name)],
        "Screw": [Move(n, 1.0, joint.pitch, name)],
        "Universal": [Move(n, *TURN, f"{name}.first"), Move(m, *TURN, f"{name}.second")],
        "Cylindrical": [Move(n, *SLIDE, f"{name}.slide"), Move(n, *TURN, f"{name}.turn")],
        "Planar": [
            Move(m, *SLIDE, f"{name}.slide1"), Move(np.cross(n, m), *SLIDE, f"{name}.slide2"),
            Move(n, *TURN, f"{name}.turn"),
        ],
        "Spherical": ball,
        "Free": [*(Move(unit[k], *SLIDE, f"{name}.x{k + 1}") for k in range(3)), *ball],
    }  # fmt: skip
    return table[joint.kind]


def all_moves(joints: list[Joint]) -> list[tuple[int, Move]]:
    """All elementary motions in order, each with the number of its joint."""
    return [(k, move) for k, j in enumerate(joints) for move in moves(j, f"j{k + 1}")]


def parts(joints: list[Joint]) -> list[str]:
    """The instances that can be locked, each with all motions in it."""
    return list(dict.fromkeys([move.path for _, move in all_moves(joints)]))


def random_tree(seed: int, count: int, kinds: tuple[str, ...] = KINDS) -> list[Joint]:
    """A branched tree with axes along the frame's or not, general places and inertias."""
    chance = np.random.default_rng(seed)
    joints = []
    for number in range(count):
        axis, second = _pair(chance)
        spread = chance.normal(size=(3, 3))
        joints.append(
            Joint(
                parent=number - 1 if chance.random() < 0.6 else int(chance.integers(-1, number)) if number else -1,
                kind=str(chance.choice(kinds)),
                axis=axis,
                second=second,
                pitch=float(chance.uniform(-0.5, 0.5)),
                angle=float(chance.choice([0.0, 0.0, chance.uniform(-1, 1)])),
                place=chance.uniform(-1, 1, 3),
                mass=float(chance.uniform(0.5, 5)),
                centre=chance.uniform(-0.5, 0.5, 3),
                inertia=spread @ spread.T + 0.1 * np.eye(3),
            )
        )
    return joints


def _pair(chance: np.random.Generator) -> tuple[Array, Array]:
    """Two unit vectors at right angles, half of them along axes."""
    if chance.random() < 0.5:
        signs = chance.choice([-1.0, 1.0], 2)
        first, second = np.eye(3)[chance.permutation(3)[:2]]
        return signs[0] * first, signs[1] * second
    axis, other = chance.normal(size=(2, 3))
    axis = axis / np.linalg.norm(axis)
    other = other - axis * (axis @ other)
    return axis, other / np.linalg.norm(other)


# --------------------------------------------------------------------- text


def text(joints: list[Joint], library: str, locked: tuple[str, ...] = ()) -> str:
    """The model; coordinates are q1, q2, ... with w, a and forces t1, t2, ...; of ball joints a and t only.

    Each of the `locked` parts has an input lock1, lock2, ... of its own.
    """
    lines = [f"@{library}", "model Tree", "  submodel (Inertial) i(ng3=-1)"]
    for k, j in enumerate(joints, 1):
        given = _joint_arguments(j, any(path.split(".")[0] == f"j{k}" for path in locked))
        lines.append(f"  submodel ({j.kind}) j{k}" + (f"({given})" if given else ""))
        c, m = j.centre, j.inertia
        inertia = ", ".join(f"I{r}{s}={float(m[r - 1, s - 1])!r}" for r, s in ELEMENTS)
        lines.append(f"  submodel (Body) b{k}(m={j.mass!r}, {_numbers('r', c)}, {inertia})")
        before = "i" if j.parent < 0 else f"j{j.parent + 1}"
        if j.angle:
            place = f"{_numbers('r', j.place)}, {_numbers('n', j.second)}, angle={j.angle!r}"
            lines.append(f"  submodel (Fixed) f{k}({place})\n  connect {before} to f{k}")
            before = f"f{k}"
        lines.append(f"  connect {before} to j{k}")
        lines.append(f"  connect b{k} at j{k}")
    for i, (k, move) in enumerate(all_moves(joints), 1):
        if move.inside:
            number = 1 + int(np.argmax(move.axis))
            lines.append(f"  local a{i}, t{i}\n  a{i} = {move.path}.wd[{number}]\n  {move.path}.t{number} = t{i}")
        else:
            lines.append(f"  cut c{i} (q{i}, w{i}, a{i} / t{i})\n  connect c{i} at {_axis_cut(joints[k], move)}")
    lines += [f"  input lock{i}\n  {path}.lock = lock{i}" for i, path in enumerate(locked, 1)]
    return "\n".join([*lines, "end", ""])


def _joint_arguments(j: Joint, lockable: bool) -> str:
    given = ["lockable=true"] if lockable else []
    given += [] if j.angle else [_numbers("r", j.place)]
    if j.kind not in ("Spherical", "Free"):
        given.append(_numbers("n", j.axis))
    if j.kind in ("Universal", "Planar"):
        given.append(_numbers("m", j.second))
    if j.kind == "Screw":
        given.append(f"pitch={j.pitch!r}")
    return ", ".join(given)


def _numbers(letter: str, values: Array) -> str:
    return ", ".join(f"{letter}{k}={float(x)!r}" for k, x in enumerate(values, 1))


def _axis_cut(joint: Joint, move: Move) -> str:
    name, _, part = move.path.partition(".")
    outside = {"first": "Axis1", "second": "Axis2", "slide": "Slide", "slide1": "Slide1", "slide2": "Slide2"}
    if joint.kind == "Free":
        return f"{name}.{part}:Axis"
    return f"{name}:{outside.get(part, 'Axis')}"


# ---------------------------------------------------------------- reference


@dataclass(frozen=True)
class State:
    """Coordinates, velocities, and rotations of the ball joints: quaternions by joint number."""

    q: Array
    w: Array
    quaternions: dict[int, Array]


def random_state(joints: list[Joint], seed: int) -> State:
    """A state away from the one in which all frames are parallel."""
    chance = np.random.default_rng(seed)
    count = len(all_moves(joints))
    balls = [k for k, j in enumerate(joints) if j.kind in ("Spherical", "Free")]
    quaternions = {k: x / np.linalg.norm(x) for k, x in zip(balls, chance.normal(size=(len(balls), 4)), strict=True)}
    return State(chance.uniform(-2, 2, count), chance.uniform(-2, 2, count), quaternions)


@dataclass(frozen=True)
class Kinematics:
    """A frame in world coordinates."""

    turn: Array
    place: Array
    omega: Array
    velocity: Array
    alpha: Array
    acceleration: Array


Lever = tuple[int, Array, Array, Array]
"""A motion's number, its turning and sliding for each unit of velocity, and a point of its axis."""


def torques(joints: list[Joint], state: State, a: Array) -> Array:
    """Generalised forces for a motion."""
    return _work(joints, state, a)[0]


def mass_matrix(joints: list[Joint], state: State) -> Array:
    """By columns: forces for unit accelerations less those for none, at rest and without weight's change."""
    none = np.zeros(len(state.w))
    still = State(state.q, none, state.quaternions)
    weight = torques(joints, still, none)
    return np.array([torques(joints, still, unit) - weight for unit in np.eye(len(none))]).T


def power(joints: list[Joint], state: State, a: Array) -> float:
    """Rate of kinetic and potential energy."""
    return _work(joints, state, a)[1]


def wrenches(joints: list[Joint], state: State, a: Array) -> Array:
    """Torque and force on each joint's frame for all that hangs there, about its origin, in its axes."""
    frames, _ = _kinematics(joints, state, a)
    found = np.zeros((len(joints), 6))
    for k, frame in enumerate(frames):
        body, force, moment = _inertia(joints[k], frame)
        at: int = k
        while at >= 0:
            turn, arm = frames[at].turn, body.place - frames[at].place
            found[at] += np.concatenate([turn.T @ (moment + np.cross(arm, force)), turn.T @ force])
            at = joints[at].parent
    return found


def _work(joints: list[Joint], state: State, a: Array) -> tuple[Array, float]:
    frames, levers = _kinematics(joints, state, a)
    result, rate = np.zeros(len(a)), 0.0
    for j, frame, axes in zip(joints, frames, levers, strict=True):
        body, force, moment = _inertia(j, frame)
        rate += force @ body.velocity + moment @ body.omega
        for i, turning, sliding, point in axes:
            result[i] += turning @ moment + (sliding + np.cross(turning, body.place - point)) @ force
    return result, rate


def _inertia(j: Joint, frame: Kinematics) -> tuple[Kinematics, Array, Array]:
    """A joint's body at its centre, and the force and the moment that move it."""
    body = _shifted(frame, frame.turn @ j.centre)
    inertia = frame.turn @ j.inertia @ frame.turn.T
    moment = inertia @ body.alpha + np.cross(body.omega, inertia @ body.omega)
    return body, j.mass * (body.acceleration - GRAVITY), moment


def _kinematics(joints: list[Joint], state: State, a: Array) -> tuple[list[Kinematics], list[list[Lever]]]:
    """The frame of each joint, and the motions it takes part in."""
    base = Kinematics(np.eye(3), *(np.zeros(3) for _ in range(5)))
    frames: list[Kinematics] = []
    levers: list[list[Lever]] = []
    at = 0
    for k, j in enumerate(joints):
        frame = base if j.parent < 0 else frames[j.parent]
        axes = [] if j.parent < 0 else list(levers[j.parent])
        frame = _shifted(frame, frame.turn @ j.place)
        frame = replace(frame, turn=frame.turn @ rotation(j.second, j.angle))
        own = moves(j, "")
        balls = [m for m in own if m.inside]
        for number, move in enumerate(m for m in own if not m.inside):
            i = at + number
            frame, n = _moved(frame, move, state.q[i], state.w[i], a[i])
            axes.append((i, n * move.turn, n * move.slide, frame.place))
        if balls:
            first = at + len(own) - 3
            frame = _balled(frame, state.quaternions[k], state.w[first : first + 3], a[first : first + 3])
            axes += [(first + m, frame.turn[:, m], np.zeros(3), frame.place) for m in range(3)]
        at += len(own)
        frames.append(frame)
        levers.append(axes)
    return frames, levers


def _shifted(f: Kinematics, arm: Array) -> Kinematics:
    inward = np.cross(f.omega, np.cross(f.omega, arm))
    velocity, acceleration = f.velocity + np.cross(f.omega, arm), f.acceleration + np.cross(f.alpha, arm) + inward
    return Kinematics(f.turn, f.place + arm, f.omega, velocity, f.alpha, acceleration)


def _moved(f: Kinematics, move: Move, q: float, w: float, a: float) -> tuple[Kinematics, Array]:
    n = f.turn @ move.axis
    f = _shifted(f, n * move.slide * q)
    push, rate = n * move.slide, n * move.turn
    acceleration = f.acceleration + push * a + 2 * np.cross(f.omega, push) * w
    alpha = f.alpha + rate * a + np.cross(f.omega, rate) * w
    turn = f.turn @ rotation(move.axis, q) if move.turn else f.turn
    return Kinematics(turn, f.place, f.omega + rate * w, f.velocity + push * w, alpha, acceleration), n


def _balled(f: Kinematics, quaternion: Array, w: Array, a: Array) -> Kinematics:
    c, u = quaternion[0], quaternion[1:]
    angle = 2 * np.arctan2(np.linalg.norm(u), c)
    turn = f.turn @ rotation(u / np.linalg.norm(u), angle)
    alpha = f.alpha + turn @ a + np.cross(f.omega, turn @ w)
    return Kinematics(turn, f.place, f.omega + turn @ w, f.velocity, alpha, f.acceleration)


def rotation(axis: Array, angle: float) -> Array:
    """The rotation about a unit vector."""
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k
