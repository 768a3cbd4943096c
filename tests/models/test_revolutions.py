"""A pendulum in Cartesian coordinates that goes over the top again and again: no drift, however long the run.

`python -m tests.long revolutions` lets each go round a thousand times.
"""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from scipy.special import ellipk

from acausal.pipeline import translate
from acausal.results.result import Result

MODEL = """model Pendulum
  parameter L={length!r}, g={gravity!r}
  local x (start=0), y (start=-L), vx (start={speed!r}), vy, force
  der(x) = vx
  der(y) = vy
  der(vx) = -force*x
  der(vy) = -force*y - g
  x^2 + y^2 = L^2
end
"""


def go_round(rng: Random, revolutions: int) -> None:
    """A pendulum of random length, gravity and speed; its period is (4/w)*K(4*g/(L*w^2)), w the speed at the bottom."""
    length, gravity = 10 ** rng.uniform(-1, 1), rng.uniform(1, 20)
    part = rng.uniform(0.2, 0.9)
    w = np.sqrt(4 * gravity / (length * part))
    text = MODEL.format(length=length, gravity=gravity, speed=float(w * length))
    period = 4 / w * ellipk(part)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "pendulum.mdl"
        file.write_text(text, encoding="utf-8")
        translation = translate(file)
    assert translation.statistics["states"] == 2
    result = translation.simulate(stop=revolutions * period, interval=period / 40, tolerance=1e-9)
    _check(result, length, gravity, revolutions)


def _check(result: Result, length: float, gravity: float, revolutions: int) -> None:
    x, y, vx, vy = (result[name] for name in ("x", "y", "vx", "vy"))
    assert np.abs(x**2 + y**2 - length**2).max() < 1e-9 * length**2
    speed = np.hypot(vx, vy)
    assert np.abs(x * vx + y * vy).max() < 1e-9 * length * speed.max()
    energy = speed**2 / 2 + gravity * y
    assert np.abs(energy - energy[0]).max() < 1e-7 * revolutions * speed.max() ** 2
    angle = np.unwrap(np.arctan2(x, -y))
    behind = 1e-7 * revolutions**2  # the energy changes by some 1e-8 each time, hence the period, too
    assert abs(angle[-1] / (2 * np.pi) - revolutions) < behind + 1e-5


def a_thousand_times(rng: Random) -> None:
    """One pendulum of the long campaign."""
    go_round(rng, 1000)


def test_over_the_top_and_round() -> None:
    for number in range(2):
        go_round(Random(f"round {number}"), 10)
