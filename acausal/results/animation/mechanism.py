"""Parts of a picture made of instances: shapes, bodies, joints, bars, springs."""

from pathlib import Path
from typing import TYPE_CHECKING

from acausal.results.animation.geometry.equivalent import equivalent_box, steel_diameter
from acausal.results.animation.geometry.meshes import MeshError, read_mesh
from acausal.results.animation.geometry.rotations import toward
from acausal.results.animation.geometry.scene import NO_SOURCES, NO_TURN, Form, Group, Part, Sources
from acausal.results.animation.instances import Instance
from acausal.results.animation.kinds import COLOR, INERTIA, vector
from acausal.results.animation.tracks import Tracks

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Vector = tuple[float, float, float]
Turn = tuple[float, float, float, float]

PALETTE: tuple[Vector, ...] = (
    *((0.30, 0.47, 0.66), (0.95, 0.56, 0.17), (0.35, 0.63, 0.31), (0.88, 0.34, 0.35)),
    *((0.46, 0.72, 0.70), (0.69, 0.48, 0.63), (0.93, 0.79, 0.28), (0.61, 0.46, 0.37)),
)
STEEL_BLUE, GRAY, DARK, OCHER, CLAY = (
    *((0.55, 0.60, 0.66), (0.62, 0.62, 0.62), (0.25, 0.27, 0.30)),
    *((0.80, 0.58, 0.16), (0.62, 0.52, 0.44)),
)
THIN, HINGE, LARGEST_BALL = 0.014, 0.035, 0.3
"""Diameters of bars, of joints, and the largest of a point mass, as a part of the size of the whole."""
MESH = 4
CENTER = ("r1", "r2", "r3")
"""Parameters: the center of a body, or the place of a joint."""
EDGES = ("a1", "a2", "a3")
"""Parameters: edges of a body that is a box."""
SHAPES: dict[int, Form] = {1: "box", 2: "cylinder", 3: "sphere"}


def shape(instance: Instance, track: int) -> Part | None:
    """A declared shape; None for one of an unknown kind, for which runs fail, MeshError for a file that is no mesh."""
    if instance.number("drawn") == MESH:
        return _mesh(instance, track)
    form = SHAPES.get(int(instance.number("drawn")))
    if form is None:
        return None
    edges = {"box": ("length", "width", "height"), "cylinder": ("length", "width", "width"), "sphere": ("width",) * 3}
    size = _vector(instance, edges[form])
    red, green, blue = [min(max(x, 0.0), 1.0) for x in instance.numbers(COLOR)]
    sources = _sources(instance, size=edges[form])
    return Part(instance.name, "shape", form, track, size, (red, green, blue), sources=sources)


def _mesh(instance: Instance, track: int) -> Part:
    text = instance.result.texts.get(f"{instance.name}.file")
    if text is None:
        raise MeshError("the result does not know its file")
    mesh = read_mesh(Path(text.folder) / text.value)
    red, green, blue = [min(max(x, 0.0), 1.0) for x in instance.numbers(COLOR)]
    scale = instance.number("scale")
    return Part(instance.name, "shape", "mesh", track, (scale, scale, scale), (red, green, blue), mesh=mesh)


def body(instance: Instance, track: int, number: int, sizes: tuple[float, float], covered: bool) -> list[Part]:
    """A body at its center of mass, and a bar that leads there: its own form, else the box of the same inertia.

    `sizes` are that of the whole and the largest edge of such a box, which is drawn smaller where it is larger: moments
    of inertia may be those of motors, or numbers that no body of this mass has.
    """
    size, _ = sizes
    center = _vector(instance, CENTER)
    form, edges, turn = _form(instance, center, sizes)
    color = PALETTE[number % len(PALETTE)]
    group: Group = "covered" if covered else "body"
    sources = _sources(instance, place=CENTER, size=EDGES if instance.has(*EDGES) else ())
    found = [Part(instance.name, group, form, track, edges, color, center, turn, sources=sources)]
    return found + bar(instance.name, track, center, size, covered, _sources(instance, end=CENTER))


