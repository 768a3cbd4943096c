"""Texts of random mechanisms, and the joints that they have by construction."""

from dataclasses import dataclass
from random import Random

CONSTRAINTS = {
    "Revolute": 5,
    "Prismatic": 5,
    "Screw": 5,
    "Cylindrical": 4,
    "Universal": 4,
    "LoopSpherical": 3,
    "Planar": 3,
    "Spherical": 3,
    "Free": 0,
    "CutPrismatic": 5,
    "CutRevolute": 5,
    "CutUniversal": 4,
    "CutSpherical": 3,
    "CutParallel": 2,
    "CutPlanar": 2,
    "CutRod": 1,
}
"""Six less the relative degrees of freedom; those of cut joints are the conditions that they state."""
KINDS = {
    "CutParallel": "parallel",
    "CutPlanar": "planar",
    "CutRod": "rod",
    "LoopSpherical": "spherical",
}
"""Kinds of edges where they are not the name of the class."""
TREE = ("Revolute", "Revolute", "Prismatic", "Screw", "Cylindrical", "Universal", "Planar", "Spherical", "Free")
LOOPS = ("Revolute", "Revolute", "Prismatic", "Cylindrical", "Universal", "LoopSpherical")
CUTS = tuple(name for name in CONSTRAINTS if name.startswith("Cut"))
ARGUMENTS = {
    "Prismatic": "n1=1",
    "Screw": "n3=1, pitch=0.1",
    "Universal": "n1=1, m2=1",
    "Spherical": "",
    "LoopSpherical": "",
    "Free": "",
    "CutSpherical": "",
    "CutRod": "length=1",
    "CutUniversal": "n1=1, m2=1",
}
"""Of an axis 3 otherwise."""


@dataclass(frozen=True)
class RandomText:
    """The text, names of the bodies from the ground on, and for each joint its class and the numbers of its bodies."""

    text: str
    bodies: tuple[str, ...]
    joints: dict[str, tuple[str, int, int]]

    @property
    def count(self) -> int:
        """Degrees of freedom by Gruebler's count."""
        constraints = sum(CONSTRAINTS[kind] for kind, _, _ in self.joints.values())
        return 6 * (len(self.bodies) - 1) - constraints


def kind_of(name: str) -> str:
    """The kind of edge of a class."""
    return KINDS.get(name, name.removeprefix("Cut").lower())


def random_text(random: Random, most: int = 9) -> RandomText:
    """Two to `most` bodies with the ground: a tree of joints, some behind bars; up to four joints that close loops.

    Sizes do not fit together, so that loops cannot be closed: only the structure has a meaning.
    """
    count = random.randint(2, most)
    joints: dict[str, tuple[str, int, int]] = {}
    submodels, lines = ["submodel (Inertial) i"], []
    places = [["i"]]
    for body in range(1, count):
        parent, kind, name = random.randrange(body), random.choice(TREE), f"j{body}"
        submodels.append(_submodel(kind, name))
        joints[name] = kind, parent, body
        before = random.choice(places[parent])
        if random.random() < 0.3:
            submodels.append(f"submodel (Bar) r{body}(r2=1)")
            lines.append(f"connect {before} to r{body}:A")
            before = f"r{body}:B"
            places[parent].append(before)
        lines.append(f"connect {before} to {name}:A")
        places.append([f"{name}:B"])
        if random.random() < 0.4:
            submodels.append(f"submodel (Bar) f{body}(r1=1)")
            lines.append(f"connect {name}:B to f{body}:A")
            places[body].append(f"f{body}:B")
        submodels.append(f"submodel (Body) b{body}(m=1)")
        lines.append(f"connect b{body} at {random.choice(places[body])}")
    for number in range(random.randint(0, 4)):
        first, second = sorted(random.sample(range(count), 2))
        ends = random.choice(places[first]), random.choice(places[second])
        name, is_cut = f"c{number}", random.random() < 0.5
        kind = random.choice(CUTS if is_cut else LOOPS)
        submodels.append(_submodel(kind, name))
        joints[name] = kind, first, second
        chord = [f"connect {name} at ({ends[0]}, {ends[1]})"]
        lines += chord if is_cut else [f"connect {ends[0]} to {name}:A", f"connect {name}:B at {ends[1]}"]
    bodies = ("ground", *[f"b{body}" for body in range(1, count)])
    return RandomText("\n".join(["@mbsdir.lib", "model M", *submodels, *lines, "end\n"]), bodies, joints)


def _submodel(kind: str, name: str) -> str:
    arguments = ARGUMENTS.get(kind, "n3=1")
    return f"submodel ({kind}) {name}({arguments})" if arguments else f"submodel ({kind}) {name}"
