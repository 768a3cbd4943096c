"""Rectifier and clutches against published results; stick and slip against a solution worked out in pieces.

Published: Modelica Standard Library 4.0.0, reference results by the Modelica Association (Dymola
2020x, DASSL, tolerance 1e-6): Electrical.Analog.Examples.Rectifier, Mechanics.Rotational.Examples.CoupledClutches.
"""

from pathlib import Path

import numpy as np

from acausal.pipeline import translate

RECTIFIER = """@switches.lib
model Rectifier
  submodel (sinevoltage) U1(amplitude=400*sqrt(2/3), f=50), U2(amplitude=400*sqrt(2/3), f=50, phase=-2*pi/3)
  submodel (sinevoltage) U3(amplitude=400*sqrt(2/3), f=50, phase=-4*pi/3)
  submodel (inductor) L1(L=60e-6) (ic i=0), L2(L=60e-6) (ic i=0), L3(L=60e-6)
  submodel (idealdiode) D1(Ron=1e-3, Goff=1e-3, Vknee=2), D2(Ron=1e-3, Goff=1e-3, Vknee=2)
  submodel (idealdiode) D3(Ron=1e-3, Goff=1e-3, Vknee=2), D4(Ron=1e-3, Goff=1e-3, Vknee=2)
  submodel (idealdiode) D5(Ron=1e-3, Goff=1e-3, Vknee=2), D6(Ron=1e-3, Goff=1e-3, Vknee=2)
  submodel (capacitor) C1(C=30e-3) (ic u=400*sqrt(2)/2), C2(C=30e-3) (ic u=400*sqrt(2)/2)
  submodel (currentsource) I(I=500)
  submodel (ground) G
  node star, plus, minus
  connect star - U1 - L1 - D1 - plus
  connect star - U2 - L2 - D2 - plus
  connect star - U3 - L3 - D3 - plus
  connect minus - D4 - D1
  connect minus - D5 - D2
  connect minus - D6 - D3
  connect plus - C1 - C2 - minus
  connect plus - I - minus
  connect C1:B at G
end
"""
VOLTAGE = {
    0.0: 282.842712474619, 0.01: 250.3822346819661, 0.02: 257.44756266025973, 0.03: 259.7380942748676,
    0.05: 258.38116286710886, 0.07: 258.5228780833483, 0.1: 258.5143520291504,
}  # fmt: skip

CLUTCHES = """@friction.lib
model CoupledClutches
  submodel (sinetorque) T(amplitude=10, f=5)
  submodel (inertia) J1(J=1) (ic phi=0, w=10), J2(J=1) (ic phi=0, w=0)
  submodel (inertia) J3(J=1) (ic phi=0, w=0), J4(J=1) (ic phi=0, w=0)
  submodel (clutch) c1(peak=1.1, fmax=20), c2(peak=1.1, fmax=20), c3(peak=1.1, fmax=20)
  connect T to J1 to c1 to J2 to c2 to J3 to c3 to J4
  c1.f = sin(2*pi*0.2*time + pi/2)
  c2.f = if time < 0.4 then 0 else 1
  c3.f = if time < 0.9 then 0 else 1
end
"""
SPEEDS = {
    "time": (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0, 1.2, 1.5),
    "J1.w": (10.0, 8.020963579105223, 6.166300083096973, 4.552486872485718, 3.333321964226232, 3.556476948115157,
             3.0000306716392005, 2.626112899390488, 3.247034565240657),
    "c1.w": (10.0, 6.041952337534431, 2.3326261541955158, 1.1050342370975506, 0.0, 0.016434591464154664, 0.0,
             0.1681395639029617, 0.7838269643429722),
    "c2.w": (0.0, 1.9790112415707943, 3.833673928901459, 1.4474526353881585, 0.0, 0.0, 0.0, 0.0, 0.0),
    "c3.w": (0.0, 0.0, 0.0, 2.000000000000005, 3.333321964226234, 3.540042356651004, 2.000030671640711, 0.0, 0.0),
}  # fmt: skip

STICK_SLIP = """@friction.lib
model StickSlip
  submodel (inertia) J(J=1) (ic phi=0, w=0)
  submodel (spring) c(c=4)
  submodel (speedsource) drive(W=0.5)
  submodel (clutch) f(peak=2, fmax=2, mu=0.5)
  submodel (fixed) floor
  connect drive to c to J
  connect J to f to floor
  f.f = 1
end
"""


def test_rectifier(tmp_path: Path) -> None:
    """Six ideal diodes: 64 configurations, one code. 1e-4 of the range, as their tolerance allows."""
    file = tmp_path / "r.mdl"
    file.write_text(RECTIFIER, encoding="utf-8")
    translation = translate(file)
    assert translation.statistics["states"] == 4
    result = translation.simulate(stop=0.1, tolerance=1e-8)
    span = np.ptp(result["C1.u"])
    for time, expected in VOLTAGE.items():
        assert abs(np.interp(time, result.time, result["C1.u"]) - expected) < 1e-4 * span


def test_coupled_clutches(tmp_path: Path) -> None:
    file = tmp_path / "c.mdl"
    file.write_text(CLUTCHES, encoding="utf-8")
    result = translate(file).simulate(stop=1.5, tolerance=1e-8)
    for name in ("J1.w", "c1.w", "c2.w", "c3.w"):
        found = np.interp(SPEEDS["time"], result.time, result[name])
        assert np.abs(found - SPEEDS[name]).max() < 1e-4 * np.ptp(result[name]), name
    assert result.stats.events < 40


def test_stick_slip_against_the_pieces(tmp_path: Path) -> None:
    """Sticks until c W t = 2 at t = 1; then J x'' = c (W t - x) - 1, x = W (t - 1) + 1/4 + ... until it stops.

    With s = t - 1, c = 4, J = 1: x'' + 4 x = 4 (1/2 + s/2) - 1 from rest:
    x = 1/4 + s/2 - cos(2 s)/4 - sin(2 s)/4, x' = 1/2 + sin(2 s)/2 - cos(2 s)/2, zero again at s = 3 pi/4.
    Then c (W t - x) = 0 there, and it sticks until the spring pulls with 2 once more, 1 s later.
    """
    file = tmp_path / "s.mdl"
    file.write_text(STICK_SLIP, encoding="utf-8")
    result = translate(file).simulate(stop=6, tolerance=1e-10, interval=0.01)
    slip = 3 * np.pi / 4
    t = result.time
    x = np.zeros_like(t)
    period, start, distance = 1 + slip, 1.0, 0.0
    for _ in range(3):
        s = np.clip(t - start, 0, slip)
        x += np.where(t >= start, 0.25 + s / 2 - np.cos(2 * s) / 4 - np.sin(2 * s) / 4, 0.0)
        distance = 0.25 + slip / 2 + 0.25
        start += period
    assert abs(distance - 0.5 * period) < 1e-12  # it keeps up with the drive
    assert np.abs(result["J.phi"] - x).max() < 1e-7
    modes = result["f.mode"][np.flatnonzero(np.diff(result["f.mode"]) != 0)]
    assert set(modes) <= {-2.0, -1.0, 0.0, 1.0, 2.0}
