"""Formulations: the same accelerations from all, and operations of arms beside published ones."""

import ctypes
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.mechanism.formulations.formulation import FORMULATIONS, comparison, formulation
from acausal.mechanism.functions.tree_function import TreeFunction
from acausal.mechanism.functions.tree_functions import TreeFunctions
from acausal.symbolic.sympy_bridge import to_sympy
from tests.mechanism.arms import PUMA, STANFORD, arm
from tests.mechanism.random_trees import closed_tree, random_tree, symbolic
from tests.mechanism.test_tree import FOUR_BAR
from tests.targets.c.machine import WARNINGS, compiler

EXAMPLES = Path(__file__).parents[2] / "examples"
TOLERANCE = 1e-9
"""Of the largest acceleration, at least 1."""


def formulations_agree(random: Random) -> None:
    """Accelerations of a random tree, or one with a closed loop, at a random state with random efforts."""
    made = random_tree(random, most=5)
    rng = np.random.default_rng(random.getrandbits(32))
    q = made.configuration(rng)
    tree = closed_tree(made, q, random) if random.random() < 0.5 else made.tree
    v, tau = rng.normal(size=(2, len(tree.velocities)))
    if tree.closures:
        v -= np.linalg.pinv(jacobian := TreeFunctions(tree).constraint_jacobian(q)) @ jacobian @ v
    found = {name: formulation(tree, name).accelerations(q, v, tau) for name in FORMULATIONS}
    largest = max(1.0, float(np.abs(found["absolute"]).max()))
    for name, accelerations in found.items():
        error = float(np.abs(accelerations - found["absolute"]).max()) / largest
        assert error < TOLERANCE, f"{name}: {error:.1e}"
    if not tree.closures:
        np.testing.assert_allclose(TreeFunctions(tree).inverse_dynamics(q, v, found["explicit"]), tau, atol=1e-8)


@pytest.mark.parametrize("number", [1, 2])
def test_formulations_agree(number: int) -> None:
    """A tree and a closed loop; `tests/long` has 50."""
    formulations_agree(Random(f"mechanisms, formulations {number}"))


def test_a_name_that_is_none() -> None:
    with pytest.raises(UsageError, match="formulations: explicit, recursive, absolute, mbsdir, mbsinv"):
        formulation(random_tree(Random("name")).tree, "lagrange")


def test_formulations_as_symbols() -> None:
    """M of a formulation is an expression."""
    found = formulation(random_tree(Random("symbols"), kinds=("prismatic",), most=2).tree, "recursive")
    assert found.mass_matrix is not None
    assert found.mass_matrix.to_sympy().shape == (2, 2)


@pytest.mark.parametrize("name", ["recursive", "mbsdir"])
def test_exports_of_a_closed_loop(name: str, tmp_path: Path) -> None:
    """C and Python compute what the native code does, and so does SymPy with numbers."""
    found = acausal.translate(FOUR_BAR.replace("CLOSURE", "CutPlanar")).mechanism().formulation(name).accelerations
    given = [np.array([1.2, -0.4, 0.9]), np.array([6.0, -2.0, 1.0]), np.array([1.0, 2.0, 3.0])]
    expected = found(*given)
    module = ModuleType("exported")
    exec(found.to_python(), module.__dict__)  # noqa: S102  # our own text
    assert np.array_equal(getattr(module, f"{name}_accelerations")(*given), expected)
    assert np.array_equal(_in_c(found, tmp_path, given), expected)
    known = {to_sympy(p.symbol): p.value for p in found._parameters}
    for argument, row in zip(found.arguments, given, strict=True):
        known |= {to_sympy(leaf): number for leaf, number in zip(argument.leaves, row, strict=True)}
    rates = {leaf: number for leaf, number in known.items() if leaf.is_Derivative}
    numbers = found.to_sympy().subs(rates).subs(known).doit()
    np.testing.assert_allclose(np.array(numbers, dtype=float)[:, 0], expected, rtol=1e-12)


