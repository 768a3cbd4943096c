"""The examples for beginners, each against equations written by hand that know nothing of its classes."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp, trapezoid
from scipy.optimize import brentq, fsolve

from acausal.cli import main
from acausal.pipeline import translate
from acausal.results.read import read
from acausal.results.result import Result

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = (
    "amplifier",
    "cart_pole",
    "distillation",
    "electric_drive",
    "five_link",
    "h_bridge",
    "house",
    "hydraulic_lift",
    "power_supply",
    "robot_brakes",
    "slider_crank",
    "suspension",
)
THERMAL = 1.380649e-23 * 300.15 / 1.602176634e-19
"""Voltage of a junction at 27 degC."""


def run(name: str, **simulate: float) -> Result:
    """The result of an example as its experiment says."""
    return translate(EXAMPLES / f"{name}.mdl").simulate(**simulate)


@pytest.mark.parametrize("name", NAMES)
def test_pages(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each begins with a comment that says what it shows, is in regular form, clean in its units, and short."""
    file = EXAMPLES / f"{name}.mdl"
    text = file.read_text(encoding="utf-8")
    assert "What it shows:" in text[: text.index("}")]
    assert f"acausal simulate examples/{name}.mdl" in text
    assert len(text.splitlines()) < 100
    assert main(["fmt", "--check", str(file)]) == 0
    assert main(["check", str(file)]) == 0
    assert "warning" not in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_what_the_page_says_to_try(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commands run, and what they plot is there and changes."""
    monkeypatch.chdir(EXAMPLES.parent)
    lines = re.findall(r"acausal (simulate examples/.*?)(?:  |\n| })", (EXAMPLES / f"{name}.mdl").read_text("utf-8"))
    assert lines
    for line in lines:
        arguments = line.split()
        place = arguments.index("--plot")
        plotted = arguments[place + 1].split(",")
        file = tmp_path / "r.npz"
        assert main([*arguments[:place], *arguments[place + 2 :], "-o", str(file)]) == 0
        result = read(file)
        assert all(np.ptp(result[x]) > 0 for x in plotted), line


def test_house() -> None:
    """Two temperatures; the burner goes off at 21 and on at 20 degC. From switching to switching by DOP853."""
    result = run("house")
    on, t, x = False, 0.0, np.array([20.5, 15.0])
    times, rows = [np.array([0.0])], [x[:, None]]

    def slope(t: float, x: np.ndarray) -> np.ndarray:
        outside = 4 * np.sin(2 * np.pi * t / 86400 - np.pi / 2)
        air = 600 * (x[1] - x[0]) + 90 * (outside - x[0]) + 12000 * on
        return np.array([air / 6e6, (600 * (x[0] - x[1]) + 250 * (outside - x[1])) / 3e7])

    def limit(_: float, x: np.ndarray) -> float:
        return float(x[0] - (21 if on else 20))

    limit.terminal = True  # type: ignore[attr-defined]
    while t < 172800:
        done = solve_ivp(slope, (t, 172800), x, "DOP853", events=limit, rtol=1e-9, atol=1e-9, max_step=60)
        times.append(done.t[1:])
        rows.append(done.y[:, 1:])
        t, x, on = done.t[-1], done.y[:, -1], not on
    assert len(times) > 100
    exact = np.interp(result.time, np.concatenate(times), np.concatenate([r[0] for r in rows], axis=0))
    assert np.abs(result["T"] - 273.15 - exact).max() < 2e-3
    burnt = trapezoid(result["thermostat.y"], result.time) / 3.6e6
    assert abs(result["burnt"][-1] - burnt) < 0.1


def test_cart_pole() -> None:
    """The equations of Lagrange, with the force held for 20 ms each."""
    result = run("cart_pole")
    gains = np.array([-7.63978122, -64.57560655, -9.84051854, -16.60259049])
    m, length, inertia = 0.2, 0.5, 0.2 / 12

    def slope(_: float, y: np.ndarray, force: float) -> np.ndarray:
        _, th, v, w = y
        matrix = np.array([[1 + m, m * length * np.cos(th)], [m * length * np.cos(th), inertia + m * length**2]])
        right = [force + m * length * np.sin(th) * w**2, m * 9.81 * length * np.sin(th)]
        return np.array([v, w, *np.linalg.solve(matrix, right)])

    y, rows = np.array([0, 0.2, 0, 0]), [[0, 0.2]]
    for k in range(400):
        force = -gains @ (y - np.array([1.0 if k >= 150 else 0.0, 0, 0, 0]))
        y = solve_ivp(slope, (0, 0.02), y, "DOP853", args=(force,), rtol=1e-10, atol=1e-12).y[:, -1]
        rows.append(list(y[:2]))
    samples = 0.02 * np.arange(401)
    for name, exact in zip(("x", "th"), np.transpose(rows), strict=True):
        assert np.abs(np.interp(samples, result.time, result[name]) - exact).max() < 1e-6, name
    assert result["x"].min() < 0 < abs(result["x"][-1] - 1) + 1e-9
    assert abs(result["x"][-1] - 1) < 2e-3


def test_suspension() -> None:
    """Two masses; the stop pushes only, and the tyre carries what the road says."""
    for speed in (8.0, 2.0):
        result = translate(EXAMPLES / "suspension.mdl").simulate(parameters={"v": speed})

        def road(t: float, speed: float = speed) -> float:
            along = speed * (t - 0.5)
            return 0.04 * (1 - np.cos(np.pi * along)) if 0 < along < 2 else 0.0

        def slope(t: float, y: np.ndarray, road: Callable[[float], float] = road) -> list[float]:
            body, v, wheel, u = y
            d, rate = wheel - body, u - v
            force = 18000 * d + 1200 * rate
            if abs(d) > 0.05:
                force += np.sign(d) * max(3e5 * (abs(d) - 0.05) + 2000 * rate * np.sign(d), 0)
            return [v, force / 320, u, (180000 * (road(t) - wheel) - force) / 40]

        t, once = np.unique(result.time, return_index=True)
        exact = solve_ivp(slope, (0, 3), np.zeros(4), "LSODA", t, rtol=1e-9, atol=1e-11, max_step=1e-3).y
        assert np.abs(result["body.s"][once] - exact[0]).max() < 1e-6
        assert np.abs(result["wheel.s"][once] - exact[2]).max() < 1e-6
        assert (np.abs(exact[2] - exact[0]).max() > 0.05) == (speed == 8.0)


def drop(current: float, closed: bool) -> float:
    """Voltage along a diode with a switch beside it; blocked if the current is against an open pair."""
    if not closed:
        return 0.7 + 0.02 * current
    return 0.05 * current if current < 14 else 0.05 * (current - (0.05 * current - 0.7) / 0.07)


def bridge(t: float, i: float, emf: float) -> float:
    """Voltage of the motor. Where the current cannot flow it is the emf."""
    forward, chopped = t < 0.15, t % 5e-4 < 3.5e-4
    sign = 1.0 if forward else -1.0
    j = sign * i  # the current in the direction of driving
    if j >= 0 and not chopped:  # through the diode beside the closed switch
        return sign * -(drop(j, closed=False) + 0.05 * j) if j > 0 or sign * emf < -0.7 else emf
    if chopped:
        return sign * (24 + (-0.1 * j if j >= 0 else drop(-j, closed=True) * 2))
    return sign * (24 + drop(-j, closed=False) + drop(-j, closed=True))


def test_h_bridge() -> None:
    """Current and speed by the midpoint rule, a hundred steps in each period of the chopper."""
    result = run("h_bridge", stop=0.2)
    h, count = 5e-6, 40000
    y, rows = np.zeros(2), np.zeros((count + 1, 2))
    for k in range(count):
        t = (k + 1e-6) * h

        def slope(y: np.ndarray, t: float = t) -> np.ndarray:
            emf = 0.06 * y[1]
            i = (bridge(t, y[0], emf) - 0.6 * y[0] - emf) / 1.5e-3
            return np.array([i, (0.06 * y[0] - 4e-4 * y[1]) / 1e-4])

        a = slope(y)
        b = slope(y + h / 2 * a)
        y = y + h * b
        rows[k + 1] = y
    times = h * np.arange(count + 1)
    between = result.time[1::7]
    found = np.array([np.interp(between, result.time, result[name]) for name in ("current", "speed")])
    exact = np.array([np.interp(between, times, column) for column in rows.T])
    assert np.abs(found[0] - exact[0]).max() < 0.02 * np.ptp(exact[0])
    assert np.abs(found[1] - exact[1]).max() < 2e-3 * np.ptp(exact[1])


def limited_pi(error: float, x: float, k: float, ti: float, most: float) -> tuple[float, float]:
    """Output of a limited PI controller, and the slope of its integral."""
    v = k * error + x
    y = min(max(v, -most), most)
    return y, k / ti * error + (y - v) / ti


def test_electric_drive() -> None:
    """Currents along the rotor's axes: phases, inverter and battery do not appear where modulation is linear."""
    result = run("electric_drive")

    def slope(y: np.ndarray, wanted: float) -> list[float]:
        d, q, w, xs, xd, xq, warm = y
        r = 0.05 * (1 + 3.9e-3 * (warm - 293.15))
        current, dxs = limited_pi(wanted - w, xs, 10, 1, 100)
        ud, dxd = limited_pi(-d, xd, 0.5, 0.01, 150)
        uq, dxq = limited_pi(current - q, xq, 0.5, 0.01, 150)
        torque = 1.5 * 4 * (0.1 + (5e-4 - 8e-4) * d) * q
        return [
            (ud - r * d + 4 * w * 8e-4 * q) / 5e-4, (uq - r * q - 4 * w * (5e-4 * d + 0.1)) / 8e-4,
            (torque - 0.05 * w) / 0.22, dxs, dxd, dxq, 1.5 * r * (d**2 + q**2) / 500,
        ]  # fmt: skip

    y = np.array([0, 0, 0, 0, 0, 0, 293.15])
    for start, end, wanted in ((0.05, 0.8, 100.0), (0.8, 2.0, -50.0)):
        times = np.asarray(result.time)
        inside = (times > start) & (times <= end)
        found = solve_ivp(
            lambda _, y, v=wanted: slope(y, v), (start, end), y, "LSODA", dense_output=True, rtol=1e-9, atol=1e-9
        )
        exact = found.sol(times[inside])
        for name, row, size in (("motor.iq", 1, 100), ("motor.w", 2, 100), ("winding.T", 6, 1)):
            assert np.abs(result[name][inside] - exact[row]).max() < 1e-3 * size, name
        y = found.y[:, -1]
    assert max(np.abs(result[f"phases.m{x}"]).max() for x in "abc") < 1
    assert result["battery.i"].min() < -10


def test_power_supply() -> None:
    """Smoothed voltage: diodes and winding solved by bisection; the load as the regulator must deliver it."""
    result = run("power_supply")
    t = result.time
    settled = (t > 1e-3) & (np.abs(t % 0.03 - 0.015) < 0.0149)
    zener = result["Z.Vb"]
    assert np.abs(zener[settled] - 5.1).max() < 0.01
    assert np.abs(result["regulated"] - zener * (1 + 1300 / 1700))[settled].max() < 2e-3

    def rectified(u: float, t: float) -> float:
        peak = abs(12 * np.sqrt(2) * np.sin(2 * np.pi * 50 * t))

        def surplus(i: float) -> float:
            return float(peak - 2 * 1.8 * THERMAL * np.log1p(i / 1e-9) - 0.5 * i - u)

        return brentq(surplus, 0, 50) if surplus(0) > 0 else 0.0

    def slope(t: float, u: np.ndarray) -> list[float]:
        current = 9.0 / 90 + 9.0 / 3000 + (0.4 if t >= 0.03 and (t - 0.03) % 0.06 < 0.03 else 0)
        return [(rectified(u[0], t) - current * 80 / 81 - (u[0] - 5.1) / 2000) / 2200e-6]

    t, once = np.unique(t, return_index=True)
    exact = solve_ivp(slope, (0, 0.15), [14.0], "RK23", t, rtol=1e-5, atol=1e-5, max_step=2e-4).y[0]
    assert np.abs(result["smoothed"][once] - exact).max() < 0.01


def test_amplifier() -> None:
    """Operating point of the exponential law; gain of the small-signal circuit at 1 kHz by its nodes."""
    tiny = translate(EXAMPLES / "amplifier.mdl").simulate(parameters={"U.amplitude": 1e-5}, stop=0.05)

    def at_rest(x: np.ndarray) -> list[float]:
        base, emitter, collector = x
        forward, backward = (1e-14 * np.expm1((base - v) / THERMAL) for v in (emitter, collector))
        ib, ic = forward / 200 + backward, forward - 2 * backward
        return [(12 - base) / 47e3 - base / 10e3 - ib, emitter / 470 - ib - ic, (12 - collector) / 2200 - ic]

    base, emitter, collector = fsolve(at_rest, [2.0, 1.35, 6.0], xtol=1e-13)
    for name, expected in (("Q.Vb", base), ("Q.Ve", emitter), ("Q.Vc", collector)):
        assert abs(tiny[name][0] - expected) < 1e-6, name
    gm = 1e-14 * np.exp((base - emitter) / THERMAL) / THERMAL
    s = 2j * np.pi * 1000
    entry, bypass, leave = s * 10e-6, s * 100e-6 + 1 / 470, 1 / (1 / (s * 10e-6) + 10e3)
    # unknown: base, emitter, collector; the entrance is 1
    matrix = np.array([
        [entry + 1 / 47e3 + 1 / 10e3 + gm / 200, -gm / 200, 0],
        [-gm / 200 - gm, bypass + gm / 200 + gm, 0],
        [gm, -gm, 1 / 2200 + leave],
    ])  # fmt: skip
    gain = np.linalg.solve(matrix, [entry, 0, 0])[2] * leave * 10e3
    t = np.linspace(0.04, 0.05, 2001)
    wave = np.interp(t, tiny.time, tiny["exit"])
    waves = np.stack([np.sin(2000 * np.pi * t), np.cos(2000 * np.pi * t), np.ones_like(t)], 1)
    fit = np.linalg.lstsq(waves, wave, rcond=None)[0]
    assert abs((fit[0] + 1j * fit[1]) / 1e-5 - gain) < 2e-3 * abs(gain)
    assert 190 < abs(gain) < 205


COLUMN = {"lower[10].x": 0.1515438077, "feed.x": 0.4987250205, "upper[10].x": 0.846866089}
"""Stages 11, 21, 31 of column A at rest with reflux 2.70629 and boilup 3.20629 kmol/min: S. Skogestad's program
cola_lv.m run with Octave (ode15s to 2000 min), as told in a public version of it for CasADi, dist_model_cola_cas."""


def column(t: float, s: np.ndarray) -> np.ndarray:
    """Amounts and compositions from the reboiler to the condenser, then the integral parts of the two controllers."""
    m, x, (top, bottom) = s[:41], s[41:82], s[82:]
    over, under = 0.99 - x[40], 0.01 - x[0]
    y, v = 1.5 * x / (1 + 0.5 * x), 3.2 / 60 - 0.6 * (under + bottom)
    liquid = (m - 0.5) / 3.78 + np.where(np.arange(41) < 21, 3.7, 2.7) / 60
    liquid[40] = 2.7 / 60 + 0.4 * (over + top)
    above, below = np.append(liquid[1:], 0), np.append(0, np.full(40, v))
    liquid[0], up = 0, np.append(np.full(40, v), 0)
    drawn = np.zeros(41)
    drawn[[0, 40]] = 0.5 / 60 + (m[[0, 40]] - 0.5) / 6
    fed = np.zeros(41)
    fed[20] = (1.0 if t < 600 else 1.2) / 60
    amount = above + below + fed - liquid - up - drawn
    light = above * np.append(x[1:], 0) + below * np.append(0, y[:-1]) + 0.5 * fed - (liquid + drawn) * x - up * y
    return np.concatenate([amount, (light - x * amount) / m, [over / 230, under / 200]])


def test_distillation() -> None:
    """Reflux, boilup and profile at rest as published; the balances of 41 stages in NumPy through the disturbance."""
    result = run("distillation")
    assert abs(60 * result["condenser.L"][0] - 2.70629) < 5e-6
    assert abs(60 * result["reboiler.V"][0] - 3.20629) < 5e-6
    for name, share in COLUMN.items():
        assert abs(result[name][0] - share) < 1e-6, name
    guess = np.concatenate([np.full(41, 0.5), np.linspace(0.01, 0.99, 41), [0, 0]])
    start = fsolve(lambda s: column(0, s), guess, xtol=1e-13)
    t = np.unique(result.time[result.time > 600])
    exact = solve_ivp(column, (600, 7200), start, "LSODA", t, rtol=1e-8, atol=1e-11).y
    for name, values in (("top", 1 - exact[81]), ("bottom", exact[41]), ("feed.M", exact[20])):
        assert np.abs(np.interp(t, result.time, result[name]) - values).max() < 1e-4 * np.ptp(values), name
    assert result["top"].max() > 0.0135


def test_book_circuit() -> None:
    """The inductor has the whole voltage; the capacitor is charged through R1 beside R2."""
    result = run("book_circuit", tolerance=1e-9)
    t = result.time
    charged = 10 * 20 / 120 * (1 - np.exp(-t * 120 / (100 * 20 * 1e-6)))
    np.testing.assert_allclose(result["C.u"], charged, atol=1e-6)
    np.testing.assert_allclose(result["L.i"], 10 * t / 0.0015, atol=1e-6)
