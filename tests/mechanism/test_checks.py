"""Balances of runs: all examples, and a wrong force that must be found."""

from functools import cache
from pathlib import Path

import pytest

from acausal import UsageError, translate
from acausal.mechanism.checks.power_balance import check_energy
from acausal.mechanism.model import Mechanism
from acausal.results.result import Result
from tests.mechanism.linkages import SLIDER_CRANK

EXAMPLES = Path(__file__).parents[2] / "examples"
MECHANISMS = (
    *("R3mbs", "bricard", "cart_pole", "double_pendulum", "five_link", "floating_arm", "fourbar", "robot"),
    *("robot_brakes", "slider_crank", "stewart"),
)
WITHOUT_CUTS = ("distillation", "pendulum")
"""The equations of one are its own, the cuts of the other carry signals."""


@pytest.mark.parametrize("file", sorted(EXAMPLES.rglob("*.mdl")), ids=lambda file: file.stem)
def test_power_balances_at_every_cut(file: Path) -> None:
    found = translate(file).check_energy()
    assert found.holds
    assert found.imbalance < 1e-9
    assert (found.mechanism is not None) == (file.stem in MECHANISMS)
    if found.mechanism is not None:
        assert found.mechanism.force_imbalance < 1e-7
        assert found.mechanism.largest_power > 0.1
        assert found.mechanism.cuts
    elif file.stem in WITHOUT_CUTS:
        assert not found.power.nodes
    else:
        assert found.power.largest_power > 0.01
        assert found.power.through_imbalance < 1e-12
        assert all(node.power is not None for node in found.power.nodes if node.through is not None)


def test_the_masses_of_the_run_count() -> None:
    """A mechanism is checked with the parameters that its run had, not with those of the translation."""
    translation = translate("m.mdl", text=SLIDER_CRANK)
    result = translation.simulate(stop=0.5, interval=0.1, parameters={"a.m": 7})
    assert translation.check_energy(result).holds


def test_energy_and_work_of_a_pendulum_with_a_drive() -> None:
    """A constant torque of 2 N.m over the way q: the energy grows by 2*q, to the error of the trapezoids."""
    text = (
        "@mbsdir.lib\n@rotational.lib\nmodel M\n  submodel (signaltorque) motor\n"
        "  submodel (Inertial) i(ng2=-1)\n  submodel (Revolute) j(n3=1)\n"
        "  submodel (Body) b(m=3, r1=0.5, I33=0.2)\n  connect i - j, b at j, motor at j:Axis\n  motor.torque = 2\n"
        "  experiment (stop=2, interval=0.001, tolerance=1e-10)\nend\n"
    )
    translation = translate("m.mdl", text=text)
    found = translation.mechanism().check_energy()
    q = translation.simulate()["j.q"]
    assert found.energy[-1] - found.energy[0] == pytest.approx(2 * (q[-1] - q[0]), rel=1e-7)
    assert found.work[-1] == pytest.approx(2 * (q[-1] - q[0]), rel=1e-5)


class Changed(Result):
    """A result with one variable 1 % larger."""

    def __init__(self, result: Result, name: str) -> None:
        self.__dict__.update(result.__dict__)
        self._name = name

    def __getitem__(self, name):  # as Result has it
        return 1.01 * super().__getitem__(name) if name == self._name else super().__getitem__(name)


@cache
def crank_run() -> tuple[Mechanism, Result]:
    """A slider-crank and a run of it."""
    translation = translate("m.mdl", text=SLIDER_CRANK)
    return translation.mechanism().model, translation.simulate(stop=1, interval=0.1)


@pytest.mark.parametrize("name", ["knee.f[5]", "knee.v[5]", "knee.a[5]", "crank.v[3]", "loop1.f[4]"])
def test_wrong_values_are_found(name: str) -> None:
    model, result = crank_run()
    assert check_energy(model, result).holds
    assert not check_energy(model, Changed(result, name)).holds


def test_regrouped_libraries_are_refused() -> None:
    found = translate("m.mdl", text=SLIDER_CRANK.replace("mbsdir.lib", "mbsdir_regrouped.lib")).mechanism()
    with pytest.raises(UsageError) as error:
        found.check_energy(1.0)
    assert "do not carry the forces" in error.value.report.diagnostics[0].message
    with pytest.raises(UsageError):
        found.reactions(compliances={"knee": 1e-6})
    assert "one of many" not in found.report()
    assert "without values" in found.report()
