"""Degrees of freedom and reactions of linkages, beside published numbers and closed forms."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from acausal import UsageError, translate
from acausal.mechanism_analysis import MechanismAnalysis
from tests.mechanism.linkages import DOOR, FIVE_BARS, ISOSTATIC_SLIDER_CRANK, RSSR, SLIDER_CRANK

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def mechanism(text: str) -> MechanismAnalysis:
    """The mechanism of a text."""
    return translate("m.mdl", text=text).mechanism()


@pytest.mark.parametrize(
    ("text", "count", "rank", "redundancy"),
    [
        pytest.param(SLIDER_CRANK, -2, 1, 3, id="slider-crank"),
        pytest.param(ISOSTATIC_SLIDER_CRANK, 1, 1, 0, id="slider-crank with a ball"),
        pytest.param(RSSR, 2, 2, 0, id="RSSR"),
        pytest.param(FIVE_BARS, -6, 1, 7, id="five bars"),
        pytest.param(DOOR, -4, 1, 5, id="door"),
    ],
)
def test_degrees_of_freedom(text: str, count: int, rank: int, redundancy: int) -> None:
    """Gruebler's count by hand, 6*bodies - 5 a hinge or slide - 3 a ball, and the mobility of these linkages."""
    found = mechanism(text).degrees_of_freedom()
    assert (found.count, found.rank, found.redundancy) == (count, rank, redundancy)
    assert found.rank - found.count == found.redundancy
    assert found.poses == 3


def test_bricard_moves_though_counting_forbids_it() -> None:
    """Six hinges at a cube: Gruebler's count is 0, it has one degree of freedom (Bricard 1897)."""
    found = translate(EXAMPLES / "bricard.mdl").mechanism().degrees_of_freedom()
    assert (found.count, found.rank, found.redundancy) == (0, 1, 1)
    assert found.poses == 3
    assert "Bricard" in found.reasons[1]


def test_spatial_fourbar_is_regular() -> None:
    found = translate(EXAMPLES / "fourbar.mdl").mechanism().degrees_of_freedom()
    assert (found.count, found.rank, found.redundancy) == (1, 1, 0)


def test_rod_between_balls_turns_idly() -> None:
    assert "The body b can move while all others rest: 1 degree of freedom is idle." in (
        mechanism(RSSR).degrees_of_freedom().reasons
    )


@pytest.mark.parametrize("at", [None, 0.7])
def test_reactions_in_the_plane_are_unique(at: float | None) -> None:
    """In a planar linkage of spatial hinges the force in the plane is unique; what acts across it is not."""
    found = mechanism(SLIDER_CRANK).reactions(at)
    across = {"f3", "t1", "t2"}
    assert {c.component for c in found.components if not c.unique} == across
    assert all(c.unique != (c.component in across) for c in found.components if c.joint != "piston")
    assert [c.component for c in found.components if c.joint == "piston" and c.unique] == ["t3", "f2"]
    assert found.redundancy == 3


def test_reactions_without_redundancy_are_unique() -> None:
    """They are those of the overconstrained linkage, where these are unique: the motion is the same."""
    found, other = mechanism(ISOSTATIC_SLIDER_CRANK).reactions(0.7), mechanism(SLIDER_CRANK).reactions(0.7)
    assert found.undetermined == ()
    for name in ("crank.f1", "crank.f2", "knee.f1", "knee.f2", "pin.f1", "pin.f2", "piston.f2"):
        assert found[name].value == pytest.approx(other[name].value, rel=1e-6)
        assert other[name].unique


def test_axial_forces_of_a_third_crank_are_not_unique() -> None:
    """Three parallel cranks share what acts along them; across each, its own motion decides."""
    found = mechanism(FIVE_BARS).reactions()
    assert [found[f"{j}.f1"].unique for j in ("a1", "a2", "a3")] == [True] * 3
    assert [found[f"{j}.f2"].unique for j in ("a1", "a2", "a3")] == [False] * 3
    assert [found[f"{j}.f2"].unique for j in ("b1", "b2", "b3")] == [False] * 3


def test_axes_of_the_inertial_frame() -> None:
    """With the crank at 0.5 rad neither component of an axial force alone is unique there."""
    found = mechanism(FIVE_BARS).reactions(axes="inertial")
    assert [found[f"a1.{c}"].unique for c in ("f1", "f2")] == [False, False]
    own = mechanism(FIVE_BARS).reactions()
    turned = np.array([[np.cos(0.5), -np.sin(0.5)], [np.sin(0.5), np.cos(0.5)]]) @ [
        own["a1.f1"].value,
        own["a1.f2"].value,
    ]
    assert [found["a1.f1"].value, found["a1.f2"].value] == pytest.approx(turned, rel=1e-9)


def test_elastic_hinges_of_a_door() -> None:
    """The upper hinge gives three times as much: k*phi*(1 + 1/3 + 1) = 49.05*0.4 with F = k*phi/2, weight as 3 to 1."""
    found = mechanism(DOOR).reactions(compliances={"low": (1e-6, 1e-6), "high": (3e-6, 3e-6)})
    torque = 49.05 * 0.4 * 3 / 7
    expected = {"low.f3": 49.05 * 0.75, "high.f3": 49.05 * 0.25, "low.f1": torque / 2, "high.f1": -torque / 2}
    expected |= {"low.t2": -torque, "high.t2": -torque / 3, "low.f2": 0, "low.t1": 0}
    assert {name: found[name].value for name in expected} == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert found.elastic
    assert not found["low.f3"].unique


def test_elastic_reactions_leave_unique_ones() -> None:
    plain = mechanism(SLIDER_CRANK).reactions()
    elastic = mechanism(SLIDER_CRANK).reactions(compliances={"knee": (1e-6, 1e-5), "pin": 1e-6, "crank": (2e-6, 1e-6)})
    for one, other in zip(plain.components, elastic.components, strict=True):
        assert one.value is not None
        assert not one.unique or other.value == pytest.approx(one.value, rel=1e-9, abs=1e-9)


def test_regrouped_libraries_have_no_forces_of_joints() -> None:
    """Whether reactions are unique is known all the same."""
    found = mechanism(SLIDER_CRANK.replace("mbsdir.lib", "mbsdir_regrouped.lib")).reactions()
    assert {c.value for c in found.components} == {None}
    assert len(found.undetermined) == len(mechanism(SLIDER_CRANK).reactions().undetermined)


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ({"axes": "world"}, "F006", "unknown axes 'world'"),
        ({"compliances": {"hinge": 1e-6}}, "F005", "unknown joint hinge"),
        ({"compliances": {"low": -1.0}}, "F006", "the compliances of low must be one or two numbers, 0 or greater"),
    ],
)
def test_mistakes(arguments: dict[str, object], code: str, text: str) -> None:
    with pytest.raises(UsageError) as error:
        mechanism(DOOR).reactions(**arguments)  # type: ignore[arg-type]
    (found,) = error.value.report.diagnostics
    assert (found.code, found.message) == (code, text)
