"""A scene as a binary glTF 2.0 file (.glb): meshes, materials, nodes and the motion of the tracks.

The format is that of the Khronos Group's specification glTF 2.0 (ISO/IEC 12113:2022): a header, a chunk of JSON, a
chunk of little-endian numbers. Its second axis is upward, times begin at zero and increase.
"""

import json
import struct
from typing import TYPE_CHECKING

from acausal.results.animation.geometry.rotations import toward
from acausal.results.animation.geometry.scene import Part, Run, Scene
from acausal.results.animation.geometry.solids import triangles_of

if TYPE_CHECKING:
    from numpy import intp
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array

Json = dict[str, object]
FLOAT, UNSIGNED = 5126, 5125
VERTICES, INDICES = 34962, 34963
HIDDEN = "covered"


def glb_of(scene: Scene) -> bytes:
    """The file."""
    file = _File(scene)
    return file.binary()


class _File:
    """Content of a file: lists of JSON objects that refer to each other by number, and the numbers."""

    def __init__(self, scene: Scene) -> None:
        self.data = bytearray()
        self.views: list[Json] = []
        self.accessors: list[Json] = []
        self.meshes: list[Json] = []
        self.materials: list[Json] = []
        self.nodes: list[Json] = []
        self.animations: list[Json] = []
        self._solids: dict[tuple[str, float], Json] = {}
        runs = [self._run(run, min(r.time[0] for r in scene.runs)) for run in scene.runs]
        self.root = self._node(scene.name, rotation=_upright(scene.up), children=runs)

    def binary(self) -> bytes:
        """Header and chunks."""
        document = {
            "asset": {"version": "2.0", "generator": "acausal"},
            "scene": 0,
            "scenes": [{"nodes": [self.root]}],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "materials": self.materials,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{"byteLength": len(self.data)}],
        }
        if self.animations:
            document["animations"] = self.animations
        text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        head = struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(self.data))
        return (
            head
            + struct.pack("<I4s", len(text), b"JSON")
            + text
            + struct.pack("<I4s", len(self.data), b"BIN\0")
            + self.data
        )

    def _run(self, run: Run, begin: float) -> int:
        import numpy as np

        rows, times = _increasing(run.time - begin)
        input_ = None
        channels: list[Json] = []
        samplers: list[Json] = []
        children = []
        for number, track in enumerate(run.tracks):
            parts = [self._part(p) for p in run.parts if p.track == number and p.group != HIDDEN]
            if not parts:
                continue
            values = {"translation": track.places, "rotation": track.turns}
            if track.lengths is not None:
                values["scale"] = np.hstack([np.maximum(track.lengths, 1e-9), np.ones((len(track.lengths), 2))])
            node = self._node(f"track {number}", children=parts, **{k: v[0].tolist() for k, v in values.items()})
            children.append(node)
            for path, rows_of in values.items():
                if len(rows_of) < 2 or len(rows) < 2:
                    continue
                input_ = self._accessor(times, "SCALAR", bounds=True) if input_ is None else input_
                channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
                samplers.append({"input": input_, "output": self._accessor(rows_of[rows], f"VEC{rows_of.shape[1]}")})
        if channels:
            self.animations.append({"name": run.name, "channels": channels, "samplers": samplers})
        return self._node(run.name, children=children)

    def _part(self, part: Part) -> int:
        self.materials.append(
            {
                "pbrMetallicRoughness": {
                    "baseColorFactor": [*[_linear(x) for x in part.color], 1.0],
                    "metallicFactor": 0.1,
                    "roughnessFactor": 0.6,
                },
            }
        )
        primitive = {**self._solid(part), "material": len(self.materials) - 1}
        self.meshes.append({"name": part.name, "primitives": [primitive]})
        return self._node(
            part.name, mesh=len(self.meshes) - 1, translation=part.place, rotation=part.turn, scale=part.size
        )

    def _solid(self, part: Part) -> Json:
        key = part.form, part.aspect
        if part.mesh is None and key in self._solids:
            return self._solids[key]
        solid = triangles_of(part)
        vertices = self._accessor(solid.vertices, "VEC3", bounds=True, target=VERTICES)
        faces = self._accessor(solid.faces.ravel(), "SCALAR", target=INDICES)
        found: Json = {"attributes": {"POSITION": vertices}, "indices": faces}
        if part.mesh is None:
            self._solids[key] = found
        return found

    def _accessor(
        self, values: "Array | NDArray[intp]", kind: str, *, bounds: bool = False, target: int | None = None
    ) -> int:
        import numpy as np

        whole = target == INDICES
        numbers = np.ascontiguousarray(values, "<u4" if whole else "<f4")
        view: Json = {"buffer": 0, "byteOffset": len(self.data), "byteLength": numbers.nbytes}
        self.views.append(view if target is None else {**view, "target": target})
        self.data += numbers.tobytes()
        accessor: Json = {
            "bufferView": len(self.views) - 1,
            "componentType": UNSIGNED if whole else FLOAT,
            "count": len(numbers),
            "type": kind,
        }
        if bounds:
            columns = numbers.reshape(len(numbers), -1)
            accessor |= {"min": columns.min(axis=0).tolist(), "max": columns.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def _node(self, name: str, **properties: object) -> int:
        given = {key: value for key, value in properties.items() if value != []}
        self.nodes.append({"name": name, **given})
        return len(self.nodes) - 1


def _increasing(time: "Array") -> "tuple[Array, Array]":
    """Rows and their times in single precision, which increase: at an event the first side is a bit earlier."""
    import numpy as np

    single = time.astype(np.float32)
    same = np.flatnonzero(np.diff(single) == 0)
    single[same] = np.nextafter(single[same], np.float32(-np.inf))
    rows = np.flatnonzero(np.append(np.diff(single) > 0, True) & (single >= 0))
    keep = np.concatenate([[True], np.diff(single[rows]) > 0]) if len(rows) else np.array([], bool)
    return rows[keep], single[rows[keep]]


def _upright(up: tuple[float, ...]) -> list[float]:
    """The rotation that turns the direction up into the second axis."""
    import numpy as np

    from acausal.results.animation.geometry.rotations import combined

    to_first = toward(np.array([up])) * np.array([-1.0, -1.0, -1.0, 1.0])
    first_to_second = toward(np.array([[0.0, 1.0, 0.0]]))
    found: list[float] = combined(first_to_second, to_first)[0].tolist()
    return found


def _linear(x: float) -> float:
    """A component of a color in linear light (IEC 61966-2-1)."""
    return x / 12.92 if x <= 0.04045 else float(((x + 0.055) / 1.055) ** 2.4)
