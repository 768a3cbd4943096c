"""Balances of power at nodes, and the energies that submodels take, against closed forms."""

import json
from pathlib import Path

import numpy as np
import pytest

from acausal import Translation, UsageError, read, translate
from acausal.analyses.power.balance import NodeBalance, PowerBalance, power_balance
from acausal.cli import main
from acausal.results.result import Result

RC = """@electrical.lib
model RC
  submodel (source) U(V=10)
  submodel (resistor) R(R=2)
  submodel (capacitor) C(C=0.5) (ic u=0)
  submodel (ground) G
  connect G to U to R to C to G
  experiment (stop=20, interval=0.002, tolerance=1e-9)
end
"""
BRAKE = """@rotational.lib
@thermal.lib
@electrical.lib
model class Brake
  cut A = wheel:A, plus (Va / ia), minus (Vb / ib)
  terminal Va (unit="V"), Vb (unit="V"), ia (unit="A"), ib (unit="A")
  submodel (inertia) wheel(J=2)
  submodel (heatingbearing) pad(d=1)
  submodel (heatcapacitor) disk(C=10) (ic T=300)
  submodel (resistor) coil(R=3), lead(R=1)
  connect wheel to pad, pad:heat at disk
  connect plus to lead to coil to minus
end
model M
  submodel (torquesource) motor(T=3)
  submodel (gear) gear(ratio=2)
  submodel (Brake) brake
  submodel (source) U(V=12)
  submodel (ground) G
  connect motor to gear to brake:A, U:B to brake:plus, U:A to brake:minus, G at U:A
  experiment (stop=2, interval=0.001, tolerance=1e-9)
end
"""
PLAIN = """model class Source
  main cut c (e / -f)
  e = 3
end
model class Load
  parameter r=2
  main cut c (e / f)
  e = r*f + 0*der(x)
  local x (start=0, fixed=true)
  der(x) = f
end
model M
  submodel (Source) s
  submodel (Load) a, b(r=4)
  connect s to a, b to a
  experiment (stop=1, interval=0.1)
end
"""


def balance(text: str) -> PowerBalance:
    """The balance of a run of a text."""
    return translate("m.mdl", text=text).check_energy().power


def taken(found: PowerBalance) -> dict[str, float]:
    """Energies by submodel."""
    return {s.submodel: s.energy for s in found.submodels}


def test_a_capacitor_takes_half_of_what_the_source_gives() -> None:
    """C*V^2 = 50 J from the source, a half of it each (time constant 1 s, 20 of them)."""
    found = balance(RC)
    energies = taken(found)
    assert energies["U"] == pytest.approx(-50, rel=1e-5)
    assert energies["R"] == pytest.approx(25, rel=1e-5)
    assert energies["C"] == pytest.approx(25, rel=1e-5)
    assert found.largest_power == pytest.approx(50)
    assert found.imbalance < 1e-14
    assert [node.cuts for node in found.nodes if node.power is None] == [("G:A", "U:A", "C:B")]


def node_of(found: PowerBalance, cut: str) -> NodeBalance:
    """The node of a cut."""
    (node,) = [node for node in found.nodes if cut in node.cuts]
    return node


def test_shafts_heat_and_currents_in_a_submodel() -> None:
    """Inside of a submodel are nodes, too; what the motor gives is kinetic energy and heat."""
    translation = translate("m.mdl", text=BRAKE)
    result = translation.simulate()
    found = translation.check_energy(result).power
    energies = taken(found)
    assert found.imbalance < 1e-14
    assert node_of(found, "brake.lead:A").cuts == ("brake:plus", "brake.lead:A")
    assert node_of(found, "brake.pad:heat").power is not None
    stored = 2 * result["brake.wheel.w"][-1] ** 2 / 2 + 10 * (result["brake.disk.T"][-1] - 300)
    assert -energies["motor"] == pytest.approx(stored, rel=1e-6)
    assert energies["gear"] == pytest.approx(0, abs=2e-6)  # its speed at A is that of differences between rows
    assert energies["U"] == pytest.approx(-2 * 12**2 / 4, rel=1e-9)
    assert sum(energies.values()) == pytest.approx(0, abs=2e-6)


