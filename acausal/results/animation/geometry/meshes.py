"""Meshes of files: STL (binary and text) and Wavefront OBJ.

STL: StereoLithography Interface Specification, 3D Systems 1989: an 80-byte header, the number of triangles, 50 bytes
for each; or text, `vertex x y z` three times for each facet. OBJ: `v x y z`, `f a b c ...` with numbers from 1, or from
the end where negative; `a/b/c` are vertex, texture, normal. Neither format has a unit of length.
"""

import struct
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.files.regular_files import first_bytes
from acausal.results.animation.geometry.scene import Triangles

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

LONGEST = 64 << 20
"""Bytes of a file that is read."""
MOST = 200_000
"""Triangles that a page can turn."""
HEADER = 84
RECORD = 50


class MeshError(Exception):
    """A mesh that cannot be read; the text says why."""


def read_mesh(path: Path) -> Triangles:
    """The triangles of a file; MeshError where it is none."""
    extension = path.suffix.lower()
    if extension not in (".stl", ".obj"):
        raise MeshError(f"unknown mesh format {extension or path.name} (known: .stl, .obj)")
    try:
        data = first_bytes(path, LONGEST + 1)
    except OSError as error:
        raise MeshError(error.strerror or str(error)) from None
    if data is None or len(data) > LONGEST:
        raise MeshError("it is not a regular file" if data is None else f"it has more than {LONGEST} bytes")
    try:
        found = _obj(data) if extension == ".obj" else _stl(data)
    except (ValueError, IndexError, struct.error):
        raise MeshError(f"it is no {extension[1:].upper()} file") from None
    if not len(found.faces):
        raise MeshError("it has no triangles")
    if len(found.faces) > MOST:
        raise MeshError(f"it has {len(found.faces)} triangles, at most {MOST} are drawn")
    return found


def _stl(data: bytes) -> Triangles:
    import numpy as np

    if len(data) >= HEADER and len(data) == HEADER + RECORD * struct.unpack_from("<I", data, 80)[0]:
        records = np.frombuffer(data, np.uint8, offset=HEADER).reshape(-1, RECORD)
        corners = records[:, 12:48].copy().view("<f4").astype(float).reshape(-1, 3)
    else:
        lines = data.decode("ascii").split("\n")
        if not lines[0].lstrip().startswith("solid"):
            raise ValueError
        corners = np.array([[float(x) for x in line.split()[1:4]] for line in lines if line.split()[:1] == ["vertex"]])
        corners = corners.reshape(-1, 3)
    return _shared(corners)


def _shared(corners: "Array") -> Triangles:
    """Triangles of corners, three for each; equal corners are one vertex."""
    import numpy as np

    if len(corners) % 3 or not np.isfinite(corners).all():
        raise ValueError
    vertices, number = np.unique(corners, axis=0, return_inverse=True)
    return Triangles(np.asarray(vertices), np.asarray(number).reshape(-1, 3))


def _obj(data: bytes) -> Triangles:
    import numpy as np

    vertices: list[list[float]] = []
    faces: list[list[int]] = []
    for line in data.decode().splitlines():
        word, *rest = line.split() or [""]
        if word == "v":
            vertices.append([float(x) for x in rest[:3]])
        elif word == "f":
            corners = [int(x.split("/")[0]) for x in rest]
            corners = [k - 1 if k > 0 else len(vertices) + k for k in corners]
            faces += [[corners[0], b, c] for b, c in pairwise(corners[1:])]
    points, triangles = np.array(vertices).reshape(-1, 3), np.array(faces, int).reshape(-1, 3)
    if not np.isfinite(points).all() or (len(triangles) and not 0 <= triangles.min() <= triangles.max() < len(points)):
        raise ValueError
    return Triangles(points, triangles)
