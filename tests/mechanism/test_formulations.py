"""Formulations: the same accelerations from all, and operations of arms beside published ones."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.mechanism.formulations.formulation import FORMULATIONS, comparison, formulation
from acausal.mechanism.functions.tree_functions import TreeFunctions
from tests.mechanism.arms import PUMA, STANFORD, arm
from tests.mechanism.random_trees import random_tree, symbolic

EXAMPLES = Path(__file__).parents[2] / "examples"
TOLERANCE = 1e-9
"""Of the largest acceleration, at least 1."""


def formulations_agree(random: Random) -> None:
    """Accelerations of a random tree at a random state, with random efforts."""
    made = random_tree(random, most=5)
    rng = np.random.default_rng(random.getrandbits(32))
    q = made.configuration(rng)
    v, tau = rng.normal(size=(2, len(made.tree.velocities)))
    found = {name: formulation(made.tree, name).accelerations(q, v, tau) for name in FORMULATIONS}
    largest = max(1.0, float(np.abs(found["mbsdir"]).max()))
    for name, accelerations in found.items():
        error = float(np.abs(accelerations - found["mbsdir"]).max()) / largest
        assert error < TOLERANCE, f"{name}: {error:.1e}"
    np.testing.assert_allclose(TreeFunctions(made.tree).inverse_dynamics(q, v, found["explicit"]), tau, atol=1e-8)


def test_formulations_agree() -> None:
    """`tests/long` has 50 trees."""
    formulations_agree(Random("formulations 0"))


def test_a_name_that_is_none() -> None:
    with pytest.raises(UsageError, match="formulations: explicit, recursive, absolute, mbsdir, mbsinv"):
        formulation(random_tree(Random("name")).tree, "lagrange")


def test_formulations_as_symbols() -> None:
    """M of a formulation is an expression; accelerations by linear equations are none."""
    found = formulation(random_tree(Random("symbols"), kinds=("prismatic",), most=2).tree, "recursive")
    assert found.mass_matrix is not None
    assert found.mass_matrix.to_sympy().shape == (2, 2)
    with pytest.raises(UsageError, match="solves linear equations"):
        found.accelerations.to_sympy()


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pendulum: m r^2 + I and m g r are known before, so that a cosine, products and a quotient are left."""
    file, code = tmp_path / "pendulum.mdl", tmp_path / "pendulum.py"
    text = "@mbsdir.lib\nmodel M\n  submodel (Inertial) i(ng2=-1)\n  submodel (Revolute) j(n3=1)\n"
    file.write_text(text + "  submodel (Body) b(m=2, r1=0.5, I33=0.1)\n  connect i to j, b at j\nend", encoding="utf-8")
    assert main(["mechanism", str(file), "--formulation", "explicit", "--code", str(code), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["formulation"] == "explicit"
    assert found["operations"]["explicit"]["functions"] == 1
    assert found["operations"]["mbsdir"]["mul"] <= 3
    call = "import pendulum; print(pendulum.explicit_accelerations([0.3], [1.0], [0.5])[0])"
    done = subprocess.run([sys.executable, "-c", call], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert float(done.stdout) == pytest.approx((0.5 - 2 * 9.81 * 0.5 * np.cos(0.3)) / 0.6, rel=1e-12)


def test_operations_of_the_manutec_r3_beside_published_ones() -> None:
    """Articulated bodies 727 multiplications and divisions, 493 additions; inverse dynamics 269 and 190.

    Otter, Elmqvist, Cellier, Modeling of multibody systems with the object-oriented modeling language Dymola, NATO ASI
    Computer Aided Analysis of Rigid and Flexible Mechanical Systems II (1993) 91-110, of a robot with another load.
    """
    counts = comparison(acausal.translate(EXAMPLES / "R3mbs.mdl").mechanism().functions.tree)
    direct, inverse = counts["mbsdir"], counts["inverse dynamics"]
    assert direct.mul + direct.div < 727
    assert direct.add < 493
    assert inverse.mul + inverse.div == pytest.approx(269, rel=0.06)
    assert inverse.add == pytest.approx(190, rel=0.06)


def test_operations_of_arms_beside_published_ones() -> None:
    """Inverse dynamics of arms with six joints and general inertias in numbers of multiplications and additions.

    Hollerbach, A recursive Lagrangian formulation of manipulator dynamics, IEEE Trans. Systems, Man and Cybernetics 10
    (1980) 730-736: Newton-Euler 150 n - 48 and 131 n - 48, 852 and 738 for n = 6, without regard to the arm. Zeros and
    ones of these arms save more than half; the angle of the vertical first joint does not matter.
    """
    for rows, sliding in ((PUMA, ()), (STANFORD, (2,))):
        tree = symbolic(arm(rows, (0.0, 0.0, -9.81), sliding).tree)
        efforts = TreeFunctions(tree).inverse_dynamics.operations
        assert efforts.mul + efforts.div < 852 / 2
        assert efforts.add < 738 / 2
        assert efforts.functions == 2 * 5 - 2 * len(sliding)
