"""Springs, dampers, rods and cut joints between two frames, and arrows of forces and torques."""

from typing import TYPE_CHECKING

from acausal.results.animation import mechanism
from acausal.results.animation.geometry.scene import Arrow, Form, Part
from acausal.results.animation.instances import Instance
from acausal.results.animation.kinds import vector
from acausal.results.animation.tracks import ORIGIN

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.animation.tracks import Tracks

LARGEST = 1e100
NEGLIGIBLE = 1e-9
"""Of the largest force or torque of a scene: smaller ones have no arrows."""


def between(instance: Instance, tracks: "Tracks", ends: tuple[int, int], size: float) -> list[Part]:
    """Parts that show a force between two frames; none where its arrows suffice."""
    first, second = ends
    if instance.has("along[1]") or instance.has("length", "s[1]"):
        form, wide, color = _line(instance)
        track = tracks.between(first, second)
        lengths = tracks.tracks[track].lengths
        assert lengths is not None
        aspect = wide * size / max(float(lengths[0, 0]), wide * size)
        sizes = (1.0, wide * size, wide * size)
        return [Part(instance.name, "spring", form, track, sizes, color, (0.5, 0.0, 0.0), aspect=aspect)]
    if instance.has("touch[1]", "radius"):
        wide = 2 * instance.number("radius")
        return mechanism.disc(instance.name, second, mechanism.direction(instance), ORIGIN, (0.1 * wide, wide))
    if instance.has("angle", "n[1]"):
        turn = mechanism.hinge("", second, mechanism.direction(instance), size).turn
        length, wide = 2 * mechanism.HINGE * size, 2 * mechanism.HINGE * size
        return [Part(instance.name, "spring", "spring", second, (length, wide, wide), mechanism.OCHER, turn=turn)]
    if instance.has("am[1]", "fraction"):
        share = instance.number("fraction")
        return [mechanism.ball(instance.name, tracks.share(first, second, share), size)]
    if instance.has("P[1,1]", "n1", "sd[1]"):
        return mechanism.slide(instance, tracks, ends, size)
    if instance.has("P[1,1]", "n1"):
        return [mechanism.hinge(instance.name, first, mechanism.direction(instance), size)]
    return [mechanism.ball(instance.name, second, size)] if instance.has("f[1]") else []


def _line(instance: Instance) -> tuple[Form, float, tuple[float, float, float]]:
    """Form, diameter and color of what stretches along a line: by its stiffness c and damping d."""
    if instance.has("c"):
        return "spring", 2 * mechanism.HINGE, mechanism.OCHER
    if instance.has("d"):
        return "cylinder", 1.2 * mechanism.HINGE, mechanism.GRAY
    return "cylinder", mechanism.THIN, mechanism.STEEL_BLUE


def arrows(instance: Instance, tracks: "Tracks", ends: tuple[int, ...], rows: "Array") -> list[Arrow]:
    """The force and torque of each wrench of an instance, in axes of the inertial frame; zero where not finite."""
    import numpy as np

    found = []
    for name, end in instance.kind.wrenches:
        if not instance.has(*vector(name, 6)):
            continue
        wrench = instance.rows(vector(name, 6))[rows]
        wrench = np.where(np.abs(wrench) < LARGEST, wrench, 0.0)
        reaction = instance.kind.name == "link"
        label = instance.name if len(instance.kind.wrenches) == 1 else f"{instance.name}.{name}"
        torque, force = [tracks.in_world(ends[end], x) for x in (wrench[:, :3], wrench[:, 3:])]
        names = tuple([f"{instance.name}.{x}" for x in vector(name, 6)])
        found.append(Arrow(label, "force", reaction, ends[end], force, names[3:]))
        found.append(Arrow(label, "torque", reaction, ends[end], torque, names[:3]))
    return found


def noticeable(arrows: list[Arrow]) -> tuple[Arrow, ...]:
    """The arrows that are not zero throughout."""
    import numpy as np

    most = {kind: max([float(np.abs(a.vectors).max()) for a in arrows if a.kind == kind], default=0.0) for kind in
            ("force", "torque")}  # fmt: skip
    return tuple([a for a in arrows if np.abs(a.vectors).max() > NEGLIGIBLE * most[a.kind]])
