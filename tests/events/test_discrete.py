"""Discrete variables, samples, relays and first instants against values worked out by hand."""

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from tests.events.models import event_times, failed, model


def test_sampled_controller_against_the_discrete_solution() -> None:
    """x' = -x + u between samples: x(t+h) = x e^-h + (1 - e^-h) u, exactly."""
    gain, reset, h = 2.0, 0.5, 0.1
    result = model(
        f"""
  local x
  discrete u, I
  der(x) = -x + u
  when sample(0, {h}) then
    new(u) = {gain}*(1 - x) + I
    new(I) = I + {gain * h / reset}*(1 - x)
  endwhen""",
        stop=2.95,
        tolerance=1e-10,
        interval=0.05,
    )
    x = total = 0.0
    for k in range(30):
        u = gain * (1 - x) + total
        total += gain * h / reset * (1 - x)
        row = int(np.searchsorted(result.time, k * h + 0.05 - 1e-9))
        assert abs(result["u"][row] - u) < 1e-8
        assert abs(result["x"][row] - (x * np.exp(-0.05) + (1 - np.exp(-0.05)) * u)) < 1e-8
        x = x * np.exp(-h) + (1 - np.exp(-h)) * u
    samples = result.time[np.flatnonzero(np.diff(result.time) == 0)]
    np.testing.assert_array_equal(samples, [h * k for k in range(1, 30)])


def test_events_in_time_do_not_drift() -> None:
    """A relay driven by a square wave: 10,000 switches, each at k/1000 to the last digit."""
    result = model(
        """
  local x
  discrete n
  der(x) = if mod(time, 0.002) < 0.001 then 1 else -1
  when time >= (n + 1)*0.001 then
    new(n) = n + 1
  endwhen""",
        stop=10,
        interval=1,
    )
    times = event_times(result, "n")
    assert len(times) == 10_000
    np.testing.assert_allclose(times, 0.001 * np.arange(1, 10_001), rtol=0, atol=1e-11)
    assert abs(result["x"][-1]) < 1e-10


def test_hysteresis() -> None:
    """Up with 1 from 0 to 1, down with 2: a period of 1.5."""
    result = model(
        """
  local x
  discrete integer m (start=1)
  der(x) = if m > 0 then 1 else -2
  new(m) = if x > 1 then -1 elseif x < 0 then 1 else m""",
        stop=10,
        tolerance=1e-9,
    )
    exact = np.cumsum([1.0] + [0.5, 1.0] * 6)
    np.testing.assert_allclose(event_times(result, "m"), exact[:12], atol=1e-8)


def test_new_values_are_sorted_and_simultaneous() -> None:
    """At t = 1 both fire: k takes the value that m has after the event."""
    result = model(
        """
  discrete k, m
  when initial() then
    new(k) = 7
  elsewhen time > 1 then
    new(k) = k + new(m)
  endwhen
  when sample(0.5, 0.5) then
    new(m) = m + 1
  endwhen""",
        stop=2,
    )
    assert (result["k"][0], result["k"][-1]) == (7, 9)
    assert result["m"][-1] == 4


def test_both_sides_are_kept_and_the_left_one_comes_first() -> None:
    result = model("  local y\n  y = if time < 0.5 then 1 else 2", stop=1)
    at = np.flatnonzero(result.time == 0.5)
    assert result["y"][at].tolist() == [1, 2]


def test_terminate_and_assert_at_the_very_moment() -> None:
    result = model('  local x\n  der(x) = 1\n  terminate(x > 0.5, "half")', stop=1, tolerance=1e-9)
    assert abs(result.time[-1] - 0.5) < 1e-9
    error = failed('  local x\n  der(x) = 1\n  when x > 0.25 then\n    assert(x < 0.2, "late")\n  endwhen', stop=1)
    assert error.report.diagnostics[0].code == "R010"
    assert abs(error.result.time[-1] - 0.25) < 1e-6


