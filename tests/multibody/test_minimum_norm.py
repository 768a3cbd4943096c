"""Reactions of overconstrained mechanisms: their minimum norm by `equilibrium`, motion by closed forms or less joints.

The rank of the equations of equilibrium is that of the constraints; what is above it is the redundancy of the note.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError, SimulationError
from acausal.results.result import Result
from acausal.translation import Translation
from tests.multibody.equilibrium import AXES, GROUND, Frame, Reaction, Solution, hinge_reaction, least_norm
from tests.multibody.models import made, removed

LIBRARIES = ["mbsdir", "mbsinv"]


class Table:
    """The largest errors of a test, which are printed in one line with the ranks (`pytest -rP` shows it)."""

    def __init__(self) -> None:
        self.constraints = self.rank = 0
        self.errors = {"motion": 0.0, "reactions": 0.0}

    def ranks(self, wanted: Solution, model: Translation) -> None:
        """The redundancy of the equilibrium is that of the notes."""
        self.constraints, self.rank = wanted.rank + wanted.redundancy, wanted.rank
        assert wanted.redundancy == removed(model)

    def motion(self, found: np.ndarray, wanted: np.ndarray | float, within: float) -> None:
        self._compare("motion", found, wanted, within)

    def reactions(self, found: np.ndarray, wanted: np.ndarray | float, within: float) -> None:
        self._compare("reactions", found, wanted, within)

    def _compare(self, kind: str, found: np.ndarray, wanted: np.ndarray | float, within: float) -> None:
        error = float(np.max(np.abs(np.asarray(found) - wanted)))
        assert error <= within
        self.errors[kind] = max(self.errors[kind], error)


@pytest.fixture
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    found = Table()
    yield found
    ranks = f"{found.constraints} reactions, rank {found.rank}, p = {found.constraints - found.rank}"
    errors = ", ".join(f"{kind} {error:.1e}" for kind, error in found.errors.items())
    print(f"{request.node.name}: {ranks}; largest errors: {errors}")


def row(r: Result, names: str, numbers: str, k: int) -> np.ndarray:
    """Values of the elements of an array in the row k."""
    return np.array([r[f"{names}[{n}]"][k] for n in numbers])


def joint(r: Result, name: str, axis: int, k: int) -> np.ndarray:
    """Torques across the axis and force of a hinge."""
    return np.array([r[f"{name}.f[{n}]"][k] for n in (1, 2, 3, 4, 5, 6) if n != axis + 1])


# ---------------------------------------------------------------------------------------------------- a door

DOOR = """@{library}.lib
model M
  submodel (Inertial) i(ng1=-0.6, ng3=-0.8)
  submodel (Body) d(m=3, r1=0.5, r3=0.6, I11=1, I22=1, I33=1)
  submodel (Bar) up(r3=2), ug(r3=2)
  {}
