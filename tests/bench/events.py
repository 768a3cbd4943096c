"""Simulation with events beside rumoca (`pip install rumoca`), same model, tolerance and output times.

    python -m tests.bench.events [ROUNDS]

Each round runs both, one after the other; the table gives the least times and their ratio. Without
rumoca ours are shown alone.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from acausal.pipeline import translate

STOP, INTERVAL, TOLERANCE = 3.5, 0.01, 1e-6

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
MODELICA = """model Ball
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


def ours() -> Callable[[], object]:
    """A run of our ball."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ball.mdl"
        file.write_text(BALL, encoding="utf-8")
        translation = translate(file)
    return lambda: translation.simulate(stop=STOP, interval=INTERVAL, tolerance=TOLERANCE)


def peer() -> Callable[[], object] | None:
    """A run of rumoca's ball, None where rumoca is missing."""
    try:
        import rumoca  # type: ignore[import-not-found, unused-ignore]  # optional
    except ImportError:
        return None
    model = rumoca.Session().loads(MODELICA, model="Ball")
    config = rumoca.SimConfig(rtol=TOLERANCE, atol=TOLERANCE)
    return lambda: model.simulate(t=(0, STOP), dt=INTERVAL, config=config)


def seconds(run: Callable[[], object]) -> float:
    """One run."""
    begin = perf_counter()
    run()
    return perf_counter() - begin


def main() -> None:
    """The table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    mine, other = ours(), peer()
    mine()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        times[0].append(seconds(mine))
        if other is not None:
            times[1].append(seconds(other))
    print(f"bouncing ball, {STOP} s, tolerance {TOLERANCE:g}: least of {rounds} rounds")
    print(f"acausal {min(times[0]) * 1e3:8.2f} ms")
    if other is None:
        print("rumoca  is not installed: pip install rumoca")
    else:
        print(f"rumoca  {min(times[1]) * 1e3:8.2f} ms    ratio {min(times[1]) / min(times[0]):.2f}")


if __name__ == "__main__":
    main()