def test_init_of_what_is_no_state_changes_the_states_least() -> None:
    """w = w1 + 2 w2 from 3 to 10: the least change is 7 (1, 2)/5; positions stay."""
    result = model(
        """
  local phi1, phi2, w1 (start=3), w2, w
  der(phi1) = w1
  der(phi2) = w2
  w = w1 + 2*w2
  der(w1) = 0
  der(w2) = 0
  when time > 0.5 then
    init(w) = 10
  endwhen""",
        stop=1,
    )
    assert abs(result["w1"][-1] - 4.4) < 1e-8
    assert abs(result["w2"][-1] - 2.8) < 1e-8
    assert abs(result["phi1"][-1] - (1.5 + 2.2)) < 1e-6


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y = abs(sin(4*time))", lambda t: np.abs(np.sin(4 * t))),
        ("y = max(time, 0.5)", lambda t: np.maximum(t, 0.5)),
        ("y = min(time^2, 0.25)", lambda t: np.minimum(t**2, 0.25)),
        ("y = noevent(if time < 0.5 then 1 else 2)*time", lambda t: np.where(t < 0.5, 1, 2) * t),
    ],
)
def test_kinks(body: str, expected: object) -> None:
    result = model(f"  local y, x\n  {body}\n  der(x) = y", stop=1, tolerance=1e-9)
    assert callable(expected)
    np.testing.assert_allclose(result["y"], expected(result.time), atol=1e-12)


def test_steps() -> None:
    """floor, ceil, mod and sign keep their value between jumps and take the new one behind."""
    result = model("  local a, b, c, d, x\n  a = floor(x)\n  b = ceil(x)\n  c = mod(x, 2)\n  d = sign(x - 1.5)\n"
                   "  der(x) = 3*cos(time)", stop=6, tolerance=1e-9)  # fmt: skip
    x = 3 * np.sin(result.time)
    clear = np.abs(x - np.round(2 * x) / 2) > 1e-6
    np.testing.assert_array_equal(result["a"][clear], np.floor(x)[clear])
    np.testing.assert_array_equal(result["b"][clear], np.ceil(x)[clear])
    np.testing.assert_array_equal(result["d"][clear], np.sign(x - 1.5)[clear])
    np.testing.assert_allclose(result["c"][clear], np.mod(x, 2)[clear], atol=1e-6)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("local x\nder(x) = 1\nwhen x > 1 then\nnew(x) = 0\nendwhen", "E001"),
        ("local x\nder(x) = 1\nwhen sample(0, x) then\ninit(x) = 0\nendwhen", "E002"),
        ("local x\nder(x) = 1\ninit(x) = 0", "E003"),
        ("local x\nder(x) = 1\nwhen x > 1 then\nx = 0\nendwhen", "E004"),
        ("discrete k\nnew(k) = 1\nwhen time > 1 then\nnew(k) = 0\nendwhen", "E005"),
        ("discrete k, m\nnew(k) = new(m)\nnew(m) = new(k)", "E006"),
        ("discrete k\nlocal x\nx = der(k)\nnew(k) = 1", "E007"),
    ],
)
def test_mistakes(body: str, code: str) -> None:
    with pytest.raises(ModelError) as caught:
        model(body)
    (found,) = caught.value.report.diagnostics
    assert found.code == code
    assert found.primary is not None


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("discrete k\nnew(k) = 1 - k", "E010"),
        ("local x (start=1)\nder(x) = -sign(x)", "E011"),
        ("local x, y\nder(x) = 1\ny = x\nwhen time > 0.5 then\ninit(x) = 1\ninit(y) = 2\nendwhen", "E012"),
        ("local x\nx = if x > 0 then -1 else 1", "E013"),
    ],
)
def test_failures(body: str, code: str) -> None:
    with pytest.raises(ModelError) as caught:
        model(body, stop=2)
    assert caught.value.report.diagnostics[0].code == code


def test_events_show_no_negative_zero() -> None:
    result = model("discrete k\nwhen sample(0.1, 0.4) then\nnew(k) = 1 - k\nendwhen", stop=1)
    assert [event.changes for event in result.events] == [("k = 1",), ("k = 0",), ("k = 1",)]