end
"""
CLOSED = """submodel (Revolute) h1(n3=1) (ic q=0.3, w=0.5), h2(n3=1)
  connect i - h1 - up, d at h1, i - ug - h2, up:B at h2:B"""
CUT = """submodel (Revolute) h1(n3=1) (ic q=0.3, w=0.5)
  submodel (CutRevolute) h2(n3=1)
  connect i - h1 - up, d at h1, i - ug, h2 at (ug:B, up:B)"""


def door_reactions(q: float, w: float, wd: float) -> Solution:
    door = GROUND.hinge((0, 0, 1), q, w, wd)
    hinges = [hinge_reaction(0, None, f, 2) for f in (door, door.at((0, 0, 2)))]
    return least_norm(hinges, [door.needs(3, (0.5, 0, 0.6), (1, 1, 1), np.array([-0.6, 0, -0.8]) * 9.81)])


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("text", [CLOSED, CUT], ids=["closing class", "cut joint"])
def test_a_door_on_two_hinges(table: Table, tmp_path: Path, library: str, text: str) -> None:
    """A pendulum of inertia 1.75 about its hinges, each of which carries half of the weight along them."""
    model = made(tmp_path, DOOR.format(text, library=library))
    r = model.simulate(stop=1, tolerance=1e-9, interval=0.1)
    energy = 1.75 / 2 * r["h1.w"] ** 2 + 3 * 0.6 * 9.81 * 0.5 * np.cos(r["h1.q"])
    table.motion(energy, energy[0], 1e-6)
    for k in range(len(r.time)):
        wanted = door_reactions(r["h1.q"][k], r["h1.w"][k], r["h1.wd"][k])
        table.reactions(joint(r, "h1", 2, k), wanted.reactions[0], 1e-9)
        assert wanted.rank == 5
        table.ranks(wanted, model)
        if text is CLOSED:
            table.reactions(joint(r, "h2", 2, k), wanted.reactions[1], 1e-9)
        else:  # the cut joint has its forces in axes of the ground, its torques along other vectors across the axis
            turn = GROUND.hinge((0, 0, 1), r["h1.q"][k], 0, 0).turn
            table.reactions(row(r, "h2.f", "123", k), turn @ wanted.reactions[1][2:], 1e-9)
            table.reactions(np.hypot(*row(r, "h2.t", "12", k)), np.hypot(*wanted.reactions[1][:2]), 1e-9)


def test_a_free_door_between_two_cut_hinges(table: Table, tmp_path: Path) -> None:
    """Ten constraints of six coordinates and the length of a quaternion."""
    text = """submodel (Free) f
  submodel (CutRevolute) h1(n3=1), h2(n3=1)
  connect i - f - up, d at f, i - ug, h1 at (i, f), h2 at (ug:B, up:B)
  initial f.ball.w[3] = 0.5"""
    model = made(tmp_path, DOOR.format(text, library="mbsdir"))
    r = model.simulate(stop=1, tolerance=1e-9, interval=0.1)
    assert removed(model) == 5
    for k in range(len(r.time)):
        angle = 2 * np.arctan2(r["f.ball.Q[4]"][k], r["f.ball.Q[1]"][k])
        wanted = door_reactions(angle, r["f.ball.w[3]"][k], r["f.ball.wd[3]"][k])
        turn = GROUND.hinge((0, 0, 1), angle, 0, 0).turn
        for name, reaction in zip(("h1", "h2"), wanted.reactions, strict=True):
            table.reactions(row(r, f"{name}.f", "123", k), turn @ reaction[2:], 1e-7)
            table.reactions(np.hypot(*row(r, f"{name}.t", "12", k)), np.hypot(*reaction[:2]), 1e-7)


def test_hinges_about_different_axes_hold_the_door(tmp_path: Path) -> None:
    """The derivative of what locks the loop has no unknowns: an error, not an endless search."""
    with pytest.raises(ModelError, match="over-determine"):
        made(
            tmp_path,
            DOOR.format(CUT.replace("CutRevolute) h2(n3=1)", "CutRevolute) h2(n2=0.6, n3=0.8)"), library="mbsdir"),
        )


# ---------------------------------------------------------------------------------------------------- rods

RODS = """@{library}.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Prismatic) px(n1=1) (ic q=0.6), py(n2=1, near=-0.8)
  submodel (Revolute) pz(n3=1)
  submodel (Body) plate(m=2, r1=1.2, I33=1)
  {rods}
  connect i - px - py - pz, plate at pz
  {joined}
end
"""


def rods(library: str, places: list[float], lengths: list[float]) -> str:
    """A plate hung by vertical rods at these places, swung to the side."""
    texts = [
        f"submodel (Bar) a{k}(r1={x}), b{k}(r1={x})\n  submodel (CutRod) k{k}(length={length})"
        for k, (x, length) in enumerate(zip(places, lengths, strict=True))
    ]
    joined = [f"connect i - a{k}, pz - b{k}, k{k} at (a{k}:B, b{k}:B)" for k in range(len(places))]
    return RODS.format(library=library, rods="\n  ".join(texts), joined="\n  ".join(joined))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("places", [[0, 1, 3], [-1, 0, 1.5, 2]], ids=["three", "four"])
def test_parallel_rods(table: Table, tmp_path: Path, library: str, places: list[float]) -> None:
    """The plate does not turn: a pendulum of the rods' length, which swings through the vertical."""
    model = made(tmp_path, rods(library, places, [1.0] * len(places)))
    assert removed(model) == len(places) - 2
    r = model.simulate(stop=3, tolerance=1e-9, interval=0.1)
    x, y = r["px.q"], r["py.q"]
    assert x.min() < -0.59
    table.motion(np.hypot(x, y), 1, 1e-9)
    table.motion(r["pz.q"], 0, 1e-9)
    speed = np.hypot(r["px.w"], r["py.w"])
    table.motion(speed**2 / 2 + 9.81 * y, -9.81 * 0.8, 1e-6)
    for k in range(len(r.time)):
        along = np.array([x[k], y[k], 0])
        sides = np.array([along, np.cross([0, 0, 1], along), [0, 0, 1]]).T
        pressed = [Reaction(0, None, along + p * AXES[0], sides, (), (0,)) for p in places]
        acceleration = np.array([r["px.wd"][k], r["py.wd"][k], 0])
        force = 2 * (acceleration + 9.81 * AXES[1])
        middle = along + 1.2 * AXES[0]
        wanted = least_norm(pressed, [np.concatenate([np.cross(middle, force), force])])
        assert wanted.rank == 2
        table.ranks(wanted, model)
        found = [r[f"k{n}.f"][k] for n in range(len(places))]
        table.reactions(found, np.concatenate(wanted.reactions), 1e-7)