def bar(name: str, track: int, end: Vector, size: float, covered: bool, sources: Sources = NO_SOURCES) -> list[Part]:
    """A bar from the origin of a frame to a point; none where they are next to each other."""
    length = _length(end)
    if length < THIN * size:
        return []
    x, y, z = end
    wide = THIN * size
    group: Group = "covered" if covered else "bar"
    edges, middle = (length, wide, wide), (x / 2, y / 2, z / 2)
    return [Part(name, group, "cylinder", track, edges, STEEL_BLUE, middle, _toward(end), sources=sources)]


def _sources(
    instance: Instance, size: tuple[str, ...] = (), place: tuple[str, ...] = (), end: tuple[str, ...] = ()
) -> Sources:
    """Full names of the parameters that fields of a part are equal to."""
    found = [tuple([f"{instance.name}.{x}" for x in names]) for names in (size, place, end)]
    return Sources(*found)


def joint(instance: Instance, tracks: Tracks, ends: tuple[int, int], size: float, covered: bool) -> list[Part]:
    """A link: the bar to its place in frame A, and what it is: a hinge, a slider on its rail, a screw, a ball."""
    first, second = ends
    way = tracks.in_frame(first, tracks.points(second, (0.0, 0.0, 0.0)))
    turns, slides = motion(instance)
    base = _base(instance, way, slides)
    sources = _sources(instance, end=CENTER) if instance.has(*CENTER) else NO_SOURCES
    found = bar(instance.name, first, base, size, covered, sources)
    if instance.number("n") == 0:
        return found
    if _length(slides):
        found += _slider(instance.name, ends, way, base, slides, size)
    if _length(turns):
        found.append(hinge(instance.name, second, turns, size))
    if not _length(slides) and not _length(turns):
        found.append(ball(instance.name, second, size))
    return found


def hinge(name: str, track: int, axis: Vector, size: float) -> Part:
    """A pin along an axis at a frame's origin."""
    wide = HINGE * size
    return Part(name, "joint", "cylinder", track, (3.2 * wide, wide, wide), DARK, turn=_toward(axis))


def ball(name: str, track: int, size: float) -> Part:
    """A ball at a frame's origin."""
    wide = 1.2 * HINGE * size
    return Part(name, "joint", "sphere", track, (wide, wide, wide), DARK)


def disc(name: str, track: int, axis: Vector, center: Vector, size: tuple[float, float]) -> list[Part]:
    """A wheel of a thickness and a diameter, with a spoke that shows how it turns."""
    thick, wide = size
    turn = _toward(axis)
    spoke = (1.2 * thick, 0.9 * wide, 0.06 * wide)
    return [
        Part(name, "body", "cylinder", track, (thick, wide, wide), GRAY, center, turn),
        Part(name, "body", "box", track, spoke, DARK, center, turn),
    ]


def rotor(instance: Instance, tracks: Tracks, end: int, rows: "Array", size: float) -> list[Part]:
    """A disc that turns in its carrier by the angle phi about its axis."""
    axis, center = direction(instance), _vector(instance, CENTER)
    angle = f"{instance.name}.phi", instance.rows(["phi"])[rows]
    track = tracks.turned(end, angle, axis, center)
    return disc(instance.name, track, axis, (0.0, 0.0, 0.0), (HINGE * size, 5 * HINGE * size))


def slide(instance: Instance, tracks: Tracks, ends: tuple[int, int], size: float) -> list[Part]:
    """A rail in the first frame and a block in the second."""
    way = tracks.in_frame(ends[0], tracks.points(ends[1], (0.0, 0.0, 0.0)))
    return _slider(instance.name, ends, way, (0.0, 0.0, 0.0), direction(instance), size)


def ground(instance: Instance, track: int, up: tuple[float, ...], size: float) -> Part:
    """A plate below the origin of the inertial frame, across the direction against gravity."""
    x, y, z = up
    low = -0.6 * HINGE * size
    wide = 5 * HINGE * size
    return Part(
        *(instance.name, "joint", "box", track, (0.5 * HINGE * size, wide, wide), CLAY),
        *((low * x, low * y, low * z), _toward((x, y, z))),
    )