def _in_c(function: TreeFunction, folder: Path, given: list[np.ndarray]) -> np.ndarray:
    """The result of the exported text of C, compiled."""
    (folder / "f.c").write_text(function.to_c(), encoding="utf-8")
    command = [compiler(), *WARNINGS, "-shared", "-fPIC", "f.c", "-o", "f.so", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    library = ctypes.CDLL(str(folder / "f.so"))
    p, out = np.zeros(function.program.parameter_size), np.zeros(function.shape)
    getattr(library, f"{function.name}_parameters")(p.ctypes.data_as(ctypes.c_void_p))
    assert getattr(library, f"{function.name}_complete")(p.ctypes.data_as(ctypes.c_void_p)) == 0
    arrays = [x.ctypes.data_as(ctypes.c_void_p) for x in (*given, p, out)]
    assert getattr(library, function.name)(*arrays) == 0
    return out


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


def test_force_elements_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are no part of the equations, which have the efforts of the joints."""
    file = tmp_path / "sprung.mdl"
    text = "@mbsdir.lib\nmodel M\n  submodel (Inertial) i(ng2=-1)\n  submodel (Revolute) j(n3=1)\n"
    text += "  submodel (Body) b(m=2, r1=0.5, I33=0.1)\n  submodel (Torsional) s(n3=1, c=3)\n"
    file.write_text(text + "  connect i to j, b at j, s at (i, j:B)\nend", encoding="utf-8")
    assert main(["mechanism", str(file), "--formulation", "recursive"]) == 0
    assert "without s: the equations contain efforts of joints" in capsys.readouterr().out
    assert main(["mechanism", str(file), "--json"]) == 0
    (force,) = json.loads(capsys.readouterr().out)["forces"]
    assert (force["name"], force["class"], force["bodies"]) == ("s", "Torsional", ["ground", "b"])


def test_operations_of_the_manutec_r3_beside_published_ones() -> None:
    """Articulated bodies 727 multiplications and divisions, 493 additions; inverse dynamics 269 and 190.

    Otter, Elmqvist, Cellier, Modeling of multibody systems with the object-oriented modeling language Dymola, NATO ASI
    Computer Aided Analysis of Rigid and Flexible Mechanical Systems II (1993) 91-110, of a robot with another load.
    """
    counts = comparison(acausal.translate(EXAMPLES / "R3mbs.mdl").mechanism().functions.tree)
    direct, inverse = counts["mbsdir"], counts["inverse dynamics"]
    assert direct.mul + direct.div < 727
    assert direct.add < 493
    assert inverse.mul + inverse.div < 269
    assert inverse.add < 190


@pytest.mark.parametrize(
    ("rows", "sliding", "least"),
    [(PUMA, (), ((362, 313), (337, 234), (1055, 815))), (STANFORD, (2,), ((329, 284), (201, 160), (843, 661)))],
    ids=["PUMA 560", "Stanford arm"],
)
def test_operations_of_arms_beside_other_generators(
    rows: tuple[tuple[float, float, float], ...], sliding: tuple[int, ...], least: tuple[tuple[int, int], ...]
) -> None:
    """Multiplications with divisions, and additions: less than other symbolic generators of code need.

    Counted in the code that these have made for the same arms with ten inertial parameters a body, without friction:
    SYMORO (https://github.com/symoro/symoro, ba07d97; Newton-Euler, composite bodies, and direct dynamics, without what
    no result needs) and SymPyBotics (https://github.com/cdsousa/SymPyBotics, 5d4613a; inverse dynamics, mass matrix).
    They compute what parameters alone determine in each call, too. Hollerbach, A recursive Lagrangian formulation of
    manipulator dynamics, IEEE Trans. Systems, Man and Cybernetics 10 (1980) 730-736 has 852 and 738 for inverse
    dynamics of any six joints (150 n - 48, 131 n - 48).
    """
    functions = TreeFunctions(symbolic(arm(rows, (0.0, 0.0, -9.81), sliding).tree))
    made = functions.inverse_dynamics, functions.mass_matrix, functions.forward_dynamics
    for function, (multiplications, additions) in zip(made, least, strict=True):
        found = function.operations
        assert found.mul + found.div <= multiplications
        assert found.add <= additions
    assert made[0].operations.functions == 2 * 5 - 2 * len(sliding)
