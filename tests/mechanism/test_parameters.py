"""Base parameters: published sets and counts; rules against the decomposition; identification of known parameters."""

from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

import acausal
from acausal.base.diagnostics import UsageError
from acausal.mechanism.functions.tree_functions import TreeFunctions
from acausal.mechanism.parameters.closed_loops import ClosedLoops
from acausal.mechanism.parameters.motions import LoopMotions
from acausal.mechanism.parameters.tree_parameters import TreeParameters
from tests.mechanism.arms import PLANAR, PUMA, STANFORD, arm
from tests.mechanism.random_trees import RandomTree, random_tree
from tests.mechanism.test_tree import FOUR_BAR

Array = NDArray[np.float64]
DOWN, ACROSS = (0.0, 0.0, -9.81), (0.0, -9.81, 0.0)


def _parameters(made: RandomTree) -> TreeParameters:
    return TreeParameters(TreeFunctions(made.tree))


def rules_agree(random: Random) -> None:
    """The rules and the decomposition give the same space of parameters; regressor times parameters is the effort."""
    made = random_tree(random, most=6)
    parameters = _parameters(made)
    rng = np.random.default_rng(random.getrandbits(32))
    q = made.configuration(rng)
    v, a = rng.normal(size=(2, len(made.tree.velocities)))
    efforts = parameters.functions.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(parameters.regressor(q, v, a) @ parameters.values, efforts, atol=1e-10)
    rules, found = parameters.regrouping, parameters.independent
    assert len(rules) == found.rank == np.linalg.matrix_rank(rules)
    assert np.linalg.matrix_rank(np.vstack([rules, found.regrouping]), tol=1e-7) == found.rank


@pytest.mark.parametrize(
    ("rows", "gravity", "sliding", "count"),
    [
        (PLANAR[:2], DOWN, (), 4),
        (PLANAR[:2], ACROSS, (), 6),
        (PLANAR, DOWN, (), 7),
        (PLANAR, ACROSS, (), 9),
    ],
    ids=["2R, gravity along the axes", "2R", "3R, gravity along the axes", "3R"],
)
def test_published_counts(
    rows: tuple[tuple[float, float, float], ...],
    gravity: tuple[float, float, float],
    sliding: tuple[int, ...],
    count: int,
) -> None:
    """A hinge that turns in a plane has 3, along a first vertical axis only its moment of inertia.

    Khalil, Dombre, Modeling, Identification and Control of Robots (2002), chapter 9.
    """
    parameters = _parameters(arm(rows, gravity, sliding))
    assert len(parameters.base_parameters) == parameters.independent.rank == count


def test_rules_for_spatial_arms() -> None:
    """A general hinge has 7, a slide 4, a first vertical hinge 1: 36 of the PUMA 560, as in Khalil, Dombre (2002)."""
    assert len(_parameters(arm(PUMA, DOWN)).base_parameters) == 36
    assert len(_parameters(arm(STANFORD, DOWN, (2,))).base_parameters) == 33


def spatial_arms_agree(_random: Random) -> None:
    """The decomposition gives as many base parameters as the rules, and combinations of the same ones."""
    for rows, sliding in ((PUMA, ()), (STANFORD, (2,))):
        parameters = _parameters(arm(rows, DOWN, sliding))
        rules, found = parameters.regrouping, parameters.independent
        assert len(rules) == found.rank
        assert np.linalg.matrix_rank(np.vstack([rules, found.regrouping]), tol=1e-7) == found.rank


def test_set_of_the_planar_arm() -> None:
    """Izz1 + L^2 m2, mx1 + L m2, my1; Izz2, mx2, my2: Khalil, Dombre (2002), section 9.4."""
    parameters = _parameters(arm(PLANAR[:2], ACROSS))
    assert [p.name for p in parameters.base_parameters] == [
        *("j0.Izz", "j0.mx", "j0.my"),
        *("j1.Izz", "j1.mx", "j1.my"),
    ]
    expected = np.zeros((6, 20))
    expected[range(6), [5, 6, 7, 15, 16, 17]] = 1.0
    expected[0:2, 19] = 1.0
    np.testing.assert_allclose(parameters.regrouping, expected, atol=1e-14)


def test_rules_on_a_random_tree() -> None:
    """`tests/long` has a hundred."""
    rules_agree(Random("base parameters 2"))


