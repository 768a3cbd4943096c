"""The families by name: the text of a model of size N, how long it is simulated, the sizes that are measured."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.bench.scale import circuits, others


@dataclass(frozen=True, slots=True)
class Family:
    """A family of models."""

    text: Callable[[int], str]
    stop: float
    sizes: tuple[int, ...] = (100, 1_000, 10_000)


FAMILIES = {
    "rc": Family(circuits.rc, 10.0, (1_000, 9_000, 20_000, 100_000)),
    "lc_line": Family(circuits.lc_line, 0.1),
    "lc_grid": Family(circuits.lc_grid, 0.1),
    "rc_network": Family(circuits.random_network, 1.0),
    "diode_network": Family(circuits.random_diodes, 0.5, (30, 100, 300)),
    "exchanger": Family(others.exchanger, 1.0),
    "cascade": Family(others.cascade, 2.0),
    "oscillators": Family(others.oscillators, 1.0),
    "string": Family(others.string, 0.1),
    "breakers": Family(circuits.breakers, 0.2, (40, 160, 640)),
    "events": Family(others.events, 2.0, (100, 300, 1_000)),
    "balls": Family(others.balls, 1.0, (100, 300, 1_000)),
    "dc_grid": Family(circuits.dc_grid, 1.0, (100, 1_024, 10_000)),
    "chain": Family(others.chain, 0.01, (10, 50, 200)),
}
