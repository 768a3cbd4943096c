"""The garbage collector of the host program behaves as without us, and translations hold no reference cycles."""

import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import acausal
from acausal.base.gc_pause import HARMLESS, MANY, PLENTY, gc_paused

EXAMPLES = Path(acausal.__file__).parent.parent / "examples"
MODELS = ("rc", "dc_motor", "fourbar", "h_bridge", "robot_brakes", "amplifier", "cart_pole", "house")


class Ring:
    """Garbage that only the collector finds."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def _unchanged() -> Iterator[None]:
    """The collector is as before, and what was frozen and what was not stays so.

    A collection takes a quarter of a second with the objects of all collected tests: they are frozen meanwhile.
    """
    thresholds, frozen = gc.get_threshold(), [Ring()]
    gc.freeze()
    free = [Ring()]
    yield
    assert gc.isenabled()
    assert gc.get_threshold() == thresholds
    seen = {id(x) for x in gc.get_objects()}
    gc.unfreeze()
    assert id(frozen) not in seen
    assert id(free) in seen


def test_nothing_is_collected_inside_and_soon_afterwards() -> None:
    gc.collect()
    with gc_paused():
        assert not gc.isenabled()
        gone = weakref.ref(Ring())
        many = [[] for _ in range(5000)]  # type: ignore[var-annotated]
        assert gone() is not None
    assert gc.isenabled()
    many.append([[] for _ in range(5000)])  # allocations as any program makes them
    assert gone() is None


def test_garbage_of_the_host_is_found_beside_translations(tmp_path: Path) -> None:
    model = tmp_path / "m.mdl"
    model.write_text("model M\n  local x (start=1)\n  der(x) = -x\nend\n")
    acausal.translate(model, cache=False)
    rings = []
    for _ in range(100):
        rings += [weakref.ref(Ring()) for _ in range(100)]
        acausal.translate(model, cache=False)
    assert sum(ring() is not None for ring in rings) < 2 * gc.get_threshold()[0]


def test_garbage_of_the_host_that_has_grown_old_is_found() -> None:
    """CPython examines all once 70,000 objects are new and a quarter of all; long pauses do not stop it."""
    gc.collect()
    before, most = len(gc.get_objects()), 0
    in_use: list[list[Ring]] = []
    for _ in range(40):
        in_use = [*in_use[-2:], [Ring() for _ in range(10_000)]]
        with gc_paused():
            many = [[] for _ in range(2 * MANY)]  # type: ignore[var-annotated]
        del many
        most = max(most, len(gc.get_objects()))
    assert most - before < max(PLENTY, most // 4) + 60_000


def test_garbage_of_other_threads_is_found_beside_pauses() -> None:
    """What other threads leave while the collector pauses is old when the pause ends, and found all the same."""
    gc.collect()
    before, most = len(gc.get_objects()), 0
    for number in range(160):
        with gc_paused():
            rings = [Ring() for _ in range(2 * MANY)]
        del rings
        if number % 20 == 19:  # counting takes longer than all else
            most = max(most, len(gc.get_objects()))
    assert most - before < HARMLESS * max(PLENTY, most // 4) + 60_000


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_nested_pauses_end_with_the_outer_one() -> None:
    with gc_paused():
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()


def _growth(work: Callable[[], object]) -> int:
    """Objects of the collector that one more call leaves, while the collector is off."""
    gc.collect()
    gc.disable()
    try:
        work()
        before = len(gc.get_objects())
        work()
        return len(gc.get_objects()) - before
    finally:
        gc.enable()


@pytest.mark.parametrize("model", MODELS)
def test_translations_and_runs_go_with_the_last_reference(model: str) -> None:
    file = EXAMPLES / f"{model}.mdl"

    def work() -> None:
        translation = acausal.translate(file, cache=False)
        translation.simulate(stop=0.01)
        translation.equations("sorted")

    for _ in range(2):
        work()
    assert _growth(work) == 0


def test_checks_go_with_the_last_reference() -> None:
    file = EXAMPLES / "dc_motor.mdl"
    acausal.check(file)
    assert _growth(lambda: acausal.check(file)) == 0


def test_runs_of_one_translation_leave_nothing() -> None:
    motor = acausal.translate(EXAMPLES / "dc_motor.mdl", cache=False)

    def work() -> None:
        motor.simulate(stop=0.01, parameters={"arm.m": 1.5})

    for _ in range(3):
        work()
    assert _growth(work) == 0


def test_steady_starts_and_sweeps_go_with_the_last_reference() -> None:
    def work() -> None:
        motor = acausal.translate(EXAMPLES / "dc_motor.mdl", cache=False)
        motor.simulate(stop=0.01, steady=True)
        motor.sweep({"arm.m": "0.5:4:3"}, stop=0.01, jobs=1)

    for _ in range(2):
        work()
    assert _growth(work) == 0