def test_units_are_converted_and_may_be_missing() -> None:
    """12 l/min at 5 bar are 100 W; without units the only across with the only through variable is a power."""
    text = (
        'model class Pump\n  terminal p (unit="bar"), q (unit="l/min")\n  main cut c (p / -q)\n  q = 12\nend\n'
        'model class Load\n  terminal p (unit="bar"), q (unit="l/min")\n  main cut c (p / q)\n  p = 5*q/12\nend\n'
        "model M\n  submodel (Pump) a\n  submodel (Load) b\n  connect a to b\n  experiment (stop=3, interval=1)\nend\n"
    )
    found = balance(text)
    assert taken(found) == pytest.approx({"a": -300, "b": 300})
    assert not found.nodes[0].assumed
    assert balance(PLAIN).nodes[0].assumed
    assert taken(balance(PLAIN)) == pytest.approx({"s": -6.75, "a": 4.5, "b": 2.25})


def test_signals_and_other_products_are_no_powers() -> None:
    """A level of a tank in metres with a volume flow gives m4/s."""
    text = (
        'model class Basin\n  terminal h (unit="m"), q (unit="m3/s")\n  main cut c (h / q)\n  der(h) = q\nend\n'
        'model class Valve\n  terminal h (unit="m"), q (unit="m3/s")\n  main cut c (h / q)\n  q = h\nend\n'
        "model M\n  submodel (Basin) a (ic h=1)\n  submodel (Valve) b\n  connect a to b\nend\n"
    )
    assert balance(text) == PowerBalance((), (), 0.0, 0.0)


class Changed(Result):
    """A result with one variable a little larger."""

    def __init__(self, result: Result, name: str) -> None:
        self.__dict__.update(result.__dict__)
        self._name = name

    def __getitem__(self, name):  # as Result has it
        return super().__getitem__(name) * (1 + 1e-8 * (name == self._name))


@pytest.fixture(scope="module")
def brake() -> tuple[Translation, Result]:
    """A run with shafts, currents and heat."""
    translation = translate("m.mdl", text=BRAKE)
    return translation, translation.simulate(stop=0.1, interval=0.01)


@pytest.mark.parametrize(
    ("name", "node"),
    [
        ("brake.lead.i", "brake.lead:B"),
        ("brake.coil.Va", "brake.coil:A"),
        ("gear.ta", "gear:A"),
        ("brake.disk.Q", "brake.disk:M"),
    ],
)
def test_a_wrong_value_is_found(brake: tuple[Translation, Result], name: str, node: str) -> None:
    translation, result = brake
    found = power_balance(translation.stages.flat, Changed(result, name))
    assert not found.holds
    worst = max(found.nodes, key=lambda n: max(n.power or 0.0, n.through or 0.0))
    assert name.rpartition(".")[0] in " ".join(worst.cuts)
    assert node_of(found, node).through is not None


def test_a_result_without_all_variables_is_refused(tmp_path: Path) -> None:
    translation = translate("m.mdl", text=RC)
    translation.simulate(stop=1).write(tmp_path / "r.npz", ["C.u"])
    with pytest.raises(UsageError, match=r"no variable"):
        translation.check_energy(read(tmp_path / "r.npz"))


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rc.mdl").write_text(RC, encoding="utf-8")
    assert main(["simulate", "rc.mdl", "--stop", "1", "--check", "energy", "--json", "-o", "rc.csv"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["energy_check"]["holds"]
    assert found["written"] == ["rc.csv"]
    assert np.isclose(found["energy_check"]["largest_power"], 50)
    assert main(["mechanism", "rc.mdl", "--check", "energy", "--at", "0.1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("nodes     balanced") for line in lines)
    assert main(["simulate", "rc.mdl", "--check", "mass"]) == 2
    Path("m.mdl").write_text("model M\n  local x (start=1)\n  der(x) = -x\nend\n", encoding="utf-8")
    assert main(["simulate", "m.mdl", "--check", "energy", "--quiet"]) == 0
    assert "no cut of M carries a power" in capsys.readouterr().out
