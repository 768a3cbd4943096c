"""What results of the reproducers must be: formulas, invariants, signs."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.results.result import Result


def exact(name: str, formula: Callable[[np.ndarray], np.ndarray], within: float) -> Callable[[Result], None]:
    """A variable against its formula of the time, but for the two rows of an event."""

    def check(r: Result) -> None:
        single = np.array([np.sum(r.time == t) == 1 for t in r.time])
        wanted = np.broadcast_to(formula(r.time), r.time.shape)
        np.testing.assert_allclose(r[name][single], wanted[single], atol=within, rtol=within)

    return check


def at(time: float, name: str, value: float, within: float) -> Callable[[Result], None]:
    """A variable at a time."""

    def check(r: Result) -> None:
        assert r.at(time)[name] == pytest.approx(value, abs=within)

    return check


def ends(name: str, value: float, within: float) -> Callable[[Result], None]:
    """A variable at the end of the run."""

    def check(r: Result) -> None:
        assert r[name][-1] == pytest.approx(value, abs=within)

    return check


def force_of_the_sign(*pairs: tuple[str, str], below: float, above: float) -> Callable[[Result], None]:
    """Forces that depend on the sign of a velocity, wherever this is more than its own error."""

    def check(r: Result) -> None:
        for force, speed in pairs:
            clear = np.abs(r[speed]) > 1e-5
            wanted = np.where(r[speed] < 0, below, above)
            np.testing.assert_array_equal(r[force][clear], wanted[clear])

    return check


def diodes(**conductances: float) -> Callable[[Result], None]:
    """The current of each is on its characteristic in each row, and both branches of this occur."""

    def check(r: Result) -> None:
        for name, g in conductances.items():
            u = r[f"{name}.u"]
            assert u.min() < 0.1 < u.max()
            np.testing.assert_allclose(r[f"{name}.i"], g * np.maximum(u - 0.1, 0) + 0.02 * u, atol=1e-9)

    return check


def assembled(r: Result) -> None:
    """The linkage is closed at the start, with angles below a half turn."""
    q = {name: r[f"{name}.q"][0] for name in ("crank", "knee", "rocker")}
    assert max(map(abs, q.values())) < np.pi
    left = 0.2 * np.exp(1j * q["crank"]) + 0.9 * np.exp(1j * (q["crank"] + q["knee"]))
    assert left == pytest.approx(0.8 + 0.5 * np.exp(1j * q["rocker"]), abs=1e-9)


def bounced(r: Result) -> None:
    """A contact by Hertz's law that opens again, against SciPy; then nothing acts."""

    def contact(_: float, y: np.ndarray) -> list[float]:
        x, v = max(y[0], 0.0), y[1]
        return [v, -(685.7 * x**1.5 + 9428.6 * x**1.5 * v) / 6 if y[0] > 0 else 0.0]

    wanted = solve_ivp(contact, (0, 1), [0, 0.5], "LSODA", rtol=1e-10, atol=1e-12, max_step=1e-3).y[:, -1]
    assert [r["x"][-1], r["v"][-1]] == pytest.approx(list(wanted), abs=1e-5)
    assert r["x"][-1] < 0


def rod_of_its_length(r: Result) -> None:
    """At the start the lever's end, (0.6, 0.4 - 0.5 sin q, 0.5 cos q), is sqrt(0.75) away from the arm's."""
    q = r["rocker.q"][0]
    apart = np.array([0.6, 0.4 - 0.5 * np.sin(q), 0.5 * np.cos(q)]) - 0.2 * np.array([np.cos(0.5), np.sin(0.5), 0])
    assert apart @ apart == pytest.approx(0.75, abs=1e-9)


def parallelogram(r: Result) -> None:
    """Both cranks turn together; 5/6*w^2 + 2*9.81*cos(q) stays."""
    np.testing.assert_allclose(r["r2.q"], r["r1.q"], atol=1e-6)
    energy = 5 / 6 * r["r1.w"] ** 2 + 2 * 9.81 * np.cos(r["r1.q"])
    np.testing.assert_allclose(energy, energy[0], atol=0.02)
    np.testing.assert_allclose(np.diff(r["r2.w"]), 0, atol=0.2)


