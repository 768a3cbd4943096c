"""Microseconds of the processor for an event: small models in machine code, and models with many event sources.

python -m tests.bench "events"
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from acausal.pipeline import translate
from tests.bench.events import BALL
from tests.bench.measure import Row
from tests.bench.scale.families import FAMILIES

COUNTER = """model Counter
  local x (start=0)
  discrete n (start=0)
  der(x) = 1
  when x > n + 1 then
    new(n) = n + 1
  endwhen
end
"""
SAMPLED = """model Sampled
  local x (start=0)
  discrete u (start=0)
  der(x) = u - x
  when sample(0, 0.1) then
    new(u) = 1 - x
  endwhen
end
"""
RELAY = """model Relay
  local x (start=0)
  discrete on (start=1)
  der(x) = if on > 0.5 then 1 - 0.1*x else -1 - 0.1*x
  when x > 1 then
    new(on) = 0
  elsewhen x < -1 then
    new(on) = 1
  endwhen
end
"""


@dataclass(frozen=True, slots=True)
class Work:
    """A model with events; `aim` are microseconds for one at most."""

    name: str
    text: str
    stop: float
    aim: float | None = None


def works(smaller: bool) -> list[Work]:
    """The models; `smaller`: with a tenth of the event sources."""
    count = 100 if smaller else 1_000
    balls, events = FAMILIES["balls"], FAMILIES["events"]
    return [
        Work("counter, the motion goes on", COUNTER, 5_000.0, 1.0),
        Work("sampled controller", SAMPLED, 500.0, 1.0),
        Work("relay with hysteresis, solver begins again", RELAY, 5_000.0),
        Work("ball, solver begins again", BALL.replace("e=0.8", "e=1"), 2_000.0),
        Work(f"{count} event sources, {count} states", events.text(count), events.stop, 200.0),
        Work(f"{count} balls, {2 * count} states", balls.text(count), balls.stop, 250.0),
    ]


def rows(rounds: int, *, smaller: bool = False) -> Iterator[Row]:
    """The least of the rounds: others on the same machine hardly count."""
    for work in works(smaller):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "model.mdl"
            file.write_text(work.text, encoding="utf-8")
            translation = translate(file)
        options = {"stop": work.stop, "interval": work.stop / 5}
        count = len(translation.simulate(**options).events)
        taken = []
        for _ in range(max(3, rounds)):
            begin = process_time()
            translation.simulate(**options)
            taken.append(process_time() - begin)
        each = min(taken) / count * 1e6
        yield Row(f"event: {work.name}", each, aim=work.aim, number_is="us", remark=f"{1e6 / each:.3g} a second")
