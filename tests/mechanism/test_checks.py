"""Balances of runs: all examples, and a wrong force that must be found."""

from functools import cache
from pathlib import Path

import pytest

from acausal import UsageError, translate
from acausal.mechanism.checks.power_balance import check_energy
from acausal.mechanism.model import Mechanism
from acausal.results.result import Result
from tests.mechanism.linkages import SLIDER_CRANK

ROOT = Path(__file__).parents[2]
MODELS = (
    *[f"{name}.mdl" for name in ("double_pendulum", "slider_crank", "fourbar", "bricard", "cart_pole", "five_link")],
    *("R3mbs.mdl", "stewart.mdl", "robot_brakes.mdl", "robot/robot.mdl"),
)


@pytest.mark.parametrize("name", MODELS)
def test_power_balances_at_every_cut(name: str) -> None:
    translation = translate(ROOT / "examples" / name)
    found = translation.mechanism().check_energy(translation.program.experiment.stop)
    assert found.imbalance < 1e-9
    assert found.force_imbalance < 1e-7
    assert found.largest_power > 0.1
    assert len(found.cuts) == len(translation.mechanism().model.frames) - 1


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
