"""Sensitivities of trajectories and times of events, against closed forms."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.analyses.sensitivities.request import parameter_places, variable_symbols
from acausal.cli import main
from acausal.codegen.tangent.sensitivities.augment import augment
from acausal.simulate.sensitivities import slope_instant

WEIGHTS = {4 / 5: 1, -1 / 5: 2, 4 / 105: 3, -1 / 280: 4}


def slopes(f: Callable[..., float], values: Mapping[str, float], *args: float) -> list[float]:
    """Derivatives of a closed form f(*args, **values) by the values: differences of order 8."""
    found = []
    for name, value in values.items():
        step = 1e-4 * abs(value)
        at = {j: f(*args, **{**values, name: value + j * step}) for n in WEIGHTS.values() for j in (n, -n)}
        found.append(sum(w * (at[n] - at[-n]) for w, n in WEIGHTS.items()) / step)
    return found


BALL = """
model Ball
  parameter g = 9.81, e = 0.8, h0 = 2
  local h (start=h0), v (start=0)
  discrete real top (start=h0), n (start=0)
  der(h) = v
  der(v) = -g
  when h < 0 then
    init(v) = -e*v
    new(n) = n + 1
  endwhen
  when v < 0 then
    new(top) = h
  endwhen
end
"""


def test_a_ball_that_bounces_ten_times() -> None:
    values = {"g": 9.81, "e": 0.8, "h0": 2.0}
    t = acausal.translate(BALL)
    s = t.sensitivities(list(values), ["h", "top"], stop=5.2, tolerance=1e-12)

    def bounce(k, g, e, h0):
        return np.sqrt(2 * h0 / g) * (1 + 2 * sum(e**j for j in range(1, k + 1)))

    bounces = [i for i, names in enumerate(s.events.names) if "h < 0" in names]
    assert len(bounces) >= 10
    for k, i in enumerate(bounces[:10]):
        expected = slopes(bounce, values, k)
        assert s.events.times[i] == pytest.approx(bounce(k, **values), rel=1e-9)
        assert s.events.derivatives[i] == pytest.approx(expected, rel=1e-8, abs=1e-8)
    tops = [i for i, names in enumerate(s.events.names) if "v < 0" in names]
    for i in tops[1:]:
        row = int(np.searchsorted(s.time, s.events.times[i], "right")) - 1
        k = sum(j < i for j in bounces)
        expected = [0.0, 2 * k * 0.8 ** (2 * k - 1) * 2.0, 0.8 ** (2 * k)]
        assert s.derivatives[row, 1] == pytest.approx(expected, rel=1e-8, abs=1e-8)


def test_machine_code_does_ordinary_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slopes from machine code are those of Python, which treats no event of the ball."""
    t = acausal.translate(BALL)
    runs = []
    for is_native in (True, False):
        monkeypatch.setattr(slope_instant, "may_be_native", lambda *_, is_native=is_native: is_native)
        treated: list[float] = []
        at = slope_instant.SlopeInstant.at
        counted = lambda self, t, *args, at=at, treated=treated: treated.append(t) or at(self, t, *args)  # noqa: E731
        with monkeypatch.context() as patch:
            patch.setattr(slope_instant.SlopeInstant, "at", counted)
            runs.append(t.sensitivities(["g", "e"], ["h", "top", "n"] if is_native else ["n", "h", "top"], stop=5.2))
        assert bool(treated) is not is_native
    first, other = runs
    assert first.events.names == other.events.names
    np.testing.assert_allclose(first.events.times, other.events.times, rtol=1e-12)
    np.testing.assert_allclose(first.events.derivatives, other.events.derivatives, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(first["h", "g"], other["h", "g"], rtol=1e-9, atol=1e-9)
    again = t.sensitivities(["g", "e"], ["h", "top", "n"], stop=5.2)  # a pool of run contexts
    assert len(again.events) == len(other.events)


def test_a_ball_at_times_between_its_bounces() -> None:
    values = {"g": 9.81, "e": 0.8, "h0": 2.0}
    times = [0.3, 1.0, 2.5, 4.0, 5.0]
    s = acausal.translate(BALL).sensitivities(list(values), ["h"], times=times, tolerance=1e-12)

    def height(t, k, g, e, h0):
        begin = np.sqrt(2 * h0 / g) * (1 + 2 * sum(e**j for j in range(1, k)))
        return h0 - g * t * t / 2 if k == 0 else e**k * np.sqrt(2 * g * h0) * (t - begin) - g * (t - begin) ** 2 / 2

    for row, t in enumerate(times):
        k = sum("h < 0" in n and time < t for n, time in zip(s.events.names, s.events.times, strict=True))
        assert s.values[row, 0] == pytest.approx(height(t, k, **values), abs=1e-9)
        expected = slopes(height, values, t, k)
        assert s.derivatives[row, 0] == pytest.approx(expected, rel=1e-8, abs=1e-8)


def test_a_relay_oscillator() -> None:
    t = acausal.translate("""
model Thermostat
  parameter a = 0.5, b = 2, low = 1.5, high = 2.5
  local x (start=low)
  discrete boolean on (start=true)
  der(x) = -a*x + (if on then b else 0)
  when x > high then
    new(on) = false
  elsewhen x < low then
    new(on) = true
  endwhen
end
""")
    values = {"a": 0.5, "b": 2.0, "low": 1.5, "high": 2.5}
    s = t.sensitivities(list(values), ["x"], stop=12, tolerance=1e-12)

    def time(k, a, b, low, high):
        up, down = np.log((b / a - low) / (b / a - high)) / a, np.log(high / low) / a
        return up * ((k + 2) // 2) + down * ((k + 1) // 2)

    assert len(s.events) > 8
    for k in range(len(s.events)):
        expected = slopes(time, values, k)
        assert s.events.derivatives[k] == pytest.approx(expected, rel=1e-8, abs=1e-8)


def test_integrate_and_fire() -> None:
    t = acausal.translate("""
model Neuron
  parameter tau = 0.02, i = 1.5, threshold = 1
  local v (start=0)
  tau*der(v) = i - v
  when v > threshold then
    init(v) = 0
  endwhen
end
""")
    values = {"tau": 0.02, "i": 1.5, "threshold": 1.0}
    s = t.sensitivities(list(values), ["v"], times=[0.19], tolerance=1e-12)
    period = 0.02 * np.log(3.0)
    k = int(0.19 / period)
    assert len(s.events) == k

    def spike(k, tau, i, threshold):
        return k * tau * np.log(i / (i - threshold))

    def voltage(tau, i, threshold):
        return i * (1 - np.exp(-(0.19 - spike(k, tau, i, threshold)) / tau))

    for n in range(k):
        expected = slopes(spike, values, n + 1)
        assert s.events.derivatives[n] == pytest.approx(expected, rel=1e-8)
    expected = slopes(voltage, values)
    assert s.derivatives[0, 0] == pytest.approx(expected, rel=1e-8)


def test_stick_slip() -> None:
    t = acausal.translate("""
model StickSlip
  parameter m = 1, k = 4, vb = 0.5, fs = 3, fk = 2
  local x (start=0), v (start=vb)
  discrete boolean sticks (start=true)
  der(x) = v
  m*der(v) = if sticks then 0 else fk - k*x
  when k*x > fs then
    new(sticks) = false
  elsewhen v > vb then
    new(sticks) = true
    init(v) = vb
  endwhen
end
""")
    values = {"m": 1.0, "k": 4.0, "vb": 0.5, "fs": 3.0, "fk": 2.0}

    def times(n, m, k, vb, fs, fk):
        w, away = np.sqrt(k / m), (fs - fk) / k
        slip = 2 * (np.pi - np.arctan(away * w / vb)) / w
        stick = 2 * away / vb
        return fs / k / vb + ((n + 1) // 2) * slip + (n // 2) * stick

    s = t.sensitivities(list(values), ["x"], stop=12, tolerance=1e-12)
    rows = [i for i in range(len(s.events)) if i % 3 != 1]  # without those where k*x falls below Fs again
    assert len(rows) >= 6
    for n, i in enumerate(rows[:6]):
        assert s.events.times[i] == pytest.approx(times(n, **values), rel=1e-9)
        expected = slopes(times, values, n)
        assert s.events.derivatives[i] == pytest.approx(expected, rel=1e-8, abs=1e-8)


def test_a_switched_capacitor() -> None:
    t = acausal.translate("""
model Switched
  parameter r = 1e3, c = 1e-6, u0 = 5, period = 1e-3
  local u (start=0)
  discrete boolean on (start=false)
  r*c*der(u) = (if on then u0 else 0) - u
  when sample(0, period) then
    new(on) = not on
  endwhen
end
""")
    values = {"r": 1e3, "c": 1e-6, "u0": 5.0, "period": 1e-3}

    def voltage(r, c, u0, period):
        q, u = np.exp(-period / (r * c)), 0.0
        for k in range(4):
            u = u * q + (u0 * (1 - q) if k % 2 == 0 else 0.0)
        return u0 + (u - u0) * np.exp(-(0.0043 - 4 * period) / (r * c))

    s = t.sensitivities(list(values), ["u"], times=[0.0043], tolerance=1e-12)
    assert s.values[0, 0] == pytest.approx(voltage(**values), rel=1e-9)
    expected = slopes(voltage, values)
    assert s.derivatives[0, 0] == pytest.approx(expected, rel=1e-8)
    assert s.events.derivatives[-1].tolist() == pytest.approx([0.0, 0.0, 0.0, 4.0])


def test_delayed_feedback() -> None:
    t = acausal.translate("""
model Delayed
  parameter k = 1.3, late = 0.7
  local x (start=1)
  der(x) = -k*delay(x, late)
end
""")
    values = {"k": 1.3, "late": 0.7}

    def x(t, k, late):
        total, factor = 1.0, 1.0
        for n in range(1, 8):
            factor *= -k / n
            if t > (n - 1) * late:
                total += factor * (t - (n - 1) * late) ** n
        return total

    times = [0.5, 1.0, 2.0, 3.3]
    s = t.sensitivities(list(values), ["x"], times=times, tolerance=1e-12)
    for row, at in enumerate(times):
        expected = slopes(x, values, at)
        assert s.derivatives[row, 0] == pytest.approx(expected, rel=1e-8, abs=1e-8)


def test_a_delayed_relay() -> None:
    t = acausal.translate("""
model Relay
  parameter a = 2, b = 1.5, late = 0.31
  local x (start=1)
  der(x) = if delay(x, late) > 0 then -a else b
end
""")
    values = {"a": 2.0, "b": 1.5, "late": 0.31}

    def x(t, a, b, late):
        down = 1 / a + late
        back = down + a * late / b + late
        return -a * late + b * (t - down) if t < back else b * late - a * (t - back)

    s = t.sensitivities(list(values), ["x"], times=[1.0, 1.7], tolerance=1e-12)
    for row, at in enumerate([1.0, 1.7]):
        assert s.values[row, 0] == pytest.approx(x(at, **values), abs=1e-9)
        expected = slopes(x, values, at)
        assert s.derivatives[row, 0] == pytest.approx(expected, rel=1e-8, abs=1e-8)


FOLLOWED = """
model Followed
  parameter a (tunable=true) = 2
  input u
  local x (start=0), y (start=0), z (start=0)
  discrete real level (start=0)
  der(x) = a
  der(y) = if x > u then 1 else 0
  der(z) = 1
  when x > 1 then
    init(z) = u
    new(level) = u
  endwhen
end
"""


def test_inputs_move_events_and_what_is_set_there() -> None:
    t = acausal.translate(FOLLOWED)
    sine, table = (lambda at: 1 + np.sin(at), np.cos), (lambda at: 1 + at / 2, lambda _: 0.5)
    for given, (u, rate) in (("1 + sin(time)", sine), (([0, 4], [1, 3]), table)):
        s = t.sensitivities(["a"], ["y", "z", "level"], stop=2, inputs={"u": given}, tolerance=1e-11)
        first, second = s.events.times  # a*first = 1, a*second = u(second)
        assert 2 * second == pytest.approx(u(second), rel=1e-9)
        late = -second / (2 - rate(second))
        assert s.events.derivatives[:, 0] == pytest.approx([-1 / 4, late], rel=1e-8)
        expected = [-late, -(rate(first) - 1) / 4, -rate(first) / 4]
        assert s.derivatives[-1, :, 0] == pytest.approx(expected, rel=1e-8)


def test_an_input_that_jumps_switches_at_its_own_time() -> None:
    t = acausal.translate(FOLLOWED.replace("x > u", "x < u").replace("x > 1", "x > 10"))
    for given in (([0, 0.5, 0.5, 2], [5, 5, 0, 0]), "if time < 0.5 then 5 else 0"):
        s = t.sensitivities(["a"], ["y"], stop=2, inputs={"u": given}, tolerance=1e-3)
        assert s.events.times == pytest.approx([0.5])
        assert s.events.derivatives.tolist() == [[0.0]]


def test_a_crossing_where_state_and_input_are_zero() -> None:
    t = acausal.translate(FOLLOWED.replace("x (start=0)", "x (start=-a)").replace("x > 1", "x > 10"))
    s = t.sensitivities(["a"], ["y"], stop=2, inputs={"u": "sin(time - 1)"}, values={"a": 3}, tolerance=1e-11)
    assert s.events.times == pytest.approx([1])  # x = a*(time - 1): by a nothing changes
    assert s.events.derivatives == pytest.approx(np.zeros((1, 1)), abs=1e-9)
    t = acausal.translate(FOLLOWED.replace("x (start=0)", "x (start=-1)").replace("x > 1", "x > 10"))
    s = t.sensitivities(["a"], ["y"], stop=2, inputs={"u": "sin(time - 0.5)"}, tolerance=1e-11)
    assert s.events.derivatives == pytest.approx(np.array([[-0.5]]), rel=1e-8)


def test_inputs_without_derivatives_are_refused_where_events_need_them() -> None:
    t = acausal.translate(FOLLOWED)
    for text, message in ((FOLLOWED, r"init\(z\)"), (FOLLOWED.replace("x > 1 then", "time > 9 then"), "x > u")):
        with pytest.raises(acausal.RunError, match=message + r" depends on der\(u\)") as raised:
            acausal.translate(text).sensitivities(["a"], ["y"], stop=2, inputs={"u": lambda at: 1 + np.sin(at)})
        assert code_of(raised) == "A020"
        assert "<text>:" in str(raised.value)
    with pytest.raises(acausal.UsageError, match="expression of an input depends on the parameter a"):
        t.sensitivities(["a"], ["y"], stop=2, inputs={"u": "a*time"})
    outside = FOLLOWED.replace("x > u", "x > 2").replace("= u", "= 3").replace("der(x) = a", "der(x) = a*u")
    s = acausal.translate(outside).sensitivities(["a"], ["y"], stop=2, inputs={"u": lambda _: 1.0})
    assert s.events.derivatives[:, 0] == pytest.approx([-1 / 4, -1 / 2])


def code_of(raised: pytest.ExceptionInfo[acausal.ModelError]) -> str:
    return raised.value.report.diagnostics[0].code


def test_a_grazing_crossing_is_reported_with_its_time() -> None:
    t = acausal.translate("""
model Graze
  parameter top (tunable=true) = 1
  local x (start=0), n (start=0)
  der(x) = cos(time)
  der(n) = if x > top then 1 else 0
end
""")
    assert len(t.sensitivities(["top"], ["x"], stop=3, values={"top": 0.5}).events) == 2
    assert len(t.sensitivities(["top"], ["x"], stop=3, values={"top": 1.5}).events) == 0
    with pytest.raises(acausal.RunError, match=r"at t = 1\.5.* x > top is grazing") as raised:
        t.sensitivities(["top"], ["x"], stop=3, values={"top": 1 - 1e-9})
    assert code_of(raised) == "A021"
    assert raised.value.result.time[-1] < 1.6


def test_events_that_parameters_move_apart_are_reported() -> None:
    t = acausal.translate("""
model Twice
  parameter a (tunable=true) = 1, b (tunable=true) = 1
  local x (start=0), y (start=0)
  der(x) = 1
  when x > a then
    init(y) = 2*y + 1
  endwhen
  when x > b then
    init(y) = y - x
  endwhen
  der(y) = 0
end
""")
    assert len(t.sensitivities(["a", "b"], ["y"], stop=3, values={"b": 2}).events) == 2
    with pytest.raises(acausal.RunError, match="x > a and x > b switch at the same time") as raised:
        t.sensitivities(["a", "b"], ["y"], stop=3)
    assert code_of(raised) == "A022"


def test_what_has_no_derivative_is_refused() -> None:
    t = acausal.translate("""
model Cells
  parameter integer n = 3
  parameter k = 1
  local x[n] (start=0)
  for i = 1 to n
    der(x[i]) = k - x[i]
  endfor
end
""")
    with pytest.raises(acausal.ModelError) as raised:
        t.sensitivities(["n"], ["x[1]"])
    assert code_of(raised) == "A020"
    with pytest.raises(acausal.UsageError, match="unknown parameter kk"):
        t.sensitivities(["kk"], ["x[1]"])
    with pytest.raises(acausal.UsageError, match="unknown variable z"):
        t.sensitivities(["k"], ["z"])
    s = t.sensitivities(["k"], ["x[1]"], times=[1.0], tolerance=1e-10)  # its value 1 is part of the equations
    assert s.derivatives[0, 0, 0] == pytest.approx(1 - np.exp(-1), rel=1e-8)


LAG = """
model Lag
  parameter tau = 2, k = 3
  local x (start=0)
  tau*der(x) = k*time*exp(-time) - x
end
"""


def test_objectives() -> None:
    values = {"tau": 2.0, "k": 3.0}
    t = acausal.translate(LAG)

    def x(at, tau, k):  # the response to k*t*exp(-t)
        a = 1 / tau
        return k * a * (np.exp(-a * at) - np.exp(-at) * (1 + (1 - a) * at)) / (1 - a) ** 2

    def largest(tau, k):
        grid = np.linspace(2, 3, 201)
        for _ in range(4):
            best = grid[np.argmax(x(grid, tau, k))]
            grid = np.linspace(best - (grid[1] - grid[0]), best + (grid[1] - grid[0]), 201)
        return x(best, tau, k)

    def integral(tau, k):
        return k * (1 - np.exp(-4.0) * 5) - tau * x(4.0, tau, k)

    for text, form in (("final(x)", lambda **v: x(4.0, **v)), ("max(x)", largest), ("integral(x)", integral)):
        value, found = t.gradient(text, list(values), stop=4, tolerance=1e-11)
        assert value == pytest.approx(form(**values), rel=1e-9)
        assert found == pytest.approx(slopes(form, values), rel=1e-6 if text == "max(x)" else 1e-8)
    value, found = acausal.translate(BALL).gradient("event(1)", ["h0"], stop=2, tolerance=1e-11)
    assert found == pytest.approx([value / 4])
    with pytest.raises(acausal.SimulationError, match="has 0 events") as raised:
        t.gradient("event(1)", ["k"])
    assert code_of(raised) == "A023"
    with pytest.raises(acausal.UsageError, match=r"F010.*highest cannot be differentiated"):
        t.gradient("highest(x)", ["k"])
    with pytest.raises(acausal.UsageError, match="is not an objective"):
        t.gradient(3, ["k"])  # type: ignore[arg-type]


def test_gradients_of_expressions() -> None:
    """x = x0*exp(-k t): integral(x^2) = x0^2 (1 - exp(-2 k))/(2 k), and a parameter of the expression itself."""
    text = "model M\n  parameter k (tunable=true) = 1.5, x0 (tunable=true) = 2\n"
    text += "  local x (start=x0)\n  der(x) = -k*x\nend"
    t = acausal.translate(text, cache=False)
    value, slopes = t.gradient("integral(x^2) + final(k)*final(x)", ["k", "x0"], stop=1, tolerance=1e-10)
    e = np.exp(-1.5)
    share = (1 - e**2) / 3
    assert value == pytest.approx(4 * share + 3 * e, rel=1e-8)
    by_k = 4 * (e**2 / 1.5 - share / 1.5) + 2 * e - 3 * e
    assert slopes == pytest.approx([by_k, 4 * share + 1.5 * e], rel=1e-7)
    assert t.gradient("integral(x)", ["x0"], stop=1, tolerance=1e-10)[1] == pytest.approx([(1 - e) / 1.5], rel=1e-8)
    for text, message in (("integral(z^2)", "F005.*unknown variable z"), ("x^2", "not a number, but a trajectory")):
        with pytest.raises(acausal.UsageError, match=message):
            t.gradient(text, ["k"])
    assert t.gradient("integral(x^2)", ["k"], stop=1, tolerance=1e-10, method="adjoint")[1] == pytest.approx(
        [4 * (e**2 / 1.5 - share / 1.5)], rel=1e-7
    )


def test_the_name_of_an_array_stands_for_its_elements() -> None:
    """x = (x0 + k2/k1) exp(-k1 t) - k2/k1; values of parameters are given element by element."""
    text = "model M\n  parameter k[2] (tunable=true) = [1, 2]\n  local x (start=1)\n  der(x) = -k[1]*x - k[2]\nend"
    t = acausal.translate(text, cache=False)
    e = np.exp(-1)
    slopes = [-2 * e - 3 * e + 2, e - 1]
    assert t.gradient("final(x)", ["k"], stop=1, tolerance=1e-10)[1] == pytest.approx(slopes, rel=1e-7)
    run = t.sensitivities(["k"], ["x"], stop=1, tolerance=1e-10)
    assert [run["x", f"k[{i}]"][-1] for i in (1, 2)] == pytest.approx(slopes, rel=1e-7)
    with pytest.raises(acausal.UsageError, match=r"k is an array: name its elements, k\[1\], k\[2\]"):
        t.simulate(parameters={"k": 1})


def test_extreme_values_at_events_and_at_the_ends() -> None:
    switched = """
model Switched
  parameter a (tunable=true) = 2, b (tunable=true) = 1
  local x (start=a), y (start=0)
  der(x) = -x
  der(y) = if time < b then 1 else -1
end
"""
    t = acausal.translate(switched)
    for stop in (0, 1, 2):  # the event is at t = 1
        assert t.gradient("max(x)", ["a"], stop=stop)[1] == pytest.approx([1])
        assert t.gradient("min(x)", ["a"], stop=stop, tolerance=1e-9)[1] == pytest.approx([np.exp(-stop)])
    value, found = t.gradient("max(y)", ["a"], stop=2)
    assert (value, found) == (pytest.approx(1), pytest.approx([0]))
    with pytest.raises(acausal.SimulationError, match="at t = 1, at an event whose time depends") as raised:
        t.gradient("max(y)", ["b"], stop=2)
    assert code_of(raised) == "A023"


def test_a_run_with_sensitivities() -> None:
    r = acausal.translate(LAG).simulate(stop=4, sensitivities=["k"], tolerance=1e-10)
    assert r.sensitivity is not None
    assert r.sensitivity["x", "k"] == pytest.approx(r["x"] / 3, abs=1e-9)
    assert r.sensitivity["der(x)", "k"] == pytest.approx(r["der(x)"] / 3, abs=1e-9)


def test_a_parameter_without_influence_is_noted() -> None:
    t = acausal.translate(LAG.replace("k = 3", "k = 3, m = 4"))
    s = t.sensitivities(["k", "m"], ["x"], stop=2)
    assert [(note.code, note.message.split()[0]) for note in s.notes] == [("A024", "m")]


def test_equal_slopes_are_stored_once() -> None:
    """Rows have a slope of x, which is that of y and z, too; that of k is constant."""
    aliases = "  y = x\n  z = -x\n  w = x + 2\nend"
    t = acausal.translate(LAG.replace("local x", "local y, z, w, x").replace("end", aliases))
    program = t.executable.program
    found = augment(program, parameter_places(program, ["k"]), variable_symbols(program, ["x", "y", "z", "w"]))
    assert found.program.stored == program.stored + 1
    s = t.sensitivities(["k"], ["x", "y", "z", "w"], stop=1, tolerance=1e-10)
    for name, sign in (("x", 1), ("y", 1), ("z", -1), ("w", 1)):
        assert s[name, "k"] == pytest.approx(sign * s.values[:, 0] / 3, abs=1e-9)


def test_pressures_of_hydraulics() -> None:
    """Slopes of pressures by pressures are of size 1, their errors those of pressures of 1e5 Pa."""
    t = acausal.translate(Path(__file__).parents[2] / "examples" / "hydraulic_lift.mdl")
    value = 1.2e7
    runs = [t.simulate(stop=0.2, tolerance=1e-9, parameters={"relief.p0": value + d}) for d in (-1e3, 1e3)]
    given = t.sensitivities(["relief.p0"], ["supply.p"], times=[0.2], values={"relief.p0": value})
    expected = (runs[1]["supply.p"][-1] - runs[0]["supply.p"][-1]) / 2e3
    assert given["supply.p", "relief.p0"][-1] == pytest.approx(expected, rel=1e-3)


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ball.mdl").write_text(BALL)
    asked = ["sensitivity", "ball.mdl", "--stop", "1"]
    assert main([*asked, "--parameters", "h0,e", "--outputs", "v", "-o", "slopes.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["sensitivity"]
    impact = np.sqrt(4 / 9.81)  # then v = e*g*impact - g*(t - impact)
    assert found["final"]["v"]["derivatives"]["h0"] == pytest.approx(9.81 * 1.8 * impact / 4, rel=1e-5)
    assert found["final"]["v"]["derivatives"]["e"] == pytest.approx(9.81 * impact, rel=1e-5)
    assert found["events"][0]["derivatives"]["h0"] == pytest.approx(impact / 4, rel=1e-5)
    assert Path("slopes.csv").read_text().startswith("time,v,d(v)/d(h0),d(v)/d(e)\n")
    assert main([*asked, "--parameters", "h0", "--objective", "event(1)"]) == 0
    assert f"d/d(h0) = {impact / 4:.4g}"[:14] in capsys.readouterr().out
    assert main([*asked, "--parameters", "h"]) == 2
    assert main([*asked, "--parameters", "h0", "-o", "other.csv", "--figure", "missing/a.png"]) == 2
    assert not Path("other.csv").exists()
    assert main([*asked, "--parameters", "h0", "--objective", "final(h)", "-o", "slopes.csv"]) == 2