def test_other_lengths_need_no_translation(tmp_path: Path) -> None:
    """Removed constraints are asserted: all rods may get another length, a single one not."""
    model = made(tmp_path, rods("mbsdir", [0, 1, 3], [1.2, 1.2, 1.2]))
    r = model.simulate(stop=1, tolerance=1e-9, parameters={f"k{k}.length": 1.5 for k in range(3)})
    assert np.hypot(r["px.q"], r["py.q"]) == pytest.approx(np.full(len(r.time), 1.5), abs=1e-9)
    with pytest.raises(SimulationError, match="does not follow from the others"):
        model.simulate(stop=1, parameters={"k2.length": 1.5})


def test_a_rod_of_another_length(tmp_path: Path) -> None:
    """Three rods that contradict the motion, as their lengths differ, hold the plate: nothing is removed."""
    with pytest.raises(ModelError, match="too many initial conditions"):
        made(tmp_path, rods("mbsdir", [0, 1, 3], [1, 1, 1.1]))


# ---------------------------------------------------------------------------------------------------- wheels


def cart(library: str, places: list[tuple[float, float]], down: np.ndarray) -> str:
    """A cart with wheels of radius 0.3 about axis 2 on a slope."""
    text = [f"@{library}.lib", "model M"]
    text.append(f"  submodel (Inertial) i(ng1={down[0]:.17g}, ng2={down[1]:.17g}, ng3={down[2]:.17g})")
    text.append("  submodel (Free) f\n  submodel (Body) chassis(m=10, r1=0.4, r2=0.1, r3=0.2, I11=1, I22=2, I33=2)")
    text.append("  connect i - f, chassis at f")
    for k, (x, y) in enumerate(places):
        text.append(f"  submodel (Revolute) a{k}(n2=1, r1={x}, r2={y})")
        text.append(f"  submodel (Body) b{k}(m=1, I11=0.02, I22=0.04, I33=0.02)")
        text.append(f"  submodel (RollingWheel) w{k}(n2=1, radius=0.3)")
        text.append(f"  connect f - a{k}, b{k} at a{k}, i - w{k} - a{k}:B")
    text.append("  initial f.ball.Q = [1, 0, 0, 0]\n  initial f.x1.q = 0\n  initial f.x2.q = 0\n  initial f.x1.w = 0")
    return "\n".join([*text, "end\n"])


@pytest.mark.parametrize(
    ("library", "places", "redundancy"),
    [
        ("mbsdir", [(0, 0.5), (0, -0.5), (1, 0)], 1),
        ("mbsdir", [(0, 0.5), (0, -0.5), (1, 0.5), (1, -0.5)], 3),
        ("mbsinv", [(0, 0.5), (0, -0.5), (1, 0.5), (1, -0.5)], 3),
        ("mbsdir", [(0, 0.5), (0, -0.5), (1.2, 0.3), (1.2, -0.3)], 3),
    ],
    ids=["three", "four", "four, inverse", "a trapezoid"],
)
def test_a_cart_on_a_slope(
    table: Table, tmp_path: Path, library: str, places: list[tuple[float, float]], redundancy: int
) -> None:
    """It rolls straight on with a = g1*M/(M + sum of I/r^2); wheels of an axle share what is across.

    Constraints of three or four wheels: as many of places, twice as many of velocities, three of them for an axle's
    two wheels.
    """
    down = np.array([0.3, 0.2, -np.sqrt(1 - 0.13)])
    model = made(tmp_path, cart(library, places, down))
    assert removed(model) == redundancy
    r = model.simulate(stop=1, tolerance=1e-9, interval=0.5)
    count = len(places)
    acceleration = 9.81 * 0.3 * (10 + count) / (10 + count + count * 0.04 / 0.09)
    table.motion(r["f.x1.q"], acceleration * r.time**2 / 2, 1e-6)
    table.motion(r["f.x2.q"], 0, 1e-9)
    straight = np.array([acceleration, 0, 0])
    gravity = 9.81 * down
    cart_frame = Frame(np.eye(3), np.array([0, 0, 0.3]), *[np.zeros(3)] * 3, straight)
    wrenches = [cart_frame.needs(10, (0.4, 0.1, 0.2), (1, 2, 2), gravity)]
    reactions = []
    for k, (x, y) in enumerate(places):
        wheel = cart_frame.at((x, y, 0))
        spun = Frame(wheel.turn, wheel.place, np.zeros(3), acceleration / 0.3 * AXES[1], straight, straight)
        wrenches.append(spun.needs(1, (0, 0, 0), (0.02, 0.04, 0.02), gravity))
        reactions.append(hinge_reaction(k + 1, 0, wheel, 1))
        reactions.append(Reaction(k + 1, None, wheel.place - [0, 0, 0.3], np.eye(3), (), (0, 1, 2)))
    wanted = least_norm(reactions, wrenches)
    assert wanted.redundancy == redundancy
    table.ranks(wanted, model)
    for n in range(len(r.time)):
        for k in range(count):
            table.reactions(row(r, f"w{k}.F", "123", n), wanted.reactions[2 * k + 1], 1e-6)


