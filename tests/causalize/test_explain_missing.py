"""An equation is missing: the message names the variable that the class leaves to its user, whatever else is open.

Each model is complete but for one equation, named by `wanted` as its author would.
"""

from pathlib import Path

import pytest

from acausal.checking import check

MODELS = {
    "setpoint": (
        "S002",
        "wanted",
        5,
        """@blocks.lib
model M
  submodel (PI) c(k=2, T=1) (ic x=0)
  submodel (firstorder) plant(k=1, T=1) (ic y=0)
  local error, wanted
  error = wanted - plant.y
  c.u = error
  plant.u = c.y
end
""",
    ),
    "joint_drive": (
        "S002",
        "drive.torque",
        7,
        """@mbsdir.lib
@rotational.lib
model M
  submodel (Inertial) world(ng2=-1)
  submodel (Revolute) j(n3=1) (ic q=0, w=0)
  submodel (Body) b(m=1, r1=1)
  submodel (signaltorque) drive
  connect world to j, b at j, drive at j:Axis
end
""",
    ),
    "voltage_of_a_loop": (
        "S005",
        "U.e",
        4,
        """@electrical.lib
@blocks.lib
model M
  submodel (signalvoltage) U
  submodel (resistor) R(R=1)
  submodel (inductor) L(L=1) (ic i=0)
  submodel (ground) G
  submodel (PI) c(k=2, T=1) (ic x=0)
  connect G - U - R - L - G
  c.u = 3 - L.i
end
""",
    ),
    "switch": (
        "S005",
        "S.on",
        5,
        """@electrical.lib
@switches.lib
model M
  submodel (source) U(V=10)
  submodel (idealswitch) S
  submodel (inductor) L(L=1) (ic i=0)
  submodel (resistor) R(R=1)
  submodel (ground) G
  local low
  low = if L.i < 2 then 1 else 0
  connect G - U - S - L - R - G
end
""",
    ),
    "second_valve": (
        "S005",
        "out.x",
        6,
        """@hydraulic.lib
@blocks.lib
model M
  submodel (tank) supply, back
  submodel (chamber) c(V=1e-3) (ic p=1e5)
  submodel (valve) in(area=1e-5), out(area=1e-5)
  connect supply - in - c, c - out - back
  in.x = if c.p < 2e5 then 1 else 0
end
""",
    ),
    "clutch": (
        "S005",
        "K.f",
        5,
        """@friction.lib
@rotational.lib
model M
  submodel (inertia) J1(J=1) (ic phi=0, w=10), J2(J=2) (ic phi=0, w=0)
  submodel (clutch) K(fmax=5)
  submodel (torquesource) T(T=1)
  local slip
  slip = J1.w - J2.w
  connect T at J1:A
  connect J1 - K - J2
end
""",
    ),
    "potentiometer": (
        "S005",
        "P.x",
        4,
        """@electrical.lib
model M
  submodel (source) U(V=1)
  submodel (potentiometer) P(R=10)
  submodel (resistor) R(R=100)
  submodel (ground) G
  local y
  y = R.i/2
  connect G at (P:B), U at (G, P:A), R at (P:S, G)
end
""",
    ),
    "sampled": (
        "S005",
        "h.u",
        4,
        """@discrete.lib
@blocks.lib
model M
  submodel (samplehold) h(h=0.1)
  submodel (firstorder) plant(k=1, T=1) (ic y=0)
  local e
  e = 1 - plant.y
  plant.u = h.y
end
""",
    ),
    "comparator": (
        "S004",
        "c.wanted",
        3,
        """@blocks.lib
model M
  submodel (comparator) c
  submodel (gain) K(k=5)
  submodel (integrator) I
  connect c - K - I
  c.measured = I.y
end
""",
    ),
    "measured": (
        "S004",
        "c.measured",
        3,
        """@blocks.lib
model M
  submodel (comparator) c
  submodel (gain) K(k=5)
  submodel (integrator) I
  local y
  y = 2*I.y
  c.wanted = 1
  connect c - K - I
end
""",
    ),
    "summer_element": (
        "S005",
        "s.u[2]",
        3,
        """@blocks.lib
model M
  submodel (summer) s(n=3)
  submodel (firstorder) p(k=1, T=1) (ic y=0)
  s.u[1] = 1
  s.u[3] = -p.y
  p.u = s.y
end
""",
    ),
    "multiplier": (
        "S005",
        "m.u2",
        3,
        """@blocks.lib
model M
  submodel (multiplier) m
  submodel (integrator) I
  m.u1 = 1 - I.y
  I.u = m.y
end
""",
    ),
    "current": (
        "S005",
        "J.j",
        3,
        """@electrical.lib
model M
  submodel (signalcurrent) J
  submodel (resistor) R1(R=1), R2(R=2)
  submodel (capacitor) C(C=1) (ic u=0)
  submodel (ground) G
  local demand
  demand = 3*C.i
  connect G - J - (R1 - C) // R2 - G
end
""",
    ),
    "cascade": (
        "S004",
        "outer.u",
        3,
        """@blocks.lib
model M
  submodel (PI) outer(k=1, T=1) (ic x=0), inner(k=1, T=1) (ic x=0)
  submodel (firstorder) motor(k=1, T=1) (ic y=0)
  submodel (integrator) load
  local demand, speederror
  speederror = 1 - load.y
  demand = outer.y
  inner.u = demand - motor.y
  motor.u = inner.y
  load.u = motor.y
end
""",
    ),
    "reference": (
        "S002",
        "ref",
        7,
        """@rotational.lib
model M
  submodel (inertia) J(J=1) (ic phi=0, w=0)
  submodel (damper) d(d=0.1)
  submodel (fixed) F
  submodel (signaltorque) drive
  local ref, e, k
  k = 3
  e = ref - J.w
  drive.torque = k*e
  connect drive at J:A
  connect J - d - F
end
""",
    ),
    "inside": (
        "S005",
        "p.S.on",
        12,
        """@electrical.lib
@switches.lib
model class panel
  submodel (idealswitch) S
  submodel (resistor) R(R=2)
  cut A (Va / ia), B (Vb / ib)
  main path <A - B>
  connect A - S - R - B
end
model M
  submodel (source) U(V=10)
  submodel (panel) p
  submodel (ground) G
  connect G - U - p - G
end
""",
    ),
    "force": (
        "S002",
        "F.force",
        5,
        """@translational.lib
@blocks.lib
model M
  submodel (mass) m(m=2) (ic s=0, v=0)
  submodel (signalforce) F
  submodel (PI) c(k=1, T=1) (ic x=0)
  connect F at m:A
  c.u = 1 - m.v
end
""",
    ),
    "two_locals": (
        "S002",
        "share",
        7,
        """@electrical.lib
model M
  submodel (signalvoltage) U
  submodel (resistor) R(R=1)
  submodel (capacitor) C(C=1) (ic u=0)
  submodel (ground) G
  local power, share
  power = share*R.i
  U.e = 10*share - C.i
  connect G - U - R - C - G
end
""",
    ),
    "pressure": (
        "S002",
        "P.p",
        3,
        """@hydraulic.lib
model M
  submodel (signalpressure) P
  submodel (tank) back
  submodel (valve) v(area=1e-5)
  submodel (chamber) c(V=1e-3) (ic p=1e5)
  local opening
  opening = 0.5 + 0*c.p
  v.x = opening
  connect P - v - c, c - v2 - back
  submodel (valve) v2(area=1e-5)
  v2.x = 1
end
""",
    ),
    "heater": (
        "S002",
        "u",
        7,
        """@thermal.lib
model M
  submodel (heatcapacitor) C(C=10) (ic T=293)
  submodel (signalheatflow) P
  submodel (thermalconductor) W(G=1)
  submodel (fixedtemperature) room(T0=293)
  local e, u, on
  e = 300 - C.T
  on = if e > 0 then 1 else 0
  P.flow = 100*u
  connect P at C, W at (C, room)
end
""",
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_variable_that_lacks_an_equation(tmp_path: Path, name: str) -> None:
    code, wanted, line, text = MODELS[name]
    (found,) = check(_file(tmp_path, text)).errors
    assert found.code == code
    assert f"determines {wanted}" in found.message.replace("the terminal ", "")
    assert found.primary is not None and found.primary.span.line == line
    assert found.help is not None and (f"{wanted} = ..." in found.help or "connect " in found.help)


def test_several_at_once(tmp_path: Path) -> None:
    """Two inputs of one multiplier lack equations: one message names both."""
    text = "@blocks.lib\nmodel M\nsubmodel (multiplier) m\nsubmodel (integrator) I\nI.u = m.y\nend\n"
    (found,) = check(_file(tmp_path, text)).errors
    assert "m.u1" in found.message
    assert any("m.u2" in note for note in found.notes)


def test_both_lines_of_a_duplicated_equation(tmp_path: Path) -> None:
    """Also where one is turned round, among all equations of a circuit."""
    text = """@electrical.lib
model T
  submodel (source) U(V=10)
  submodel (resistor) R1(R=1), R2(R=2), R3(R=3)
  submodel (capacitor) C(C=1e-3) (ic u=0)
  submodel (ground) G
  local v
  connect G - U - R1 - (R2 // (R3 - C)) - G
  v = R2.Va - R2.Vb
  {}
end
"""
    for second in ("v = R2.Va - R2.Vb", "R2.Va - R2.Vb = v", "v = 2*R3.i"):
        (found,) = check(_file(tmp_path, text.format(second))).errors
        assert found.code == "S001"
        assert found.primary is not None
        assert [found.primary.span.line, *[label.span.line for label in found.secondary]] == [10, 9]


def test_a_local_of_a_library_class_is_not_to_be_changed_there(tmp_path: Path) -> None:
    text = "@electrical.lib\nmodel M\nsubmodel (capacitor) C(C=1)\nsubmodel (ground) G\n"
    text += "local x\nx = C.u\nconnect G - C - G\nend\n"
    (found,) = check(_file(tmp_path, text)).errors
    assert found.help == "use visible variables, as in C.Va, C.Vb, C.i: in class capacitor, Va - Vb = u"


def _file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "m.mdl"
    file.write_text(text)
    return file
