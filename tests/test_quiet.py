"""The garbage collector while a translation is made: at rest, and no leak."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from acausal import quiet
from acausal.quiet import collect_what_was_left, without_collection


class Ring:
    """Garbage that only the collector finds."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def _begin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(quiet, "_SET_ASIDE", quiet._SetAside())
    yield
    assert gc.isenabled()


def test_nothing_is_collected_inside_and_what_is_made_is_old_then() -> None:
    gc.collect()
    with without_collection():
        assert not gc.isenabled()
        ring = Ring()
        gone = weakref.ref(Ring())
        many = [[] for _ in range(5000)]  # type: ignore[var-annotated]
    assert gone() is not None
    assert not any(x is ring or x is many for x in gc.get_objects(generation=0))
    assert any(x is ring for x in gc.get_objects(generation=2))


def test_garbage_goes_once_there_is_much_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet, "MOST", 1000)
    with without_collection():
        gone = weakref.ref(Ring())
        many = [[] for _ in range(2000)]  # type: ignore[var-annotated]
    assert gone() is not None
    del many
    collect_what_was_left()
    assert gone() is None


def test_what_the_user_has_frozen_stays_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    try:
        with without_collection():
            pass
        assert gc.get_freeze_count() >= frozen - 100
    finally:
        gc.unfreeze()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with without_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