@pytest.mark.parametrize("library", LIBRARIES)
def test_two_wheels_of_one_axle(tmp_path: Path, library: str) -> None:
    """They share the force across; the cart swings about the axle."""
    text = cart(library, [(0, 0.5), (0, -0.5)], np.array([0, 0.6, -0.8])).replace(
        "chassis(m=10, r1=0.4,", "chassis(m=10,"
    )
    text = text.replace(
        "initial f.x1.w = 0", "initial f.x1.w = 0\n  initial f.ball.w[2] = 0\n  initial f.ball.w[3] = 0"
    )
    model = made(tmp_path, text)
    assert removed(model) == 1
    r = model.simulate(stop=0.5, tolerance=1e-9, interval=0.1)
    across = 12 * 9.81 * 0.6
    assert r["w0.F[2]"][0] == pytest.approx(-across / 2, abs=1e-6)
    assert r["w1.F[2]"][0] == pytest.approx(-across / 2, abs=1e-6)


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_axle_that_turns_round(table: Table, tmp_path: Path, library: str) -> None:
    """Two wheels on a level plane: the axle stays level, and goes round a circle more than once.

    Its angle of tilt is determined by the places of the wheels: none of the quaternion's elements follows from it
    everywhere, nor from the constraint of velocities that this hides.
    """
    v, turning = 1.0, 2.0
    text = cart(library, [(0, 0.5), (0, -0.5)], np.array([0, 0, -1.0]))
    text = text.replace("m=10, r1=0.4, r2=0.1, r3=0.2", "m=10")
    text = text.replace("x1.w = 0", f"x1.w = {v}\n  initial f.ball.w[2] = 0\n  initial f.ball.w[3] = {turning}")
    model = made(tmp_path, text)
    r = model.simulate(stop=4, tolerance=1e-9, interval=0.4)
    table.motion(r["f.x1.q"], v / turning * np.sin(turning * r.time), 1e-6)
    table.motion(r["f.x2.q"], v / turning * (1 - np.cos(turning * r.time)), 1e-6)
    gravity = np.array([0, 0, -9.81])
    for k, time in enumerate(r.time):
        turn = GROUND.hinge((0, 0, 1), turning * time, 0, 0).turn
        place = np.array([r["f.x1.q"][k], r["f.x2.q"][k], 0.3])
        motion = [turning * AXES[2], np.zeros(3), v * turn[:, 0], v * turning * turn[:, 1]]
        chassis = Frame(turn, place, *motion)
        wrenches, reactions = [chassis.needs(10, (0, 0, 0), (1, 2, 2), gravity)], []
        for n, y in enumerate((0.5, -0.5)):
            wheel = chassis.at((0, y, 0)).hinge((0, 1, 0), 0, (v - turning * y) / 0.3, 0)
            wrenches.append(wheel.needs(1, (0, 0, 0), (0.02, 0.04, 0.02), gravity))
            reactions.append(hinge_reaction(n + 1, 0, wheel, 1))
            reactions.append(Reaction(n + 1, None, wheel.place - [0, 0, 0.3], np.eye(3), (), (0, 1, 2)))
        wanted = least_norm(reactions, wrenches)
        table.ranks(wanted, model)
        for n in range(2):
            table.reactions(row(r, f"w{n}.F", "123", k), wanted.reactions[2 * n + 1], 1e-5)


# ---------------------------------------------------------------------------------------------------- knife edges

