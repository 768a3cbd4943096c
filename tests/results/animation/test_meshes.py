"""Meshes of files: formats written here by their specifications, and files that are none."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from acausal.cached import translate
from acausal.cli import main
from acausal.results.animation.geometry.meshes import MeshError, read_mesh
from acausal.results.animation.geometry.scene import Triangles
from tests.results.animation.scenes import data, poses

CORNERS = np.array([[0.0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 0.5]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
VOLUME = 2 * 1 * 0.5 / 6
OBJ = """# a tetrahedron
o tetra
v 0 0 0
v 2 0 0
vn 0 0 1
v 0 1 0
v 0 0 0.5
f 1 3 2
f 1/1 2/2/3 4//1
f -4 -1 -2
f 2 3 4
"""
MODEL = """@mbsdir.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) j(n3=1) (ic q=0, w=1)
  submodel (Body) b(m=1, r1=1)
  submodel (Mesh) s(file="tetra.stl", scale=0.1, r1=0.5, n1=0, n2=1)
  connect i to j, b at j, s at j
  experiment (stop=0.5, interval=0.1)
end
"""


def binary_stl() -> bytes:
    facets = b"".join(struct.pack("<12fH", 0, 0, 0, *CORNERS[f].ravel(), 0) for f in FACES)
    return b"solid written by a program that says solid".ljust(80) + struct.pack("<I", len(FACES)) + facets


def text_stl() -> bytes:
    facets = [
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"  vertex {x} {y} {z}\n" for x, y, z in CORNERS[f])
        + "endloop\nendfacet"
        for f in FACES
    ]
    return ("solid tetra\n" + "\n".join(facets) + "\nendsolid tetra\n").encode()


def volume(mesh: Triangles) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return float((np.cross(a, b) * c).sum() / 6)


@pytest.mark.parametrize(("name", "content"), [("t.stl", binary_stl()), ("t.STL", text_stl()), ("t.obj", OBJ.encode())])
def test_formats(name: str, content: bytes, tmp_path: Path) -> None:
    """Four corners, four triangles that face outward, the volume of a tetrahedron."""
    (tmp_path / name).write_bytes(content)
    mesh = read_mesh(tmp_path / name)
    assert (mesh.vertices.shape, mesh.faces.shape) == ((4, 3), (4, 3))
    assert volume(mesh) == pytest.approx(VOLUME)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("t.stl", b"", "it is no STL file"),
        ("t.stl", b"\xff" * 200, "it is no STL file"),
        ("t.stl", b"solid x\nvertex 1 2\n", "it is no STL file"),
        ("t.stl", b"solid x\nvertex 1 2 nan\nvertex 0 0 0\nvertex 1 0 0\n", "it is no STL file"),
        ("t.stl", b"solid x\nendsolid x\n", "it has no triangles"),
        ("t.obj", b"v 0 0 0\nf 1 2 3\n", "it is no OBJ file"),
        ("t.obj", b"v 0 0 0\nf a b c\n", "it is no OBJ file"),
        ("t.obj", b"\xff\xfe", "it is no OBJ file"),
        ("t.step", b"", "unknown mesh format .step (known: .stl, .obj)"),
    ],
)
def test_files_that_are_no_meshes(name: str, content: bytes, why: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(MeshError) as caught:
        read_mesh(tmp_path / name)
    assert str(caught.value) == why


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(MeshError, match="No such file"):
        read_mesh(tmp_path / "none.stl")
    (tmp_path / "folder.stl").mkdir()
    with pytest.raises(MeshError, match="it is not a regular file"):
        read_mesh(tmp_path / "folder.stl")


def test_a_mesh_moves_with_its_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its file is beside the model, also for a kept translation; its axes are n, m x n and the rest."""
    monkeypatch.setenv("ACAUSAL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "m.mdl").write_text(MODEL, encoding="utf-8")
    (tmp_path / "tetra.stl").write_bytes(binary_stl())
    pages = set()
    for _ in range(2):
        result = translate(tmp_path / "m.mdl").simulate()
        animation = result.animate()
        assert animation is not None
        pages.add(animation.page)
        assert result.notes == ()
    assert len(pages) == 1
    (run,) = data(pages.pop())["runs"]
    (part,) = [p for p in run["parts"] if p["name"] == "s"]
    assert (part["form"], part["size"], len(part["vertices"]), len(part["faces"])) == ("mesh", [0.1] * 3, 12, 12)
    places, turns = poses(run, "s", "shape")
    q = np.interp(run["time"], result.time, result["j.q"])
    assert places == pytest.approx(np.array([0.5 * np.cos(q), 0.5 * np.sin(q), 0 * q]).T, abs=1e-6)
    assert turns[:, :, 0] == pytest.approx(np.array([-np.sin(q), np.cos(q), 0 * q]).T, abs=1e-6)
    assert turns[:, :, 2] == pytest.approx(np.tile([0, 0, 1], (len(q), 1)), abs=1e-9)


def test_a_missing_mesh_prevents_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A warning; the body is drawn without it."""
    monkeypatch.chdir(tmp_path)
    Path("m.mdl").write_text(MODEL, encoding="utf-8")
    assert main(["simulate", "m.mdl", "--json", "-o", "r.csv", "--animate", "a.html"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["written"] == ["r.csv", "a.html"]
    (warning,) = [d for d in told["diagnostics"] if d["code"] == "F023"]
    assert warning["message"] == "the mesh tetra.stl of s is not drawn: No such file or directory"
    (run,) = data(Path("a.html").read_text(encoding="utf-8"))["runs"]
    assert {p["group"] for p in run["parts"] if p["name"] == "b"} == {"body", "bar"}