def motion(instance: Instance) -> tuple[Vector, Vector]:
    """The axes about which and along which a joint of one degree of freedom moves, from its Phi; else zeros."""
    import numpy as np

    nothing = (0.0, 0.0, 0.0)
    if instance.number("n") != 1 or not instance.has("Phi[1,1]", "Phi[6,1]"):
        return nothing, nothing
    phi = np.nan_to_num(instance.rows([f"Phi[{i},1]" for i in range(1, 7)])[0], posinf=0.0, neginf=0.0)
    return _three(phi[:3].tolist()), _three(phi[3:].tolist())


def _form(instance: Instance, center: Vector, sizes: tuple[float, float]) -> tuple[Form, Vector, Turn]:
    import numpy as np

    if instance.has(*EDGES):
        return "box", _vector(instance, EDGES), NO_TURN
    if instance.has("radius", "length", "n1", "n2", "n3"):
        wide = 2 * instance.number("radius")
        turn = _toward(_vector(instance, ("n1", "n2", "n3")))
        return "cylinder", (instance.number("length"), wide, wide), turn
    if instance.has("radius"):
        wide = 2 * instance.number("radius")
        return "sphere", (wide, wide, wide), NO_TURN
    size, largest = sizes
    mass = instance.number("m")
    xx, yy, zz, yx, zx, zy = instance.numbers(INERTIA)
    box = equivalent_box(mass, np.array([[xx, yx, zx], [yx, yy, zy], [zx, zy, zz]]), center)
    if box is None:
        wide = min(max(steel_diameter(mass), 2 * HINGE * size), LARGEST_BALL * size)
        return "sphere", (wide, wide, wide), NO_TURN
    factor = min(1.0, max(largest, 2.2 * _length(center)) / max(box[0]))
    a, b, c = [max(factor * edge, THIN * size) for edge in box[0]]
    return "box", (a, b, c), box[1]


def _base(instance: Instance, way: "Array", slides: Vector) -> Vector:
    """The place of a joint in its frame A."""
    if instance.has(*CENTER):
        return _vector(instance, CENTER)
    first = way[0]
    square = sum(x * x for x in slides)
    if square:
        first = first - slides * (first @ slides) / square
    return _three(first.tolist())


def _slider(name: str, ends: tuple[int, int], way: "Array", base: Vector, axis: Vector, size: float) -> list[Part]:
    """A rail in frame A over the whole way, and a block in frame B."""
    import numpy as np

    unit = np.array(axis) / _length(axis)
    along = (way - np.array(base)) @ unit
    wide = HINGE * size
    low, high = min(float(along.min()), 0.0) - wide, max(float(along.max()), 0.0) + wide
    middle = np.array(base) + unit * (low + high) / 2
    turn = _toward(axis)
    thin = 0.6 * THIN * size
    rail = Part(name, "joint", "box", ends[0], (high - low, thin, thin), GRAY, _three(middle.tolist()), turn)
    block = Part(name, "joint", "box", ends[1], (1.6 * wide, wide, wide), DARK, turn=turn)
    return [rail, block]


def _vector(instance: Instance, names: tuple[str, ...]) -> Vector:
    return _three(instance.numbers(names))


def direction(instance: Instance) -> Vector:
    """The axis n of an instance, as its parameters n1, n2, n3 or its vector n say."""
    names = ("n1", "n2", "n3")
    return _vector(instance, names if instance.has(*names) else vector("n"))


def _toward(way: Vector) -> Turn:
    import numpy as np

    x, y, z, w = toward(np.array([way]))[0].tolist()
    return x, y, z, w


def _length(a: Vector) -> float:
    return float(sum(x * x for x in a) ** 0.5)


def _three(values: "list[float] | tuple[float, ...]") -> Vector:
    x, y, z = values
    return x, y, z