KNIVES = """@{library}.lib
model M
  submodel (Inertial) i
  submodel (Prismatic) px(n1=1) (ic q=0){more}
  submodel (Body) plate(m=2, r1=0.3, I33=1)
  submodel (WorldForce) F
  {text}
  F.F = [0, 1, 0]
end
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_knife_edges_one_behind_the_other(table: Table, tmp_path: Path, library: str) -> None:
    """They hold the direction of a sled, which slides straight on; a force across is carried unequally."""
    places = (0, 1, 3)
    edges = [
        f"submodel (Bar) b{k}(r1={x})\n  submodel (KnifeEdge) k{k}(n2=1)\n  connect pz - b{k}, k{k} from i to b{k}:B"
        for k, x in enumerate(places)
    ]
    text = "\n  ".join(["connect i - px - py - pz, plate at pz, F at pz", *edges, "initial px.w = 2"])
    more = "\n  submodel (Prismatic) py(n2=1) (ic q=0)\n  submodel (Revolute) pz(n3=1) (ic q=0)"
    model = made(tmp_path, KNIVES.format(library=library, text=text, more=more))
    r = model.simulate(stop=1, tolerance=1e-9, interval=0.25)
    table.motion(r["px.q"], 2 * r.time, 1e-9)
    edges_at = [Reaction(0, None, np.array([x, 0.0, 0]), np.eye(3), (), (1,)) for x in places]
    wanted = least_norm(edges_at, [np.array([0, 0, 0, 0, -1.0, 0])])
    assert wanted.rank == 2
    table.ranks(wanted, model)
    for k in range(3):
        table.reactions(r[f"k{k}.f"], np.full(len(r.time), wanted.reactions[k][0]), 1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_knife_edge_along_a_rail(table: Table, tmp_path: Path, library: str) -> None:
    """A constraint of velocities that follows from one of places: edge and rail share the force across."""
    text = "submodel (Bar) b(r1=1)\n  submodel (KnifeEdge) k(n2=1)\n  initial px.w = 2\n  "
    text += "connect i - px - b, plate at px, F at px, k from i to b:B"
    model = made(tmp_path, KNIVES.format(library=library, text=text, more=""))
    r = model.simulate(stop=1, tolerance=1e-9, interval=0.25)
    table.motion(r["px.q"], 2 * r.time, 1e-9)
    slide = Reaction(0, None, np.zeros(3), np.eye(3), (0, 1, 2), (1, 2))
    edge = Reaction(0, None, np.array([1.0, 0, 0]), np.eye(3), (), (1,))
    wanted = least_norm([slide, edge], [np.array([0, 0, 0, 0, -1.0, 0])])
    assert wanted.rank == 5
    table.ranks(wanted, model)
    rail = np.array([r[f"px.f[{n}]"][-1] for n in (1, 2, 3, 5, 6)])
    table.reactions(rail, wanted.reactions[0], 1e-9)
    table.reactions(r["k.f"][-1], wanted.reactions[1][0], 1e-9)


# ---------------------------------------------------------------------------------------------------- rails, welds

RAILS = """@{library}.lib
model M
  submodel (Inertial) i(ng3=-1)
  submodel (Prismatic) g1(n1=1) (ic q=0, w=1), g2(n1=1, r2=1)
  submodel (Bar) across(r2=1)
  submodel (Body) d(m=3, r2=0.3, r3=0.1, I11=1, I22=1, I33=1)
  connect i - g1 - across, d at g1, i - g2, across:B at g2:B
end
"""
WELD = """@{library}.lib
model M
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j(n1=1) (ic q=0.3)
  submodel (Bar) a(r2=1), b(r2=1)
  submodel (Body) d(m=3, r2=0.5, I11=1, I22=1, I33=1)
  connect i - j, j - a, j - b, a:B at b:B, d at a
