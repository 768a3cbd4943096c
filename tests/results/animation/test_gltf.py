"""Binary glTF: read by the layout of its specification, and its motion against closed forms."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from acausal.results.animation.geometry.scene import Form, Part, Run, Scene, Track
from acausal.results.animation.geometry.solids import solid
from acausal.results.animation.gltf import glb_of
from tests.results.animation.scenes import EVEN, simulated

TYPES = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
COMPONENTS = {5126: "<f4", 5125: "<u4"}


class Document:
    """A file, read as the specification says (sections 4.4 and 3.6)."""

    def __init__(self, content: bytes) -> None:
        magic, version, length = struct.unpack_from("<4sII", content)
        assert (magic, version, length) == (b"glTF", 2, len(content))
        size, kind = struct.unpack_from("<I4s", content, 12)
        assert (kind, size % 4) == (b"JSON", 0)
        self.json: dict[str, Any] = json.loads(content[20 : 20 + size])
        rest, kind = struct.unpack_from("<I4s", content, 20 + size)
        assert (kind, rest % 4) == (b"BIN\0", 0)
        self.data = content[28 + size :]
        assert len(self.data) == rest == self.json["buffers"][0]["byteLength"]

    def numbers(self, accessor: int) -> "np.ndarray":
        about = self.json["accessors"][accessor]
        view = self.json["bufferViews"][about["bufferView"]]
        kind, width = np.dtype(COMPONENTS[about["componentType"]]), TYPES[about["type"]]
        assert view["byteOffset"] % kind.itemsize == 0
        assert view["byteLength"] == about["count"] * width * kind.itemsize
        found = np.frombuffer(self.data, kind, about["count"] * width, view["byteOffset"])
        return found if width == 1 else found.reshape(-1, width)

    def motion(self, node: int) -> dict[str, tuple["np.ndarray", "np.ndarray"]]:
        (animation,) = self.json["animations"]
        found = {}
        for channel in animation["channels"]:
            if channel["target"]["node"] == node:
                sampler = animation["samplers"][channel["sampler"]]
                found[channel["target"]["path"]] = self.numbers(sampler["input"]), self.numbers(sampler["output"])
        return found

    def parent(self, node: int) -> int:
        return next(k for k, n in enumerate(self.json["nodes"]) if node in n.get("children", ()))


def test_an_arm_that_turns_evenly(tmp_path: Path) -> None:
    """The bob is at 2*(cos t, sin t, 0); up is the second axis in the model and in the file."""
    simulated(EVEN, tmp_path).animate(tmp_path / "even.glb")
    file = Document((tmp_path / "even.glb").read_bytes())
    nodes = file.json["nodes"]
    bob = next(k for k, node in enumerate(nodes) if node["name"] == "bob[1]")
    motion = file.motion(file.parent(bob))
    t, places = motion["translation"]
    _, turns = motion["rotation"]
    assert (np.diff(t) > 0).all()
    assert (t[0], t[-1]) == (0, 3)
    middles = places + Rotation.from_quat(turns).apply(nodes[bob]["translation"])
    assert middles == pytest.approx(np.array([2 * np.cos(t), 2 * np.sin(t), 0 * t]).T, abs=1e-6)
    (root,) = file.json["scenes"][0]["nodes"]
    assert Rotation.from_quat(nodes[root]["rotation"]).apply([0, 1, 0]) == pytest.approx([0, 1, 0], abs=1e-12)
    material = file.json["materials"][file.json["meshes"][nodes[bob]["mesh"]]["primitives"][0]["material"]]
    assert material["pbrMetallicRoughness"]["baseColorFactor"][0] == 1.0
    for mesh in file.json["meshes"]:
        (primitive,) = mesh["primitives"]
        points = file.numbers(primitive["attributes"]["POSITION"])
        assert file.numbers(primitive["indices"]).max() < len(points)
        about = file.json["accessors"][primitive["attributes"]["POSITION"]]
        assert (about["min"], about["max"]) == (points.min(axis=0).tolist(), points.max(axis=0).tolist())


def test_events_and_springs() -> None:
    """Times increase where a row is there twice; what stretches is scaled along its axis; up may be any axis."""
    time = np.array([0.0, 0.5, 0.5, 1.0])
    places = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]])
    still = np.tile([0.0, 0, 0, 1], (4, 1))
    track = Track(places, still, np.array([[1.0], [2.0], [2.0], [3.0]]))
    spring = Part("s", "spring", "spring", 0, (1.0, 0.1, 0.1), (1.0, 0.5, 0.0), (0.5, 0.0, 0.0))
    run = Run("r", time, (track,), (spring,))
    scene = Scene("r", 2.0, (0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 1.0, (0.0, 0.0, 0.0), (3.0, 1.0, 1.0), (run,))
    file = Document(glb_of(scene))
    t, x = file.motion(0 if "track" in file.json["nodes"][0]["name"] else 1)["translation"]
    assert (np.diff(t) > 0).all()
    assert t == pytest.approx([0, 0.5, 0.5, 1])
    assert x[:, 0].tolist() == [0, 1, 2, 3]
    _, scales = file.motion(1)["scale"]
    assert scales[:, 0].tolist() == [1, 2, 2, 3]
    (root,) = file.json["scenes"][0]["nodes"]
    assert Rotation.from_quat(file.json["nodes"][root]["rotation"]).apply([0, 0, 1]) == pytest.approx([0, 1, 0])


@pytest.mark.parametrize(("form", "volume"), [("box", 1.0), ("cylinder", np.pi / 4), ("sphere", np.pi / 6)])
def test_solids_are_closed_and_face_outward(form: Form, volume: float) -> None:
    """The volume by the divergence theorem, to the coarseness of the triangles."""
    found = solid(form)
    a, b, c = (found.vertices[found.faces[:, k]] for k in range(3))
    assert (np.cross(a, b) * c).sum() / 6 == pytest.approx(volume, rel=0.03)


def test_the_spring_is_a_tube_along_the_first_axis() -> None:
    found = solid("spring")
    assert found.vertices.min(axis=0) == pytest.approx([-0.5, -0.48, -0.48], abs=0.07)
    assert found.vertices.max(axis=0) == pytest.approx([0.5, 0.48, 0.48], abs=0.07)
    a, b, c = (found.vertices[found.faces[:, k]] for k in range(3))
    assert (np.cross(a, b) * c).sum() > 0
