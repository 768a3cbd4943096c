"""Shapes of a result in a picture: the instances of the class Shape (stdlib/mbs_forces.inc) and how they move.

A result knows no classes. An instance is a Shape where all variables of the class are there, `drawn` among them,
which the class has for this purpose and whose value is the number of its kind.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.trajectories import Trajectories

KINDS = {1: "box", 2: "cylinder", 3: "sphere"}
MARK = ".drawn"
SIZE = ("length", "width", "height")
COLOR = ("red", "green", "blue")
POSE = (*[f"s[{i}]" for i in (1, 2, 3)], *[f"R[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3)])
GRAVITY = ("ng1", "ng2", "ng3")
RATE = 30
"""Frames for a second of the picture."""
SHORTEST, LONGEST = 2.0, 60.0
"""Seconds that a picture lasts at least and at most; between them it lasts as long as what it shows."""
MOST = 3000
"""Frames, with those of events."""
HINT = 'submodel (Shape) NAME(kind="cylinder", length=1), connected at a frame, draws one; see mbs_forces.inc'
PRUNED = "--outputs omits the position of {0}: add {0}.s and {0}.R, or drop --outputs"


@dataclass(frozen=True, slots=True)
class MovingShape:
    """A shape; its `poses` are a row a frame, or one row where it rests.

    `size`: length, width, height in m; `color`: red, green, blue from 0 to 1. A pose: the middle in m and the
    rotation matrix row by row, whose columns are the directions of length, width and height.
    """

    name: str
    kind: str
    size: tuple[float, ...]
    color: tuple[float, ...]
    poses: "Array"


@dataclass(frozen=True, slots=True)
class Scene:
    """All shapes at the instants `time` (s), which `seconds` of the picture show; `up` is against gravity."""

    time: "Array"
    seconds: float
    shapes: tuple[MovingShape, ...]
    up: tuple[float, ...]


def scene_of(result: "Trajectories") -> Scene:
    """The frames of a result.

    Each is a row: about `RATE` for a second of the picture, the first, the last, and both sides of every event, as
    long as these are not more than `MOST`. Rows that are not finite are left out.
    UsageError F015 where the result has no shape or no such row.
    """
    import numpy as np

    kinds = _kinds(result)
    good = np.full(len(result.time), bool(kinds))
    for name in kinds:
        for part in (*POSE, *SIZE, *COLOR):
            good &= np.isfinite(result[f"{name}.{part}"])
    finite = np.flatnonzero(good)
    if not len(finite):
        raise UsageError(Diagnostic("F015", f"nothing to animate: no row of {result.name} can be drawn"))
    chosen = finite[frames(result.time[finite])]
    shapes = tuple([_shape(result, name, kind, chosen) for name, kind in kinds.items()])
    time = result.time[chosen]
    return Scene(time, _seconds(time), shapes, _up(result))


def variables(result: "Trajectories") -> tuple[str, ...]:
    """All variables that a picture needs."""
    return tuple([f"{name}.{part}" for name in shape_names(result) for part in (*POSE, *SIZE, *COLOR)])


def drawable(result: "Trajectories") -> bool:
    """True if `scene_of` has a row to show."""
    try:
        return bool(scene_of(result).shapes)
    except UsageError:
        return False


def shape_names(result: "Trajectories") -> tuple[str, ...]:
    """The instances of Shape, in the order of the model; UsageError F015 where there is none."""
    marked = [name.removesuffix(MARK) for name in result.parameters if name.endswith(MARK)]
    still = [name for name in marked if all(f"{name}.{part}" in result for part in (*SIZE, *COLOR))]
    found = tuple([name for name in still if all(f"{name}.{part}" in result for part in POSE)])
    if not found:
        hint = PRUNED.format(still[0]) if still else HINT
        raise UsageError(Diagnostic("F015", f"nothing to animate: {result.name} contains no Shape", help=hint))
    return found


def frames(time: "Array") -> "Array":
    """The rows that become frames; `time` has a row at least."""
    import numpy as np

    grid = np.linspace(time[0], time[-1], int(RATE * _seconds(time)) + 1)
    even = np.searchsorted(time, grid - 1e-9 * (time[-1] - time[0]))
    before = np.flatnonzero(np.diff(time) == 0)
    rows = np.unique(np.concatenate([[0, len(time) - 1], even, before, before + 1]))
    if len(rows) > MOST:
        rows = rows[np.linspace(0, len(rows) - 1, MOST).round().astype(int)]
    return rows


def _seconds(time: "Array") -> float:
    return min(max(float(time[-1] - time[0]), SHORTEST), LONGEST)


def _kinds(result: "Trajectories") -> dict[str, str]:
    """The kind of each shape; those without a known kind, for which runs fail, are left out."""
    numbers = {name: int(result.column(f"{name}{MARK}").value) for name in shape_names(result)}
    return {name: KINDS[number] for name, number in numbers.items() if number in KINDS}


def _shape(result: "Trajectories", name: str, kind: str, rows: "Array") -> MovingShape:
    import numpy as np

    def values(parts: tuple[str, ...]) -> tuple[float, ...]:
        return tuple([float(result[f"{name}.{part}"][0]) for part in parts])

    poses = np.column_stack([result[f"{name}.{part}"][rows] for part in POSE])
    rests = bool((poses == poses[0]).all())
    return MovingShape(name, kind, values(SIZE), values(COLOR), poses[:1] if rests else poses)


def _up(result: "Trajectories") -> tuple[float, ...]:
    """Against the gravity of the first Inertial that has one, else along 3."""
    for name in result.parameters:
        if name.endswith(".ng1"):
            parts = [f"{name.removesuffix('.ng1')}.{part}" for part in GRAVITY]
            against = tuple([0.0 - result.column(part).value for part in parts if part in result])
            if len(against) == len(GRAVITY) and any(against):
                return against
    return 0.0, 0.0, 1.0