end
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_table_on_two_rails(table: Table, tmp_path: Path, library: str) -> None:
    model = made(tmp_path, RAILS.format(library=library))
    r = model.simulate(stop=1, tolerance=1e-9, interval=0.25)
    table.motion(r["g1.q"], r.time, 1e-9)
    slides = [Reaction(0, None, np.array([0.0, y, 0]), np.eye(3), (0, 1, 2), (1, 2)) for y in (0, 1)]
    wanted = least_norm(slides, [GROUND.needs(3, (0, 0.3, 0.1), (1, 1, 1), np.array([0, 0, -9.81]))])
    assert wanted.rank == 5
    table.ranks(wanted, model)
    for name, reaction in zip(("g1", "g2"), wanted.reactions, strict=True):
        table.reactions(row(r, f"{name}.f", "12356", -1), reaction, 1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
def test_bars_side_by_side(table: Table, tmp_path: Path, library: str) -> None:
    """Two rigid connections of the same frames: no joint is between them, so the bars' own forces count, half each."""
    model = made(tmp_path, WELD.format(library=library))
    assert removed(model) == 6
    r = model.simulate(stop=1, tolerance=1e-9, interval=0.1)
    energy = (1 + 3 * 1.5**2) / 2 * r["j.w"] ** 2 + 3 * 9.81 * 1.5 * np.sin(r["j.q"])
    table.motion(energy, energy[0], 1e-6)
    for k in range(len(r.time)):
        frame = GROUND.hinge((1, 0, 0), r["j.q"][k], r["j.w"][k], r["j.wd"][k]).at((0, 1, 0))
        welds = [Reaction(0, None, frame.place, frame.turn, (0, 1, 2), (0, 1, 2))] * 2
        wanted = least_norm(welds, [frame.needs(3, (0, 0.5, 0), (1, 1, 1), np.array([0, 0, -9.81]))])
        assert wanted.rank == 6
        table.ranks(wanted, model)
        for name, reaction in zip(("a", "b"), wanted.reactions, strict=True):
            table.reactions(row(r, f"{name}.f", "123456", k), reaction, 1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("axis", ["n3=1", "n1=0.6, n3=0.8"])
def test_a_frame_turned_once_around_beside_a_bar(table: Table, tmp_path: Path, library: str, axis: str) -> None:
    """It is where the bar's end is but for rounding: each carries half."""
    text = WELD.replace("a(r2=1), b(r2=1)", "a(r2=1)\n  submodel (Fixed) b(r2=1, {axis}, angle=2*pi)")
    model = made(tmp_path, text.format(library=library, axis=axis))
    assert removed(model) == 6
    r = model.simulate(stop=1, tolerance=1e-9, interval=0.1)
    energy = (1 + 3 * 1.5**2) / 2 * r["j.w"] ** 2 + 3 * 9.81 * 1.5 * np.sin(r["j.q"])
    table.motion(energy, energy[0], 1e-6)
    for n in range(1, 7):
        table.reactions(r[f"a.f[{n}]"], r[f"b.f[{n}]"], 1e-9)


# ---------------------------------------------------------------------------------------------------- loops of hinges

FOURBAR = """@{library}.lib
model M
  submodel (Inertial) i(ng2=-0.6, ng3=-0.8)
  submodel (Revolute) j1(n3=1) (ic q=1.2, w=6), j2(n3=1), j4(n3=1)
  submodel (Bar) crank(r1=1), coupler(r1=2), rocker(r1=1.5), ground(r1=2)
  submodel (Body) b1(m=1, r1=0.5, I33=0.1, I11=0.1, I22=0.1), b2(m=2, r1=1, I33=0.3, I11=0.1, I22=0.3)
  submodel (Body) b3(m=1, r1=0.7, r3=0.2, I33=0.2, I11=0.1, I22=0.2)
  connect b1 at j1, b2 at j2, b3 at j4
  connect i - j1 - crank - j2 - coupler, i - ground - j4 - rocker
  {closed}
end
"""
LAST = {
    "closing class": ("submodel (Revolute) j3(n3=1)\n  connect coupler - j3, rocker:B at j3:B", (0, 1), (0, 1, 2)),
    "CutRevolute": ("submodel (CutRevolute) j3(n3=1)\n  connect j3 at (rocker:B, coupler:B)", (0, 1), (0, 1, 2)),
    "CutSpherical": ("submodel (CutSpherical) j3\n  connect j3 at (rocker:B, coupler:B)", (), (0, 1, 2)),
    "CutPlanar": ("submodel (CutPlanar) j3(n3=1)\n  connect j3 at (rocker:B, coupler:B)", (), (0, 1)),
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("kind", LAST)
def test_a_planar_four_bar_that_carries_loads_across_its_plane(
    table: Table, tmp_path: Path, library: str, kind: str
) -> None:
    """Gravity draws out of the plane; the last hinge holds five, three or two components: 3, 1 or 0 are redundant."""
    text, torques, forces = LAST[kind]
    model = made(tmp_path, FOURBAR.format(library=library, closed=text))
    r = model.simulate(stop=1, tolerance=1e-10, interval=0.1)
    gravity = 9.81 * np.array([0, -0.6, -0.8])
    for k in range(len(r.time)):
        motion = {n: [r[f"{n}.{v}"][k] for v in ("q", "w", "wd")] for n in ("j1", "j2", "j4")}
        crank = GROUND.hinge((0, 0, 1), *motion["j1"])
        coupler = crank.at((1, 0, 0)).hinge((0, 0, 1), *motion["j2"])
        rocker = GROUND.at((2, 0, 0)).hinge((0, 0, 1), *motion["j4"])
        end, other = coupler.at((2, 0, 0)), rocker.at((1.5, 0, 0))
        table.motion(end.place, other.place, 1e-9)
        table.motion(end.acceleration, other.acceleration, 1e-6)
        wrenches = [
            crank.needs(1, (0.5, 0, 0), (0.1, 0.1, 0.1), gravity),
            coupler.needs(2, (1, 0, 0), (0.1, 0.3, 0.3), gravity),
            rocker.needs(1, (0.7, 0, 0.2), (0.1, 0.2, 0.2), gravity),
        ]
        hinges = [
            hinge_reaction(0, None, crank, 2),
            hinge_reaction(1, 0, coupler, 2),
            hinge_reaction(2, None, rocker, 2),
        ]
        wanted = least_norm([*hinges, Reaction(1, 2, end.place, other.turn, torques, forces)], wrenches)
        table.ranks(wanted, model)
        size = max(np.abs(np.concatenate(wanted.reactions)))
        for name, reaction in zip(("j1", "j2", "j4"), wanted.reactions, strict=False):
            table.reactions(joint(r, name, 2, k), reaction, 1e-7 * size)
        if kind.startswith("Cut"):
            assert np.linalg.norm(row(r, "j3.f", "123"[: len(forces)], k)) == pytest.approx(
                np.linalg.norm(wanted.reactions[3][len(torques) :]), abs=1e-7 * size
            )


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize("kind", ["closing class", "CutRevolute"])
def test_in_any_orientation(table: Table, tmp_path: Path, library: str, seed: int, kind: str) -> None:
    """The same four-bar turned at random: no element of an array is zero, and none of the forces can be left out."""
    rng = np.random.default_rng(seed)
    u, v, e = np.linalg.qr(rng.normal(size=(3, 3)))[0].T
    e = np.cross(u, v)
    down = rng.normal(size=3)
    down /= np.linalg.norm(down)

    def vector(name: str, x: np.ndarray) -> str:
        return ", ".join(f"{name}{k}={c:.17g}" for k, c in enumerate(x, 1))

    axis = vector("n", e)
    last = {
        "closing class": f"submodel (Revolute) j3({axis})\n  connect coupler - j3, rocker:B at j3:B",
        "CutRevolute": f"submodel (CutRevolute) j3({axis})\n  connect j3 at (rocker:B, coupler:B)",
    }
    model = made(
        tmp_path,
        f"""@{library}.lib
model M
  submodel (Inertial) i({vector("ng", down)})
  submodel (Revolute) j1({axis}) (ic q=1.2, w=6), j2({axis}), j4({axis})
  submodel (Bar) crank({vector("r", u)}), coupler({vector("r", 2 * u)}), rocker({vector("r", 1.5 * u)})
  submodel (Bar) ground({vector("r", 2 * u)})
  submodel (Body) b1(m=1, {vector("r", u / 2)}, I11=0.1, I22=0.1, I33=0.1)
  submodel (Body) b2(m=2, {vector("r", u)}, I11=0.3, I22=0.3, I33=0.3)
  submodel (Body) b3(m=1, {vector("r", 0.7 * u + 0.2 * e)}, I11=0.2, I22=0.2, I33=0.2)
  connect b1 at j1, b2 at j2, b3 at j4
  connect i - j1 - crank - j2 - coupler, i - ground - j4 - rocker
  {last[kind]}
end
""",
    )
    assert removed(model) == 3
    r = model.simulate(stop=0.5, tolerance=1e-10, interval=0.1)
    sides = np.array([u, v, e]).T
    for k in range(len(r.time)):
        motion = {n: [r[f"{n}.{x}"][k] for x in ("q", "w", "wd")] for n in ("j1", "j2", "j4")}
        crank = GROUND.hinge(e, *motion["j1"])
        coupler = crank.at(u).hinge(e, *motion["j2"])
        rocker = GROUND.at(2 * u).hinge(e, *motion["j4"])
        bodies = ((crank, 1, u / 2, 0.1), (coupler, 2, u, 0.3), (rocker, 1, 0.7 * u + 0.2 * e, 0.2))
        ends = ((0, None, crank), (1, 0, coupler), (2, None, rocker), (1, 2, rocker.at(1.5 * u)))
        hinges = [Reaction(on, back, f.place, f.turn @ sides, (0, 1), (0, 1, 2)) for on, back, f in ends]
        wanted = least_norm(hinges, [f.needs(m, middle, (i, i, i), 9.81 * down) for f, m, middle, i in bodies])
        assert wanted.rank == 17
        table.ranks(wanted, model)
        size = max(np.abs(np.concatenate(wanted.reactions)))
        for name, reaction in zip(("j1", "j2", "j4"), wanted.reactions, strict=False):
            torque, force = sides.T @ row(r, f"{name}.f", "123", k), sides.T @ row(r, f"{name}.f", "456", k)
            table.reactions([*torque[:2], *force], reaction, 1e-8 * size)


def test_friction_in_an_overconstrained_loop(tmp_path: Path) -> None:
    """Friction of a bearing by the forces in the plane, which are unique: the motion is that with a pin."""
    text = FOURBAR.replace("j2(n3=1), j4", "j4").replace("ng2=-0.6, ng3=-0.8", "ng2=-1")
    text = text.replace(
        "  submodel (Bar)", "  submodel (RubbingRevolute) j2(n3=1, mu=0.1, radius=0.05)\n  submodel (Bar)", 1
    )
    closed = [
        made(tmp_path, text.format(library="mbsdir", closed=LAST[kind][0])).simulate(stop=1, tolerance=1e-9)
        for kind in ("closing class", "CutPlanar")
    ]
    for time in (0.25, 0.5, 1):
        assert closed[0].at(time)["j1.q"] == pytest.approx(closed[1].at(time)["j1.q"], abs=1e-7)
    friction = closed[0]["j2.t0"]
    assert np.ptp(friction) > 0.1


BRICARD = Path(__file__).parents[2] / "examples" / "bricard.mdl"
HINGES = ((0, 1, 0), (0, 0, 1), (1, 0, 0)) * 2
LINKS = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1))


@pytest.mark.parametrize("library", LIBRARIES)
def test_bricards_linkage(table: Table, tmp_path: Path, library: str) -> None:
    """One of six closures follows from a combination of the others that changes with the motion."""
    model = made(tmp_path, BRICARD.read_text().replace("mbsdir", library).replace("Inertial) i", "Inertial) i(ng3=-1)"))
    assert removed(model) == 1
    r = model.simulate(stop=2, tolerance=1e-10, interval=0.2)
    gravity = np.array([0, 0, -9.81])
    for k in range(len(r.time)):
        frame, wrenches, hinges = GROUND, [], []
        for n, (axis, link) in enumerate(zip(HINGES, LINKS, strict=True)):
            frame = frame.hinge(axis, *[r[f"j{n + 1}.{v}"][k] for v in ("q", "w", "wd")])
            number = axis.index(1)
            if n < 5:
                inertia = [0.0 if c else 0.1 for c in link]
                wrenches.append(frame.needs(1, np.array(link) / 2, inertia, gravity))
                hinges.append(hinge_reaction(n, n - 1 if n else None, frame, number))
            else:  # the ground's link is carried by the last one
                across = tuple(m for m in range(3) if m != number)
                hinges.append(Reaction(4, None, frame.place, -frame.turn, across, (0, 1, 2)))
            frame = frame.at(link)
        table.motion(frame.place, 0, 1e-9)
        wanted = least_norm(hinges, wrenches)
        assert wanted.rank == 29
        table.ranks(wanted, model)
        size = max(np.abs(np.concatenate(wanted.reactions)))
        for n, axis in enumerate(HINGES):
            table.reactions(joint(r, f"j{n + 1}", axis.index(1), k), wanted.reactions[n], 1e-6 * size)


BENNETT = """@{library}.lib
model M
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n3=1) (ic q=1.2, w=2), j2(n3=1, near=2.7), j3(n3=1, near=-1.2)
  submodel (Fixed) l1(r1=1, n1=1, angle=pi/3), l2(r1=1/sin(pi/3), n1=1, angle=pi/2)
  submodel (Fixed) l3(r1=1, n1=1, angle=pi/3), l4(r1=-1/sin(pi/3), n1=1, angle=-pi/2)
  submodel (Body) b1(m=1, r1=0.5, I11=0.1, I22=0.1, I33=0.1), b2(m=2, r1=0.5, I11=0.1, I22=0.2, I33=0.3)
  submodel (Body) b3(m=1, r1=0.5, I11=0.1, I22=0.1, I33=0.1)
  submodel (CutRevolute) j4(n3=1)
  connect i - j1 - l1 - j2 - l2 - j3 - l3, i - l4, j4 at (l4:B, l3:B)
  connect b1 at j1, b2 at j2, b3 at j3
end
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_bennetts_linkage_closed_by_a_cut_hinge(table: Table, tmp_path: Path, library: str) -> None:
    """tan(q1/2)*tan(q2/2) = sin((b + a)/2)/sin((b - a)/2) (G. T. Bennett, Engineering 76 (1903) 777).

    Four hinges in space hold two coordinates more than they can: the cut hinge's five constraints of three
    coordinates have rank 2.
    """
    model = made(tmp_path, BENNETT.format(library=library))
    assert removed(model) == 3
    r = model.simulate(stop=1, tolerance=1e-10, interval=0.1)
    ratio = np.sin(np.pi * 75 / 180) / np.sin(np.pi * 15 / 180)
    table.motion(np.tan(r["j1.q"] / 2) * np.tan(r["j2.q"] / 2), ratio, 1e-8 * ratio)
    assert np.ptp(r["j1.q"]) > 0.5
    gravity = np.array([0, 0, -9.81])
    twists = [GROUND.hinge((1, 0, 0), angle, 0, 0).turn for angle in (np.pi / 3, np.pi / 2, np.pi / 3)]
    masses = ((1, (0.1, 0.1, 0.1)), (2, (0.1, 0.2, 0.3)), (1, (0.1, 0.1, 0.1)))
    for k in range(len(r.time)):
        frame, wrenches, hinges = GROUND, [], []
        for n, ((mass, inertia), length, twist) in enumerate(
            zip(masses, (1, 1 / np.sin(np.pi / 3), 1), twists, strict=True)
        ):
            frame = frame.hinge((0, 0, 1), *[r[f"j{n + 1}.{v}"][k] for v in ("q", "w", "wd")])
            wrenches.append(frame.needs(mass, (0.5, 0, 0), inertia, gravity))
            hinges.append(hinge_reaction(n, n - 1 if n else None, frame, 2))
            frame = frame.at((length, 0, 0), twist)
        hinges.append(
            hinge_reaction(2, None, GROUND.at(frame.place, GROUND.hinge((1, 0, 0), -np.pi / 2, 0, 0).turn), 2)
        )
        wanted = least_norm(hinges, wrenches)
        table.ranks(wanted, model)
        size = max(np.abs(np.concatenate(wanted.reactions)))
        for n in range(3):
            table.reactions(joint(r, f"j{n + 1}", 2, k), wanted.reactions[n], 1e-6 * size)
        table.reactions(row(r, "j4.f", "123", k), wanted.reactions[3][2:], 1e-6 * size)
