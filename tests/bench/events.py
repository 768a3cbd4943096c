"""Simulation with events beside rumoca (`pip install rumoca`), same model, tolerance and output times.

    python -m tests.bench.events [ROUNDS]

Each round runs both, one after the other; the table gives the least times, events in a second, and the ratio of times.
Without rumoca ours are shown alone.
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from acausal.pipeline import translate
from tests.events.test_reference import RECTIFIER

TOLERANCE = 1e-6

BALL = """model Ball
  parameter e=0.8, g=9.81
  local h (start=1), v (start=0)
  der(h) = v
  der(v) = -g
  when h < 0 and v < 0 then
    init(v) = -e*v
  endwhen
end
"""
MODELICA_BALL = """model Ball
  parameter Real e = 0.8;
  parameter Real g = 9.81;
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 and v < 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
"""
MODELICA_RECTIFIER = """model Rectifier
  constant Real pi = 3.141592653589793;
  parameter Real A = 326.59863237109045;
  parameter Real L = 60e-6;
  parameter Real C = 30e-3;
  parameter Real Ron = 1e-3;
  parameter Real Goff = 1e-3;
  parameter Real Vk = 2;
  Real i1(start=0, fixed=true), i2(start=0, fixed=true), i3;
  Real vc1(start=282.842712474619, fixed=true), vc2(start=282.842712474619, fixed=true);
  Real u1, u2, u3, v1, v2, v3, vs;
  Real s1, s2, s3, s4, s5, s6, d1, d2, d3, d4, d5, d6;
equation
  u1 = A*sin(2*pi*50*time);
  u2 = A*sin(2*pi*50*time - 2*pi/3);
  u3 = A*sin(2*pi*50*time - 4*pi/3);
  i3 = -(i1 + i2);
  vs = (v1 + v2 + v3 - u1 - u2 - u3)/3;
  L*der(i1) = vs + u1 - v1;
  L*der(i2) = vs + u2 - v2;
  i1 = d1 - d4;
  i2 = d2 - d5;
  i3 = d3 - d6;
  v1 - vc1 = s1*(if s1 < 0 then 1 else Ron) + Vk;
  d1 = s1*(if s1 < 0 then Goff else 1) + Goff*Vk;
  v2 - vc1 = s2*(if s2 < 0 then 1 else Ron) + Vk;
  d2 = s2*(if s2 < 0 then Goff else 1) + Goff*Vk;
  v3 - vc1 = s3*(if s3 < 0 then 1 else Ron) + Vk;
  d3 = s3*(if s3 < 0 then Goff else 1) + Goff*Vk;
  -vc2 - v1 = s4*(if s4 < 0 then 1 else Ron) + Vk;
  d4 = s4*(if s4 < 0 then Goff else 1) + Goff*Vk;
  -vc2 - v2 = s5*(if s5 < 0 then 1 else Ron) + Vk;
  d5 = s5*(if s5 < 0 then Goff else 1) + Goff*Vk;
  -vc2 - v3 = s6*(if s6 < 0 then 1 else Ron) + Vk;
  d6 = s6*(if s6 < 0 then Goff else 1) + Goff*Vk;
  C*der(vc1) = d1 + d2 + d3 - 500;
  C*der(vc2) = d4 + d5 + d6 - 500;
end Rectifier;
"""


@dataclass(frozen=True, slots=True)
class Work:
    """A model in both languages; `shown` is a variable of each, `close` how near their last values are."""

    name: str
    text: str
    modelica: str
    model: str
    stop: float
    interval: float
    shown: tuple[str, str]
    close: float = 1e-3


WORK = (
    Work("bouncing ball", BALL, MODELICA_BALL, "Ball", 3.5, 0.01, ("h", "h")),
    Work("rectifier", RECTIFIER, MODELICA_RECTIFIER, "Rectifier", 0.1, 1e-4, ("C1.u", "vc1")),
)


def ours(work: Work) -> Callable[[], tuple[float, int]]:
    """A run of our model: the last value of the variable shown, and the number of events."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.mdl"
        file.write_text(work.text, encoding="utf-8")
        translation = translate(file)

    def run() -> tuple[float, int]:
        result = translation.simulate(stop=work.stop, interval=work.interval, tolerance=TOLERANCE)
        return float(result[work.shown[0]][-1]), result.stats.events

    return run


def peer(work: Work) -> Callable[[], float] | None:
    """A run of rumoca's model, None where rumoca is missing."""
    try:
        import rumoca  # type: ignore[import-not-found, unused-ignore]  # optional
    except ImportError:
        return None
    model = rumoca.Session().loads(work.modelica, model=work.model)
    config = rumoca.SimConfig(rtol=TOLERANCE, atol=TOLERANCE)

    def run() -> float:
        result = model.simulate(t=(0, work.stop), dt=work.interval, config=config)
        return float(result.to_dict()["data"][work.shown[1]][-1])

    return run


def seconds(run: Callable[[], object]) -> float:
    """One run."""
    begin = perf_counter()
    run()
    return perf_counter() - begin


def row(work: Work, rounds: int) -> None:
    """One model."""
    mine, other = ours(work), peer(work)
    value, events = mine()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        times[0].append(seconds(mine))
        if other is not None:
            times[1].append(seconds(other))
    best = min(times[0])
    text = f"{work.name:14} {best * 1e3:8.2f} ms {events / best:9.0f} events/s"
    if other is not None:
        theirs = min(times[1])
        text += f" {theirs * 1e3:8.2f} ms {theirs / best:7.2f}    {work.shown[0]} {value:.6g}, {other():.6g}"
    print(text)


def main() -> None:
    """The table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    print(f"tolerance {TOLERANCE:g}, least of {rounds} rounds; ratio: rumoca / acausal")
    print(f"{'':14} {'acausal':>11} {'':>18} {'rumoca':>11} {'ratio':>7}    last value of each")
    for work in WORK:
        row(work, rounds)


if __name__ == "__main__":
    main()
