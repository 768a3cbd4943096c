"""Shapes and meshes of the links, as classes with their arguments."""

import os
from collections.abc import Iterator
from pathlib import Path

from acausal.base.files.regular_files import is_file
from acausal.base.frozen import dataclass
from acausal.imports.text.lines import string
from acausal.imports.text.numbers import arguments, nonzero, number
from acausal.imports.text.remarks import Remarks
from acausal.imports.urdf.robot import Geometry, Link, Vector
from acausal.imports.urdf.rotation import column, matrix

_READ = (".stl", ".obj")
_PACKAGES = ("package://", "model://")
Drawing = tuple[str, str]


@dataclass(frozen=True, slots=True)
class MeshFolders:
    """Folders in which meshes are searched: beside the description, in the folders above it, and in those of `path`."""

    source: Path
    output: Path
    path: tuple[Path, ...] = ()

    def find(self, name: str) -> Path | None:
        """The file of a mesh; None where there is none."""
        for prefix in _PACKAGES:
            if name.startswith(prefix):
                return self._in_package(name.removeprefix(prefix))
        name = name.removeprefix("file://")
        return next((place for place in (self.source / name, *[f / name for f in self.path]) if is_file(place)), None)

    def _in_package(self, name: str) -> Path | None:
        """package://NAME/FILE: FILE in a folder NAME, above the description or in a folder of `path`."""
        package, _, file = name.partition("/")
        above = [self.source, *self.source.absolute().parents]
        places = [folder / file for folder in above if folder.name == package]
        places += [folder / name for folder in [*above, *self.path]] + [folder / file for folder in self.path]
        return next((place for place in places if is_file(place)), None)

    def written(self, name: str) -> str:
        """The name in the model: relative to its folder; as it stands in its package if there is no such file."""
        found = self.find(name)
        if found is None:
            for prefix in _PACKAGES:
                if name.startswith(prefix):
                    return name.removeprefix(prefix).partition("/")[2]
            return name
        return Path(os.path.relpath(found.absolute(), self.output.absolute())).as_posix()


def drawn(link: Link, remarks: Remarks) -> Iterator[Geometry]:
    """The visuals that can be drawn; for meshes of other formats, the link's collision meshes that can."""
    replaced = False
    for form in link.visuals:
        if form.kind != "mesh" or (form.file.lower().endswith(_READ) and len(set(form.size)) == 1):
            yield form
        elif form.file.lower().endswith(_READ):
            remarks.note("a mesh with different scales along its axes is not drawn", form.span)
        else:
            others = [c for c in link.collisions if c.kind == "mesh" and c.file.lower().endswith(_READ)]
            ending = form.file.rpartition(".")[2]
            if not others:
                remarks.note(f"meshes in the format .{ending} are not drawn (only .stl and .obj)", form.span)
            elif not replaced:
                remarks.note(f"meshes in the format .{ending} are replaced by those of <collision>", form.span)
                yield from [other for other in others if len(set(other.size)) == 1]
            replaced = True


def drawing(form: Geometry, folders: MeshFolders, remarks: Remarks) -> Drawing:
    """The class of a form, and its arguments."""
    place = nonzero({f"r{k}": x for k, x in enumerate(form.origin.xyz, 1)})
    rotation = matrix(form.origin.rpy)
    x, z = _direction(column(rotation, 0)), _direction(column(rotation, 2))
    color = {} if form.color is None else _color(form.color)
    a, b, c = form.size
    if form.kind == "mesh":
        scale = {} if a == 1.0 else {"scale": number(a)}
        if folders.find(form.file) is None:
            remarks.note("the file of the mesh is not found: put it where the model names it, or use --path", form.span)
        values = {"file": string(folders.written(form.file))} | scale
        return "Mesh", arguments(values | place | _axes(x, z) | color)
    values = {"kind": string(form.kind)}
    if form.kind == "box":
        values |= {"length": number(a), "width": number(b), "height": number(c)} | place | _axes(x, z)
    elif form.kind == "cylinder":
        values |= {"length": number(b), "width": number(a)} | place | _axes(z, x)
    else:
        values |= {"width": number(a)} | place
    return "Shape", arguments(values | color)


def _direction(vector: Vector) -> Vector:
    """The direction without the rounding of sines and cosines of right angles."""
    x, y, z = [0.0 if abs(v) < 1e-12 else float(round(v)) if abs(abs(v) - 1) < 1e-12 else v for v in vector]
    return x, y, z


def _axes(n: Vector, m: Vector) -> dict[str, str]:
    """Directions of a shape; those that are its defaults are not written."""
    found: dict[str, str] = {}
    for letter, vector, default in (("n", n, (1.0, 0.0, 0.0)), ("m", m, (0.0, 0.0, 1.0))):
        found |= {
            f"{letter}{k}": number(value)
            for k, (value, usual) in enumerate(zip(vector, default, strict=True), 1)
            if value != usual
        }
    return found


def _color(color: Vector) -> dict[str, str]:
    return {name: number(value) for name, value in zip(("red", "green", "blue"), color, strict=True)}
