"""How many operations the generated code takes: bounds for the robot of the literature and for long chains.

Published for the Manutec r3 tree (Otter, Elmqvist, Cellier 1993, mul + div / add + sub): direct 727/493, inverse
269/190, with the load's I21, I32, r2 zero. Parameters are symbolic, parameter-only code is not counted, as there.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from acausal.ir.program.instructions import Operations
from acausal.pipeline import translate
from acausal.translation import Translation
from tests.multibody.models import direct, inverse
from tests.multibody.trees import Joint, random_tree

R3 = Path(__file__).parents[2] / "examples" / "R3mbs.mdl"
PAPER_LOAD = "load(m=15, r1=0.1, r3=0.2, I11=0.5, I22=0.4, I33=0.3, I31=0.02)"


def counts(operations: object) -> tuple[int, int]:
    """Multiplications and divisions, additions and subtractions."""
    found = operations if isinstance(operations, Operations) else Operations(**operations)  # type: ignore[arg-type]
    return found.mul + found.div, found.add


@pytest.mark.parametrize(
    ("load", "option", "direct_bound", "inverse_bound"),
    [
        ("general", "", (430, 356), (226, 184)),
        ("paper", "", (408, 327), (215, 168)),
        ("general", "_regrouped", (387, 300), (194, 149)),
    ],
)
def test_manutec_r3(
    tmp_path: Path, load: str, option: str, direct_bound: tuple[int, int], inverse_bound: tuple[int, int]
) -> None:
    text = R3.read_text(encoding="utf-8")
    if load == "paper":
        start = text.index("load(")
        text = text.replace(text[start : text.index(")", start) + 1], PAPER_LOAD)
    for library, known, wanted, bound in (
        ("mbsdir", "t", "qdd", direct_bound), ("mbsinv", "q", "t", inverse_bound),
    ):  # fmt: skip
        file = tmp_path / "r3.mdl"
        file.write_text(text.replace("mbsdir.lib", library + option + ".lib"), encoding="utf-8")
        names = range(1, 7)
        made = translate(
            file, model="R3mbs", known=[f"{known}{k}" for k in names], outputs=[f"{wanted}{k}" for k in names]
        )
        assert made.statistics["linear_blocks"] == made.statistics["nonlinear_blocks"] == []
        found = counts(made.statistics["operations"])
        assert found[0] <= bound[0], found
        assert found[1] <= bound[1], found


def chain(count: int) -> list[Joint]:
    """Joints on the third axis behind fixed rotations about the first (any serial chain can be written so)."""
    one = random_tree(7, 1, ("Revolute",))[0]
    first, third = np.eye(3)[0], np.eye(3)[2]
    place = np.array([0.3, 0.0, 0.4])
    return [
        replace(one, parent=k - 1, axis=third, second=first, angle=0.4 + 0.01 * k, place=place, centre=one.centre)
        for k in range(count)
    ]


@pytest.mark.parametrize(
    ("make", "library", "bound"),
    [
        (direct, "mbsdir.lib", (202, 195)),
        (inverse, "mbsinv.lib", (91, 80)),
        (direct, "mbsdir_regrouped.lib", (191, 176)),
        (inverse, "mbsinv_regrouped.lib", (82, 72)),
    ],
)
def test_each_joint_of_a_chain_costs_the_same(
    tmp_path: Path, make: Callable[..., Translation], library: str, bound: tuple[int, int]
) -> None:
    """a*n + b with a within the bound; counted in full for n = 5, 10, 20, 50 by tests/bench/multibody.py."""
    found = [counts(make(chain(n), tmp_path, library=library).statistics["operations"]) for n in (3, 4, 5)]
    a = [y - x for x, y in zip(found[0], found[1], strict=True)]
    assert [y - x for x, y in zip(found[1], found[2], strict=True)] == a
    assert a[0] <= bound[0], a
    assert a[1] <= bound[1], a
