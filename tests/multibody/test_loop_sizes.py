"""Sizes of the linear systems that loops leave after tearing, and that there are none smaller.

With mbsdir.lib the accelerations are affine in the m cut forces by formulas, and these are left; with the motion known
there is no system of accelerations in either library, and not more than the cut forces is left.

Accelerations for forces are not what mbsinv.lib is for: there a tree of n joints leaves the n of the mass matrix,
and a loop m + n, less those joints whose acceleration follows from the forces behind them: a body at the end of a
branch gives, by its own inertia, that of its joint, a body that is alone behind six of them that of all six.
An acceleration of another joint has factors that vary with the place of what hangs on it, in the equation of its
torque as in closures; by such a factor tearing does not divide. `exact_tearing` shows that no choice of tearing
variables does better.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import acausal.causalize.solve.solve_linear
from acausal.pipeline import translate
from acausal.structure.tearing import SOLVABLE, Tearing
from tests.multibody.test_mechanisms_planar import FOUR_BAR as PLANE
from tests.multibody.test_mechanisms_spatial import FOUR_BAR, RSSR, RSUR
from tests.structure.exact_tearing import least_number

EXAMPLES = Path(__file__).parents[2] / "examples"
Block = tuple[Sequence[Sequence[int]], Mapping[tuple[int, int], int], Tearing]


@pytest.fixture
def torn(monkeypatch: pytest.MonkeyPatch) -> list[Block]:
    """The linear blocks of a translation as they are torn."""
    blocks: list[Block] = []
    inside = acausal.causalize.solve.solve_linear.tear_linear_block

    def tear(rows: Sequence[Sequence[int]], solvable: Mapping[tuple[int, int], int]) -> Tearing:
        found = inside(rows, solvable)
        blocks.append((rows, solvable, found))
        return found

    monkeypatch.setattr(acausal.causalize.solve.solve_linear, "tear_linear_block", tear)
    return blocks


def _example(name: str) -> str:
    return (EXAMPLES / f"{name}.mdl").read_text(encoding="utf-8").replace("@mbsdir.lib", "@{library}.lib")


MODELS = {
    "plane four-bar": PLANE,
    "slider-crank": _example("slider_crank"),
    "RSSR": FOUR_BAR.replace("{coupler}", RSSR),
    "RSUR": FOUR_BAR.replace("{coupler}", RSUR),
    "suspension": _example("five_link"),
    "four-bar closed by connect": _example("fourbar"),
}


def _sizes(torn: Sequence[Block]) -> list[int]:
    """How many variables are left of each block, which no other tearing makes fewer."""
    for rows, solvable, found in torn:
        assert len(found.tearing_vars) == least_number(rows, solvable, SOLVABLE)
    return [len(found.tearing_vars) for _, _, found in torn]


@pytest.mark.parametrize(
    ("name", "forces", "direct", "joints", "ends"),
    [
        ("plane four-bar", 2, 2, 3, 2),
        ("slider-crank", 2, 2, 3, 2),
        ("RSSR", 1, 1, 2, 2),
        ("RSUR", 3, 3, 4, 2),
        ("suspension", 5, 5, 6, 6),
    ],
)
def test_accelerations_of_a_loop(
    tmp_path: Path, torn: list[Block], name: str, forces: int, direct: int, joints: int, ends: int
) -> None:
    """The cut forces with mbsdir.lib; with mbsinv.lib the accelerations of all but the last joints besides."""
    for library, wanted in (("mbsdir", direct), ("mbsinv", forces + joints - ends)):
        torn.clear()
        file = tmp_path / f"{library}.mdl"
        file.write_text(MODELS[name].replace("{library}", library), encoding="utf-8")
        translate(file)
        assert max(_sizes(torn)) == wanted


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
@pytest.mark.parametrize(
    ("name", "known", "drop", "forces"),
    [
        ("plane four-bar", "crank.q", " (ic q=1.2, w=6)", 2),
        ("RSUR", "crank.q", " (ic q=0.5, w=20)", 3),
        ("four-bar closed by connect", "j1.q", " (ic q=0, w=5*pi/3)", 6),
    ],
)
def test_forces_of_a_loop_for_a_motion(
    tmp_path: Path, torn: list[Block], library: str, name: str, known: str, drop: str, forces: int
) -> None:
    file = tmp_path / "m.mdl"
    file.write_text(MODELS[name].replace("{library}", library).replace(drop, ""), encoding="utf-8")
    assert translate(file, known=[known]).statistics["states"] == 0
    assert max(_sizes(torn), default=0) <= forces
