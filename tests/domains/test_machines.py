"""Classes of machines.lib against equivalent circuits, linear differential equations and the balance of energy.

One translation for each kind of machine; all its variants run side by side.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm

from acausal.base.diagnostics import ModelError
from acausal.results.result import Result
from tests.domains.examples import GROUND, run


def linear(matrix: np.ndarray, constant: np.ndarray, start: np.ndarray, time: np.ndarray) -> np.ndarray:
    """States of y' = matrix*y + constant at the times, a row each."""
    rest = -np.linalg.solve(matrix, constant)
    return np.array([rest + expm(matrix * t) @ (start - rest) for t in time])


# ------------------------------------------------------------------- direct current

DC = f"""
{GROUND}
submodel (source) U(V=200)
submodel (dcseparate) A(Ra=0.5, La=0.01, Re=100, Le=10, k=0.8, J=0.05, d=0.02) (ic ia=0, ie=2, w=0)
submodel (dcseparate) F(Re=100, Le=20) (ic ia=0, ie=0)
submodel (dcmagnet) M(Ra=0.5, La=0.01, k=1.6, J=0.05, d=0.02) (ic i=0, w=0)
submodel (dcseries) S(Ra=0.5, La=0.01, Re=0.3, Le=0.03, k=0.05) (ic ia=0)
submodel (dcshunt) H(Ra=0.5, La=0.001, Re=100, Le=1, k=0.8) (ic ia=0, ie=2)
submodel (fixed) hold
submodel (speedsource) W(W=100), V(W=120)
connect G - U - join (A - G, M - G, S - G, H - G)
connect G - U, A:E at U:B, A:F at G, F:E at U:B, F:F at G, F:A at G, F:B at G
connect hold at F:mech, W at S:mech, V at H:mech
"""


def test_direct_current(tmp_path: Path) -> None:
    """Start with constant field (both time constants), rise of the field, series and shunt machine at a speed."""
    result = run("machines rotational", DC, tmp_path, 1.0)
    time = np.asarray(result.time)
    k = 0.8 * 2
    started = linear(
        np.array([[-0.5 / 0.01, -k / 0.01], [k / 0.05, -0.02 / 0.05]]), np.array([200 / 0.01, 0]), np.zeros(2), time
    )
    for name, current in (("A", "A.ia"), ("M", "M.i")):
        assert np.abs(result[current] - started[:, 0]).max() < 1e-5 * 100
        assert np.abs(result[f"{name}.w"] - started[:, 1]).max() < 1e-5 * 100
    assert np.abs(result["F.ie"] + 2 * np.expm1(-time * 100 / 20)).max() < 1e-6
    series = 200 / (0.8 + 0.05 * 100)
    current = -series * np.expm1(-time * (0.8 + 0.05 * 100) / 0.04)
    assert np.abs(result["S.i"] - current).max() < 1e-5 * series
    assert np.abs(result["S.te"] - 0.05 * current**2).max() < 1e-5 * 60
    armature = (200 - 0.8 * 2 * 120) / 0.5
    assert result["H.te"][-1] == pytest.approx(0.8 * 2 * armature, rel=1e-6)
    assert result["H.i"][-1] == pytest.approx(armature + 2, rel=1e-6)


HEATED_DC = f"""
{GROUND}
submodel (source) U(V=200)
submodel (heatingdcseparate) A(alpha=3.9e-3, d=0.02, Ra=5) (ic ia=0, ie=0, w=0)
submodel (heatingdcmagnet) M(alpha=3.9e-3, d=0.02, Ra=5, k=1.5) (ic i=0, w=0)
submodel (heatingdcseries) S(alpha=3.9e-3, d=0.02, Ra=5) (ic ia=0, w=0)
submodel (heatingdcshunt) H(alpha=3.9e-3, d=0.02, Ra=5) (ic ia=0, ie=0, w=0)
submodel (heatcapacitor) CA(C=20) (ic T=300), CM(C=20) (ic T=300), CS(C=20) (ic T=300), CH(C=20) (ic T=300)
connect G - U - join (A - G, M - G, S - G, H - G), A:E at U:B, A:F at G
connect A:heat at CA, M:heat at CM, S:heat at CS, H:heat at CH
local EA (unit="J"), EM (unit="J"), ES (unit="J"), EH (unit="J")
der(EA) = 200*(A.ia + A.ie)
der(EM) = 200*M.i
der(ES) = 200*S.i
der(EH) = 200*H.i
"""