def cup_and_ball(r: Result) -> None:
    """A parabola until the rope is taut; then on the circle, with the energy of the velocity along it."""
    free = r.time < (0.3 / 4.905) ** 0.5
    np.testing.assert_allclose(r["y"][free], -0.5 - 4.905 * r.time[free] ** 2, atol=1e-5)
    length = np.hypot(r["x"], r["y"])
    assert length.max() < 1 + 1e-4
    energy = (r["vx"] ** 2 + r["vy"] ** 2) / 2 + 9.81 * r["y"]
    taut = r.time > (0.3 / 4.905) ** 0.5 + 1e-9
    speed = 0.6 * (2 * 9.81 * 0.3) ** 0.5  # the part of the fall's velocity along the circle
    np.testing.assert_allclose(energy[taut], speed**2 / 2 - 9.81 * 0.8, atol=1e-2)


def breakers(r: Result) -> None:
    """All five that can open do, one after the other; the others stay closed."""
    opened = [r[f"B[{k}].open"][-1] for k in range(1, 21)]
    assert opened == [0.0] * 15 + [1.0] * 5


def cancel(r: Result) -> None:
    """The sum of the equations: 0 = -a - 2*b - 3*c + d^3 + sin(time)."""
    rest = -r["a"] - 2 * r["b"] - 3 * r["c"] + r["d"] ** 3 + np.sin(r.time)
    np.testing.assert_allclose(rest, 0, atol=1e-9)


def rectifier(r: Result) -> None:
    """The peak less two diodes, which it loses slowly."""
    late = r["CL.u"][r.time > 0.06]
    assert 16 < late.min() < late.max() < 19.2


def multiplied(r: Result) -> None:
    """Capacitors in parallel have one voltage; junctions conduct at a volt and block at most twice the peak."""
    np.testing.assert_allclose(r["C1.u"], r["C3.u"], atol=1e-9)
    for k in (1, 2, 3, 4):
        np.testing.assert_allclose(r[f"D{k}.u"] - 42e-3 * r[f"D{k}.i"], r[f"D{k}.v"], atol=1e-9)
        assert -101 < r[f"D{k}.v"].min() < 0.4 < r[f"D{k}.v"].max() < 1.5


def schmitt(r: Result) -> None:
    """The output sits at its limits; it jumps where the input leaves +-1 V, as r1/r2*15 V."""
    out, given = r["op.Vo"], r["V.e"]
    np.testing.assert_allclose(np.abs(out), 15, atol=1e-9)
    assert (out[given > 1.01] > 0).all()
    assert (out[given < -1.01] < 0).all()


VALID: dict[str, Callable[[Result], None]] = {
    "abs_rest": exact("a", lambda t: 0 * t, 1e-12),
    "boxnode": exact("s.i", lambda t: -2 + 0 * t, 1e-12),
    "breakers_20": breakers,
    "cancel_min": cancel,
    "clutch": exact("w1", lambda t: np.where(t > 1, 2 / 3, 2), 1e-9),
    "cup_and_ball": cup_and_ball,
    "e011": diodes(D0=1.612, D3=2.488),
    "e011_algebra": diodes(D0=1.612, D3=2.488, D4=0.499),
    "e011_drag": ends("v", 0, 1e-6),
    "e011_parallel": diodes(D0=1.0, D2=2.025),
    "e011_words": diodes(D0=1.612, D3=2.488, D4=0.499),
    "e013": diodes(D0=1.0, D1=1.761, D2=2.025),
    "e013_dead_centre": force_of_the_sign(("gas.force", "piston.w"), below=-100, above=200),
    "finite_escape": at(398, "pump.w_pump", -0.52256, 1e-5),
    "graetz": rectifier,
    "lifter": assembled,
    "mul": multiplied,
    "missed_event": force_of_the_sign(
        *[(f"c{k}.gas.force", f"c{k}.piston.w") for k in (1, 2, 3, 4)], below=2400, above=6000
    ),
    "osc": exact("en", lambda t: 0.5 + 0 * t, 1e-3),
    "parallelogram": parallelogram,
    "r002_hertz": bounced,
    "r002_power_at_zero": ends("h", (1 - 0.7**2.5) / 0.75, 1e-6),
    "rod": rod_of_its_length,
    "sample_min": ends("n", 11, 0),
    "schmitt_static": schmitt,
    "start_at_zero": ends("n", 1, 0),
    "static_min": exact("R.i", lambda t: np.where(t > 1, 10, 0), 1e-4),
    "tan_cancellation": exact("x1", lambda t: 2 + np.sin(t), 1e-9),
    "tan_constant_pencil": exact("x3", lambda t: np.exp(-t), 1e-9),
    "tan_robot_arm": exact("x3", lambda t: np.exp(t) - t, 1e-9),
    "tan_singular_pencil": exact("x1", np.sin, 1e-9),
}
