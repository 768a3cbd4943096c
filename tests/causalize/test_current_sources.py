"""Sources of the same current in series are redundant: voltages of minimum norm by `numpy.linalg.lstsq`."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from tests.multibody.models import made, removed

CHAIN = """@electrical.lib
model M
  submodel ({kind}) I1({first}), I2({second}), I3({first})
  submodel (resistor) R(R=5), Rp(R=3)
  submodel (source) U(V=3)
  submodel ({last}) last({value})
  submodel (ground) G
  connect G - I1 - U - I2 - Rp - I3 - last - R - G
end
"""
GIVEN = {
    "currentsource": ("I=2", "I=3"),
    "sinecurrent": ("amplitude=2, f=0.5", "amplitude=2, f=0.4"),
    "rampcurrent": ("height=4, t0=0.3, duration=1", "height=4, t0=0.3, duration=2"),
}


@pytest.mark.parametrize("kind", GIVEN)
def test_each_takes_its_share_of_the_voltage(tmp_path: Path, kind: str) -> None:
    """Currents are unique; three voltages have one sum, hence two redundant constraints."""
    first, _ = GIVEN[kind]
    model = made(tmp_path, CHAIN.format(kind=kind, first=first, second=first, last="inductor", value="L=0.7"))
    assert removed(model) == 2
    (note,) = [d for d in model.report.diagnostics if d.code == "I040"]
    assert note.message.startswith("I1, I2, I3 are overconstrained")
    r = model.simulate(stop=2, interval=0.1)
    if kind == "sinecurrent":
        np.testing.assert_allclose(r["R.i"], 2 * np.sin(np.pi * r.time), atol=1e-12)
        np.testing.assert_allclose(r["last.u"], 0.7 * 2 * np.pi * np.cos(np.pi * r.time), atol=1e-12)
    for k in range(len(r.time)):
        given = 3 - (5 + 3) * r["R.i"][k] - r["last.u"][k]
        shares = np.linalg.lstsq(np.ones((1, 3)), [given], rcond=None)[0]
        assert [r[f"I{n}.u"][k] for n in (1, 2, 3)] == pytest.approx(list(shares), abs=1e-12)


@pytest.mark.parametrize("kind", GIVEN)
def test_sources_that_contradict_are_named(tmp_path: Path, kind: str) -> None:
    first, second = GIVEN[kind]
    text = CHAIN.format(kind=kind, first=first, second=second, last="resistor", value="R=1")
    with pytest.raises(ModelError, match="I1, I2 and I3 over-determine") as raised:
        made(tmp_path, text)
    assert raised.value.report.diagnostics[0].code == "S001"


def test_currents_given_by_equations(tmp_path: Path) -> None:
    text = """@electrical.lib
model M
  submodel (signalcurrent) I1, I2
  submodel (capacitor) C(C=2) (ic u=0)
  submodel (ground) G
  connect G - I1 - C - I2 - G
  I1.j = cos(time)
  I2.j = cos(time)
end
"""
    r = made(tmp_path, text).simulate(stop=3, tolerance=1e-9)
    assert r["C.u"] == pytest.approx(np.sin(r.time) / 2, abs=1e-7)
    assert r["I1.u"] == pytest.approx(-r["C.u"] / 2, abs=1e-12)
    assert r["I2.u"] == pytest.approx(-r["C.u"] / 2, abs=1e-12)


def test_heat_sources_whose_level_is_open_are_an_error(tmp_path: Path) -> None:
    """Nothing fixes the temperatures: no value of them is invented, though the flows agree."""
    text = """@thermal.lib
model M
  submodel (heatflowsource) P1(P=10), P2(P=-10)
  submodel (thermalconductor) W(G=2)
  connect P1 at W:A, P2 at W:B
end
"""
    with pytest.raises(ModelError, match="over-determine"):
        made(tmp_path, text)


def test_torque_sources_in_series_are_an_error(tmp_path: Path) -> None:
    """The angle of a shaft without inertia between equal torques is a motion: nothing determines it."""
    text = """@rotational.lib
model M
  submodel (torquesource) T1(T=2), T2(T=-2)
  submodel (spring) s(c=10)
  connect T1 - s - T2
end
"""
    with pytest.raises(ModelError):
        made(tmp_path, text)


OPEN = {
    "two sources": ("submodel (currentsource) I1(I=0), I2(I=0)", "G - I1 - I2", "I2:B is not connected"),
    "one source": ("submodel (currentsource) I1(I=0)", "G - I1", "I1:B is not connected"),
    "a voltmeter": ("submodel (source) U(V=1), submodel (voltmeter) V", "G - U, U - V", "V:B is not connected"),
    "a lonely node": ("submodel (currentsource) I1(I=0)\n  node n", "I1 at (G, n)", "I1"),
    "a voltmeter between sources": (
        "submodel (currentsource) I1(I=1), I2(I=1), submodel (resistor) R(R=1), submodel (voltmeter) V",
        "G - I1 - I2 - R - G, V:A at I1:B",
        "V:B is not connected",
    ),
    "a voltmeter at a lonely node": ("submodel (voltmeter) V\n  node n", "V at (G, n)", "V"),
}


@pytest.mark.parametrize("name", OPEN)
def test_open_ends_are_an_error(tmp_path: Path, name: str) -> None:
    """No current flows in what ends in the air: its voltage is not shared, but lacks a connection."""
    declared, connected, said = OPEN[name]
    text = f"@electrical.lib\nmodel M\n  {declared}\n  submodel (ground) G\n  connect {connected}\nend\n"
    with pytest.raises(ModelError) as raised:
        made(tmp_path, text.replace(", submodel", "\n  submodel"))
    assert said in raised.value.report.diagnostics[0].message