@pytest.mark.parametrize("closure", ["CutPlanar", "CutRevolute"])
@pytest.mark.parametrize(("gravity", "count"), [("ng2=-1", 8), ("ng3=-1", 4)], ids=["", "gravity across the plane"])
def test_base_parameters_of_a_fourbar(closure: str, gravity: str, count: int) -> None:
    """By hand: with the velocities of its ends a coupler of length L is two masses m - mx/L and mx/L there, and a rest.

    Izz - L mx and my are left of it; what is at the ends counts with the crank and the rocker, whose mx and my gravity
    feels. Without gravity in the plane these have an Izz each.
    """
    parameters = _fourbar(closure, gravity)
    crank, coupler, rocker, share = 1.0, 2.0, 1.5, {"knee.m": 1.0, "knee.mx": -1 / 2.0}
    base: list[dict[str, float]] = [
        {"crank.Izz": 1.0} | {name: crank**2 * x for name, x in share.items()},
        {"rocker.Izz": 1.0, "knee.mx": rocker**2 / coupler},
        {"knee.Izz": 1.0, "knee.mx": -coupler},
        {"knee.my": 1.0},
        {"crank.mx": 1.0} | {name: crank * x for name, x in share.items()},
        {"rocker.mx": 1.0, "knee.mx": rocker / coupler},
        {"crank.my": 1.0},
        {"rocker.my": 1.0},
    ]
    by_hand = np.array([[row.get(name, 0.0) for name in parameters.names] for row in base[:count]])
    found = parameters.independent
    assert found.rank == count
    assert np.linalg.matrix_rank(np.vstack([by_hand, found.regrouping]), tol=1e-6) == count


def test_identification_of_a_fourbar() -> None:
    """Driven at the crank, with noise; poses with open loops and rules are refused."""
    parameters = _fourbar("CutPlanar", "ng2=-1")
    loops = parameters._loops
    assert loops is not None
    q, v, a = loops.random_states(300, 5)
    free, power = loops.projected(
        q, np.tile(np.eye(3), (300, 1, 1)), parameters.functions.inverse_dynamics.batch(q, v, a)
    )
    tau = np.zeros((300, 3))
    tau[:, 0] = power[:, 0] / free[:, 0, 0] + 0.05 * np.random.default_rng(6).normal(size=300)
    found = parameters.identify(q, v, a, tau)
    known = found.regrouping @ parameters.values
    assert np.all(np.abs(found.values - known) < 4 * found.standard_errors)
    assert np.all(found.standard_errors < 0.2 * np.abs(known).max())
    with pytest.raises(UsageError, match="row 0: the loops are not closed"):
        parameters.identify(q + 0.1, v, a, tau)
    with pytest.raises(UsageError, match="has closed loops"):
        parameters.base_parameters  # noqa: B018


def test_an_exciting_trajectory_of_a_fourbar() -> None:
    """With it the crank's torque determines the parameters better than with another motion of the same size."""
    parameters = _fourbar("CutPlanar", "ng2=-1")
    limits = {"crank.q": (0.2, 2.2), "rocker.q": (-3.0, 3.0)}
    best = parameters.exciting_trajectory(
        4.0, limits, velocity=3.0, acceleration=20.0, samples=40, independent=["crank.q"]
    )
    functions, loops = parameters.functions, parameters._loops
    assert loops is not None
    assert np.abs(functions.constraints.batch(best.q)).max() < 1e-10
    assert np.abs(np.einsum("mij,mj->mi", functions.constraint_jacobian.batch(best.q), best.v)).max() < 1e-10
    slopes = (np.roll(best.v, -1, axis=0) - np.roll(best.v, 1, axis=0)) / 0.2
    np.testing.assert_allclose(slopes, best.a, atol=0.1 * np.abs(best.a).max())
    assert np.abs(best.v).max() < 3.0 + 1e-5
    assert np.abs(best.a).max() < 20.0 + 1e-5
    assert best.q[:, 0].min() > 0.2 - 1e-5
    assert best.q[:, 0].max() < 2.2 + 1e-5
    w, t = np.pi / 2, best.times[:, None]
    usual = LoopMotions(functions.tree, loops, ["crank.q"]).whole(
        1.2 + 0.5 * np.sin(w * t) + 0.4 * np.cos(2 * w * t),
        0.5 * w * np.cos(w * t) - 0.8 * w * np.sin(2 * w * t),
        -0.5 * w**2 * np.sin(w * t) - 1.6 * w**2 * np.cos(2 * w * t),
    )
    assert usual is not None
    errors = [_standard_errors(parameters, loops, *motion) for motion in ((best.q, best.v, best.a), usual)]
    assert np.exp(np.mean(np.log(errors[1] / errors[0]))) > 5.0