def test_energy_of_direct_current(tmp_path: Path) -> None:
    """What the source gives is in the rotor's motion, the magnetic fields, and as heat in a body of 20 J/K."""
    result = run("machines thermal", HEATED_DC, tmp_path, 1.0)
    for name, windings in (
        ("A", [("ia", 0.005), ("ie", 10)]),
        ("M", [("i", 0.005)]),
        ("S", [("ia", 0.005), ("ie", 0.02)]),
        ("H", [("ia", 0.005), ("ie", 10)]),
    ):
        stored = 0.01 / 2 * result[f"{name}.w"] ** 2
        for current, inductance in windings:
            stored = stored + inductance / 2 * result[f"{name}.{current}"] ** 2
        heat = 20 * (result[f"C{name}.T"] - 300)
        assert heat[-1] > 100
        assert np.abs(result[f"E{name}"] - stored - heat).max() < 1e-6 * result[f"E{name}"][-1]


# ------------------------------------------------------------------- induction machine

VALUES = {"Rs": 1.0, "Lsl": 0.003, "Lm": 0.02, "Rr": 0.8, "Lrl": 0.004}
GIVEN = ", ".join(f"{name}={value}" for name, value in VALUES.items())
SYNCHRONOUS = 2 * np.pi * 50
SLIPS = {"M1": 1.0, "M2": 0.3, "M3": 0.04, "M4": -0.04}


def circuit(slip: float, voltage: float = 230.0, extra: float = 0.0) -> tuple[float, float, float]:
    """Torque, amplitude of the stator's current, and losses, of two pairs of poles.

    Source: Fitzgerald, Kingsley, Umans, Electric Machinery, 6th ed., section 6.4: the equivalent circuit of one phase.
    """
    rotor = (VALUES["Rr"] + extra) / slip + 1j * SYNCHRONOUS * VALUES["Lrl"]
    main = 1j * SYNCHRONOUS * VALUES["Lm"]
    stator = VALUES["Rs"] + 1j * SYNCHRONOUS * VALUES["Lsl"]
    first = voltage / (stator + rotor * main / (rotor + main))
    second = first * main / (rotor + main)
    gap = 3 * abs(second) ** 2 * (VALUES["Rr"] + extra) / slip
    losses = 3 * (VALUES["Rs"] * abs(first) ** 2 + VALUES["Rr"] * abs(second) ** 2)
    return gap / (SYNCHRONOUS / 2), abs(first) * np.sqrt(2), losses


