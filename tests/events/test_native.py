"""Events done by machine code give what Python gives, to the last bit; Python does what is out of the ordinary."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.runs import RunError
from acausal.simulate.solver.event_iteration import Instant
from acausal.translation import Translation
from tests.collection import ROOT
from tests.events.test_library import BEARING, IMPACT, STOP
from tests.events.test_reference import CLUTCHES, RECTIFIER, STICK_SLIP
from tests.python_loop import simulate_in_python
from tests.simulate import test_paths as paths

BALL = f"model M{paths.BALL}end\n"
SAMPLED = """model M
  local x
  discrete u, I, k
  der(x) = -x + u
  when sample(0, 0.1) then
    new(u) = 2*(1 - x) + I
    new(I) = I + 0.4*(1 - x)
  elsewhen x > 0.9 then
    new(k) = k + 1
  endwhen
end
"""
STEPS = """model M
  local x, y
  discrete n
  der(x) = floor(3*time) + floor(x) - mod(time, 0.25)
  der(y) = if x > 1 then -y else if sin(7*time) > 0.5 then 1 else 2
  when floor(x) >= n + 1 then
    new(n) = n + 1
    init(y) = y/2
  endwhen
end
"""
ZENO = BALL.replace("-0.8*v", "-0.5*v")
SLIDING = "model M\nlocal x\nder(x) = if x > 1 then -1 else 1\nend\n"
ENDS = BALL.replace("endwhen", 'endwhen\nwhen n >= 3 then\nterminate(true, "three")\nendwhen')
STUBBORN = BALL.replace("der(h) = v", "der(h) = w\n2*w = v").replace("h (start=1), v", "h (start=1), v, w").replace(
    "init(v) = -0.8*v", "init(w) = -0.8*w"
)  # fmt: skip


def translated(text: str, folder: Path) -> Translation:
    file = folder / "model.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file)


def by_python(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The times of the events that Python does from now on."""
    times: list[float] = []
    original = Instant.at

    def at(self: Instant, t: float, y: np.ndarray, crossed: dict[int, int]) -> np.ndarray:
        times.append(t)
        return original(self, t, y, crossed)

    monkeypatch.setattr(Instant, "at", at)
    return times


def assert_same(model: Translation, **options: float) -> int:
    """The number of events."""
    python = simulate_in_python(model, **options)
    for _ in range(2):  # the second one begins in machine code, too
        native = model.simulate(**options)
        assert np.array_equal(native.time, python.time)
        assert np.array_equal(native.stored, python.stored)
        assert native.events == python.events
        cost = [[v for name, v in result.stats if name != "seconds"] for result in (native, python)]
        assert cost[0] == cost[1]
    return len(python.events)


@pytest.mark.parametrize(
    ("text", "stop", "least"),
    [
        (BALL, 2.5, 4),
        (SAMPLED, 3.0, 29),
        (STEPS, 1.5, 10),
        (RECTIFIER, 0.02, 12),
        (CLUTCHES, 1.5, 5),
        (STICK_SLIP, 10.0, 4),
        (BEARING, 3.0, 1),
        (STOP, 3.0, 4),
    ],
)
def test_machine_code_does_what_python_does(
    text: str, stop: float, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = translated(text, tmp_path)
    assert assert_same(model, stop=stop) >= least
    done = by_python(monkeypatch)
    model.simulate(stop=stop)
    assert not done


@pytest.mark.parametrize("name", ["house", "h_bridge", "power_supply", "hydraulic_lift"])
def test_examples(name: str) -> None:
    assert_same(translate(ROOT / "examples" / f"{name}.mdl"))


def test_another_run_of_the_same_model(tmp_path: Path) -> None:
    """Events of an earlier run are forgotten; parameters are those of the run."""
    model = translated(BALL.replace("local h", "parameter g=9.81\nlocal h").replace("-9.81", "-g"), tmp_path)
    first = model.simulate(stop=2.5)
    other = model.simulate(stop=2.5, parameters={"g": 20.0})
    again = model.simulate(stop=2.5)
    assert np.array_equal(first.stored, again.stored)
    assert first.events == again.events
    assert len(other.events) > len(first.events)


def test_many_runs_in_threads(tmp_path: Path) -> None:
    """Solvers with their events serve one run after the other."""
    model = translated(BALL.replace("local h", "parameter g=9.81\nlocal h").replace("-9.81", "-g"), tmp_path)
    values = [5.0 + number / 2 for number in range(20)]
    swept = model.sweep({"g": values}, jobs=2, final=["h", "n"], maximum=["v"], stop=2.5)
    assert not swept.failures
    for number, g in enumerate(values):
        alone = model.simulate(stop=2.5, parameters={"g": g})
        found = [swept[name][number] for name in ("final(h)", "final(n)", "max(v)")]
        assert found == [alone["h"][-1], alone["n"][-1], alone["v"].max()]


@pytest.mark.parametrize("text", [STUBBORN, IMPACT])
def test_variables_that_are_no_states_start_again_through_python(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = translated(text, tmp_path)
    assert_same(model, stop=2.6)
    done = by_python(monkeypatch)
    events = model.simulate(stop=2.6).events
    assert 3 <= len(done) <= len(events)


def failed(model: Translation, simulate: Callable[..., Result], **options: float) -> tuple[str, np.ndarray, int]:
    with pytest.raises(RunError) as caught:
        simulate(model, **options)
    return str(caught.value), caught.value.result.stored, len(caught.value.result.events)


@pytest.mark.parametrize(("text", "stop"), [(ZENO, 3.0), (SLIDING, 2.0)])
def test_failures_are_told_alike(text: str, stop: float, tmp_path: Path) -> None:
    model = translated(text, tmp_path)
    native, python = (failed(model, way, stop=stop) for way in (Translation.simulate, simulate_in_python))
    assert native[0] == python[0]
    assert np.array_equal(native[1], python[1])
    assert native[2] == python[2]


def test_the_model_ends_the_run_in_the_midst(tmp_path: Path) -> None:
    """Three impacts with two tops between them."""
    assert assert_same(translated(ENDS, tmp_path), stop=2.5) == 5


def test_more_events_than_a_call_takes(tmp_path: Path) -> None:
    """Switches at k/1000, far more than output times."""
    model = translated("model M\nlocal x\nder(x) = if mod(time, 0.002) < 0.001 then 1 else -1\nend\n", tmp_path)
    assert assert_same(model, stop=1.0, interval=0.4) == 1000