def _standard_errors(parameters: TreeParameters, loops: ClosedLoops, q: Array, v: Array, a: Array) -> Array:
    """Those of parameters that are identified from the torque of the crank, with noise of 0.05 N.m."""
    free, power = loops.projected(
        q, np.tile(np.eye(3), (len(q), 1, 1)), parameters.functions.inverse_dynamics.batch(q, v, a)
    )
    tau = np.zeros((len(q), 3))
    tau[:, 0] = power[:, 0] / free[:, 0, 0] + 0.05 * np.random.default_rng(6).normal(size=len(q))
    found = parameters.identify(q, v, a, tau)
    known = found.regrouping @ parameters.values
    assert np.all(np.abs(found.values - known) < 4 * found.standard_errors)
    return found.standard_errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"independent": ["knee.q", "crank.q"]}, "does not determine the motion"),
        ({"independent": ["elbow.q"]}, "elbow.q is not a position"),
        ({"limits": {"elbow.q": (0, 1)}}, "elbow.q is not a position"),
        ({"limits": {"crank.q": (8.0, 9.0)}, "velocity": 0.01}, "no motion within the limits"),
    ],
)
def test_mistakes_of_exciting_trajectories(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        _fourbar("CutPlanar", "ng2=-1").exciting_trajectory(4.0, **arguments)  # type: ignore[arg-type]  # by case


@cache
def _fourbar(closure: str, gravity: str) -> TreeParameters:
    text = FOUR_BAR.replace("CLOSURE", closure).replace("ng2=-1", gravity).replace("r1=1, I33", "r1=1, r2=0.2, I33")
    return acausal.translate(text).mechanism().parameters


def test_base_reactions() -> None:
    """At rest the base holds the weight: force -m g and its moment about the origin."""
    made = random_tree(Random("base reactions"), most=4)
    parameters = _parameters(made)
    q = made.configuration(np.random.default_rng(3))
    nothing = np.zeros(len(made.tree.velocities))
    force = parameters.base_regressor(q, nothing, nothing) @ parameters.values
    weight = sum(joint.mass for joint in made.joints) * made.gravity
    np.testing.assert_allclose(force[:3], -weight, atol=1e-12)
    center = parameters.functions.center_of_mass(q)
    np.testing.assert_allclose(force[3:], -np.cross(center, weight), atol=1e-12)


def test_identification_from_noisy_motion() -> None:
    """Known parameters lie within the intervals as often as these say, and the errors scale with the noise."""
    parameters = _parameters(arm(PLANAR[:2], ACROSS))
    rng = np.random.default_rng(5)
    q, v, a = rng.normal(size=(3, 400, 2))
    exact = parameters.functions.inverse_dynamics.batch(q, v, a)
    truth = parameters.independent.regrouping @ parameters.values
    noise = np.array([0.5, 0.05])
    shares = []
    for _ in range(40):
        found = parameters.identify(q, v, a, exact + noise * rng.normal(size=exact.shape))
        np.testing.assert_allclose(found.deviations, noise, rtol=0.15)
        shares.append(np.abs(found.values - truth) / found.standard_errors)
    assert found.names == ("j0.Izz", "j0.mx", "j0.my", "j1.Izz", "j1.mx", "j1.my")
    inside = np.mean(np.array(shares) < 1.96)
    assert 0.88 < inside < 0.99


def test_motion_that_determines_nothing() -> None:
    parameters = _parameters(arm(PLANAR[:2], ACROSS))
    q = np.zeros((10, 2))
    with pytest.raises(UsageError, match="does not determine the base parameters"):
        parameters.identify(q, q, q, q)


def test_an_exciting_trajectory_keeps_its_limits_and_is_better_than_random() -> None:
    parameters = _parameters(arm(PLANAR[:2], ACROSS))
    limits = {"j0.q": (-0.5, 1.0), "j1.q": (-2.0, 2.0)}
    found = parameters.exciting_trajectory(4.0, limits, velocity=2.0, acceleration=8.0, samples=40)
    assert found.q[:, 0].min() > -0.5 - 1e-5
    assert found.q[:, 0].max() < 1.0 + 1e-5
    assert np.abs(found.v).max() < 2.0 + 1e-5
    assert np.abs(found.a).max() < 8.0 + 1e-5
    slope = np.gradient(found.q, found.times, axis=0)[1:-1]
    np.testing.assert_allclose(slope, found.v[1:-1], atol=0.1)
    assert found.condition < 15.0
