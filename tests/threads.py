"""Threads that translate and run at the same time get what one thread gets, bit by bit."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeVar

import acausal
from acausal.base import caches
from tests.random_systems.system import random_system

EXAMPLES = Path(acausal.__file__).parent.parent / "examples"
LIBRARIES = ("dc_motor", "h_bridge", "hydraulic_lift", "double_pendulum", "amplifier", "house", "cart_pole", "rc")
THREADS = 8
RUNS = 20
T = TypeVar("T")


def at_once(count: int, work: Callable[[int], T]) -> list[T]:
    """The results of threads that begin together and take turns as often as Python can make them."""
    barrier = threading.Barrier(count)

    def one(i: int) -> T:
        barrier.wait()
        return work(i)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(one, range(count)))
    finally:
        sys.setswitchinterval(interval)


def translate_in_threads(rng: Random) -> None:
    """Each thread translates a model with libraries and a random system of its own; caches are empty at first."""
    with TemporaryDirectory() as folder:
        files = []
        for i in range(THREADS):
            files.append((EXAMPLES / f"{rng.choice(LIBRARIES)}.mdl", Path(folder) / f"m{i}.mdl"))
            files[-1][1].write_text(random_system(rng, mild=True).text(), encoding="utf-8")
        caches.clear()
        found = at_once(THREADS, lambda i: [_translated(file) for file in files[i]])
        caches.clear()
        assert found == [[_translated(file) for file in own] for own in files]


def _translated(file: Path) -> tuple[str, bytes]:
    """The code of a model and the bytes of a short run."""
    made = acausal.translate(file, cache=False)
    try:
        stored = made.simulate(stop=0.02, interval=0.01).stored.tobytes()
    except acausal.SimulationError as error:
        stored = str(error).encode()
    return made.code(), stored


def run_in_threads(rng: Random) -> None:
    """All threads run one translation with the same values of a parameter, in an order of their own."""
    masses = [rng.uniform(0.5, 4.0) for _ in range(RUNS)]
    orders = [rng.sample(masses, RUNS) for _ in range(THREADS)]
    alone, shared = (acausal.translate(EXAMPLES / "dc_motor.mdl", cache=False) for _ in range(2))
    wanted = {m: _run(alone, m) for m in masses}
    assert at_once(THREADS, lambda i: {m: _run(shared, m) for m in orders[i]}) == [wanted] * THREADS


def _run(motor: "acausal.Translation", mass: float) -> bytes:
    return motor.simulate(stop=0.02, parameters={"arm.m": mass}).stored.tobytes()
