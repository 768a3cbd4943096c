"""Random trees of hinges and bodies in space, and the same tree in a world that is turned round."""

from dataclasses import dataclass
from random import Random

import numpy as np

from tests.equivalent.pair import Pair
from tests.equivalent.words import Numbers, new_name, shuffled

STOP = 0.5


@dataclass(frozen=True, slots=True)
class Hinge:
    """A hinge on hinge `parent` (-1: the world) at r, about the axis n, with a body at its frame."""

    parent: int
    axis: np.ndarray
    place: np.ndarray
    centre: np.ndarray
    mass: float
    inertia: float
    angle: float
    speed: float
    damping: float


def _vector(rng: Random, length: float) -> np.ndarray:
    found = np.array([rng.gauss(0, 1) for _ in range(3)])
    return length * found / np.linalg.norm(found)


def random_tree(rng: Random) -> list[Hinge]:
    """One to four hinges."""
    return [
        Hinge(
            rng.randint(-1, k - 1),
            _vector(rng, 1.0),
            _vector(rng, rng.uniform(0.2, 1)) if k else np.zeros(3),
            _vector(rng, rng.uniform(0.2, 0.8)),
            round(rng.uniform(0.5, 3), 3),
            round(rng.uniform(0.05, 0.3), 3),
            round(rng.uniform(-1, 1), 3),
            round(rng.uniform(-2, 2), 3),
            round(rng.uniform(0.05, 0.5), 3) if rng.random() < 0.4 else 0.0,
        )
        for k in range(rng.randint(1, 4))
    ]


def _rotation(rng: Random) -> np.ndarray:
    q, _ = np.linalg.qr(np.array([[rng.gauss(0, 1) for _ in range(3)] for _ in range(3)]))
    return q * np.sign(np.linalg.det(q))


def text(rng: Random, tree: list[Hinge], turn: np.ndarray, *, other: bool) -> tuple[str, list[str]]:
    """The model with all vectors turned, and the names of its hinges; in `other` words if wished."""
    used = {"i", "M", "q", "w"}
    numbers = Numbers(rng, used, rng.choice((0.0, 0.5)) if other else 0.0)

    def given(names: str, vector: np.ndarray) -> str:
        parts = [f"{names}{i + 1}={numbers.text(float(x))}" for i, x in enumerate(turn @ vector) if x]
        return ", ".join(parts)

    def name(plain: str) -> str:
        return new_name(rng, used) if other else plain

    world, hinges = name("i"), [name(f"j{k}") for k in range(len(tree))]
    gravity = given("ng", np.array([0.0, -1.0, 0.0]))
    declared, connects = [f"submodel (Inertial) {world}({gravity})"], []
    for k, hinge in enumerate(tree):
        below, offset = hinges[hinge.parent] if hinge.parent >= 0 else world, hinge.place
        if other and offset.any() and rng.random() < 0.5:
            bar = name(f"a{k}")
            declared.append(f"submodel (Bar) {bar}({given('r', offset)})")
            connects.append(f"connect {below} to {bar}")
            below, offset = bar, np.zeros(3)
        place = f", {given('r', offset)}" if offset.any() else ""
        start = f"(ic q={numbers.text(hinge.angle)}, w={numbers.text(hinge.speed)})"
        declared.append(f"submodel (Revolute) {hinges[k]}({given('n', hinge.axis)}{place}) {start}")
        connects.append(f"connect {below} to {hinges[k]}")
        shares = [1.0] if not (other and rng.random() < 0.4) else [0.3, 0.7]
        for number, share in enumerate(shares):
            body = name(f"b{k}_{number}")
            inertia = ", ".join(f"I{x}{x}={numbers.text(hinge.inertia * share)}" for x in (1, 2, 3))
            declared.append(
                f"submodel (Body) {body}(m={numbers.text(hinge.mass * share)}, {given('r', hinge.centre)}, {inertia})"
            )
            connects.append(f"connect {body} at {hinges[k]}")
        if hinge.damping:
            damper, wall = name(f"d{k}"), name(f"f{k}")
            declared += [f"submodel (damper) {damper}(d={numbers.text(hinge.damping)})", f"submodel (fixed) {wall}"]
            connects.append(f"connect {wall} to {damper}, {damper}:B at {hinges[k]}:Axis")
    lines = shuffled(rng, numbers.lines + declared + connects, other)
    body_text = "".join(f"  {line}\n" for line in lines)
    return f"@mbsdir.lib\n@rotational.lib\nmodel M\n{body_text}end\n", hinges


def a_mechanism(rng: Random) -> Pair:
    """A tree, and the same one in a turned world and other words."""
    tree = random_tree(rng)
    first, ours = text(rng, tree, np.eye(3), other=False)
    second, theirs = text(rng, tree, _rotation(rng) if rng.random() < 0.7 else np.eye(3), other=True)
    same = {f"{a}.{x}": ((1.0, f"{b}.{x}"),) for a, b in zip(ours, theirs, strict=True) for x in ("q", "w")}
    return Pair(first, second, same, STOP)