def induction_text() -> str:
    lines = [
        GROUND,
        "node a, b, c\nsubmodel (threephasevoltage) U(V=230, f=50)\nconnect U at (a, b, c, G)",
        f"submodel (slipring) R(p=2, {GIVEN}, ratio=2)\nsubmodel (resistor) K(R=0.25), L(R=0.25), N(R=0.25)",
        "connect R:k - K, R:l - L, R:m - N, join (K:B, L:B, N:B, G)",
        f"submodel (squirrelcage) D(p=2, {GIVEN}), Y(p=2, {GIVEN})\nsubmodel (deltaconnection) delta",
        "submodel (stardelta) starter(Ron=1e-9, Goff=1e-9)\nstarter.on = if time > 0.75 then 1 else 0",
        "connect delta at (D:plug, D:ends), starter at (Y:plug, Y:ends)",
    ]
    slips = {**SLIPS, "D": 0.04, "Y": 0.04, "R": 0.3}
    for name, slip in slips.items():
        if name in SLIPS:
            lines.append(f"submodel (squirrelcage) {name}(p=2, {GIVEN})")
        lines.append(f"submodel (speedsource) W{name}(W={SYNCHRONOUS / 2 * (1 - slip)!r}) (ic phi=0.3)")
        lines.append(f"connect W{name} at {name}:mech, {name}:plug at (a, b, c)")
        if name in (*SLIPS, "R"):
            lines.append(f"submodel (starconnection) S{name}\nconnect {name} to S{name}")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def induction(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """Machines at given speeds, from the first transient to the steady state."""
    return run("machines rotational", induction_text(), tmp_path_factory.mktemp("induction"), 1.5, 1e-8)


@pytest.mark.parametrize("name", SLIPS)
def test_squirrel_cage_at_a_slip(name: str, induction: Result) -> None:
    torque, current, losses = circuit(SLIPS[name])
    assert induction[f"{name}.te"][-1] == pytest.approx(torque, rel=1e-5)
    assert np.hypot(induction[f"{name}.isa"], induction[f"{name}.isb"])[-1] == pytest.approx(current, rel=1e-5)
    assert induction[f"{name}.P"][-1] == pytest.approx(losses, rel=1e-5)
    assert np.abs(induction[f"{name}.ia"] + induction[f"{name}.ib"] + induction[f"{name}.ic"]).max() < 1e-6


def test_slip_rings_with_resistors(induction: Result) -> None:
    """0.25 Ohm at the rings are ratio^2 times as much in the equivalent circuit."""
    torque, current, _ = circuit(0.3, extra=4 * 0.25)
    assert induction["R.te"][-1] == pytest.approx(torque, rel=1e-5)
    assert np.hypot(induction["R.isa"], induction["R.isb"])[-1] == pytest.approx(current, rel=1e-5)


def test_delta_and_starter(induction: Result) -> None:
    """A winding in delta has sqrt(3) times the voltage of one in a star."""
    at = np.searchsorted(induction.time, 0.749)
    assert induction["D.te"][-1] == pytest.approx(circuit(0.04, 230 * np.sqrt(3))[0], rel=1e-5)
    assert induction["Y.te"][at] == pytest.approx(circuit(0.04)[0], rel=1e-4)
    assert induction["Y.te"][-1] == pytest.approx(circuit(0.04, 230 * np.sqrt(3))[0], rel=1e-5)


def test_zero_sequence(tmp_path: Path) -> None:
    """The same voltage on all windings, star point grounded: no torque, a current of Rs and Lszero."""
    body = (
        f"{GROUND}\nsubmodel (source) U(V=10)\nsubmodel (squirrelcage) M(Rs=2, Lszero=0.1) (ic w=0)\n"
        "submodel (starconnection) S\nconnect G - U - join (M:a, M:b, M:c), M to S, S:neutral at G"
    )
    result = run("machines", body, tmp_path, 0.2)
    time = np.asarray(result.time)
    assert np.abs(result["M.ib"] + 5 * np.expm1(-time * 2 / 0.1)).max() < 1e-6
    assert np.abs(result["M.te"]).max() < 1e-9


# ------------------------------------------------------------------- permanent magnets

PM = {"Rs": 0.8, "Ld": 0.004, "Lq": 0.007, "psm": 0.15}
ELECTRICAL = 2 * np.pi * 60
AHEAD = 0.7
"""Angle of the voltage from the direct axis."""


def test_permanent_magnets_in_both_forms(tmp_path: Path) -> None:
    """At constant speed the currents of both axes follow a linear system, from 0 to their steady state."""
    given = ", ".join(f"{name}={value}" for name, value in PM.items())
    ud, uq = 100 * np.cos(AHEAD), 100 * np.sin(AHEAD)
    phase = AHEAD + np.pi / 2 + 3 * 0.2  # the sine of winding a is a vector at phase - pi/2, the axis lies at 3*0.2
    body = f"""
{GROUND}
submodel (speedsource) V(W={ELECTRICAL / 3!r}), W(W={ELECTRICAL / 3!r}) (ic phi=0.2)
submodel (pmsmdq) A(p=3, {given}) (ic id=0, iq=0)
submodel (pmsm) B(p=3, {given}) (ic id=0, iq=0)
submodel (threephasevoltage) U(V={float(100 / np.sqrt(2))!r}, f=60, phase={phase!r})
submodel (starconnection) S
node a, b, c
connect V at A:mech, W at B:mech, U at (a, b, c, G), B:plug at (a, b, c), B to S
A.ud = {float(ud)!r}
A.uq = {float(uq)!r}
"""
    result = run("machines rotational", body, tmp_path, 0.1)
    resistance, d, q, psm = PM.values()
    matrix = np.array([[-resistance / d, ELECTRICAL * q / d], [-ELECTRICAL * d / q, -resistance / q]])
    currents = linear(matrix, np.array([ud / d, (uq - ELECTRICAL * psm) / q]), np.zeros(2), np.asarray(result.time))
    torque = 1.5 * 3 * (psm * currents[:, 1] + (d - q) * currents[:, 0] * currents[:, 1])
    for name in "AB":
        assert np.abs(result[f"{name}.id"] - currents[:, 0]).max() < 1e-5 * 50
        assert np.abs(result[f"{name}.iq"] - currents[:, 1]).max() < 1e-5 * 50
        assert np.abs(result[f"{name}.te"] - torque).max() < 1e-5 * np.abs(torque).max()


HEATED = f"""
{GROUND}
node a, b, c
submodel (threephasevoltage) U(V=230, f=50)
submodel (heatingsquirrelcage) M(p=2, {GIVEN}, alpha=3.9e-3, d=0.01, J=0.1) (ic w=0)
submodel (heatingslipring) R(p=2, {GIVEN}, alpha=3.9e-3, d=0.01, J=0.1) (ic w=0)
submodel (heatingpmsm) G1(p=3, psm=0.3, J=0.2, alpha=3.9e-3) (ic w=200)
submodel (starconnection) SM, SR, S1
submodel (resistor) Ra(R=2), Rb(R=2), Rc(R=2)
submodel (heatcapacitor) CM(C=50) (ic T=300), CR(C=50) (ic T=300), C1(C=50) (ic T=300)
connect U at (a, b, c, G), M:plug at (a, b, c), R:plug at (a, b, c), M to SM, R to SR, join (R:k, R:l, R:m, G)
connect G1 to S1, S1:neutral at G, Ra at (G1:a, G), Rb at (G1:b, G), Rc at (G1:c, G)
connect M:heat at CM, R:heat at CR, G1:heat at C1
local EM (unit="J"), ER (unit="J"), EG (unit="J")
der(EM) = M.Va*M.ia + M.Vb*M.ib + M.Vc*M.ic - (M.Vx*M.ia + M.Vy*M.ib + M.Vz*M.ic)
der(ER) = R.Va*R.ia + R.Vb*R.ib + R.Vc*R.ic - (R.Vx*R.ia + R.Vy*R.ib + R.Vz*R.ic)
der(EG) = 2*(G1.ia^2 + G1.ib^2 + G1.ic^2)
"""


def test_energy_of_three_phases(tmp_path: Path) -> None:
    """Start of two induction machines from the mains; a spinning machine with magnets heats resistors and itself."""
    result = run("machines thermal", HEATED, tmp_path, 0.5)
    for name in "MR":
        square = {a: result[f"{name}.{a}a"] ** 2 + result[f"{name}.{a}b"] ** 2 for a in ("is", "ir")}
        mutual = result[f"{name}.isa"] * result[f"{name}.ira"] + result[f"{name}.isb"] * result[f"{name}.irb"]
        field = 3 / 4 * (0.023 * square["is"] + 0.024 * square["ir"] + 0.04 * mutual)
        left = field + 0.1 / 2 * result[f"{name}.w"] ** 2 + 50 * (result[f"C{name}.T"] - 300)
        assert result[f"{name}.w"][-1] > 150
        assert np.abs(result[f"E{name}"] - left).max() < 1e-5 * result[f"E{name}"][-1]
    field = 3 / 4 * 0.005 * (result["G1.isa"] ** 2 + result["G1.isb"] ** 2)
    left = field + 0.2 / 2 * result["G1.w"] ** 2 + 50 * (result["C1.T"] - 300) + result["EG"]
    assert result["EG"][-1] > 1000
    assert np.ptp(left) < 1e-5 * left[0]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("submodel (squirrelcage) M(Rs=-1)", "below its minimum"),
        ("submodel (squirrelcage) M(Lm=0)", "must be positive"),
        ("submodel (pmsm) M(Ld=0)", "must be positive"),
        ("submodel (pmsm) M(p=0)", "below its minimum"),
    ],
)
def test_parameters_out_of_range(line: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=text):
        run("machines", f"{line}\nsubmodel (starconnection) S\nconnect M to S", tmp_path, 0.0)
