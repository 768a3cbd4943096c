"""The garbage collector beside all objects of the tests, of which `test_gc_pause` sees none."""

import gc
import weakref

from acausal.base.gc_pause import MANY, gc_paused
from tests.test_gc_pause import Ring


def test_garbage_of_the_host_goes_before_much_is_made() -> None:
    gone = weakref.ref(Ring())
    with gc_paused():
        many = [[] for _ in range(2 * MANY)]  # type: ignore[var-annotated]
    assert gone() is None
    oldest = {id(x) for x in gc.get_objects(generation=2)}
    assert all(id(x) in oldest for x in many)


def test_small_pauses_do_not_lead_to_full_collections() -> None:
    keep = []
    gc.collect()
    full = gc.get_stats()[2]["collections"]
    for _ in range(100):
        with gc_paused():
            keep.append([[] for _ in range(MANY // 2)])  # type: ignore[var-annotated]
    assert gc.get_stats()[2]["collections"] == full


def test_what_the_user_has_frozen_stays_frozen() -> None:
    gc.collect()
    gc.freeze()
    frozen = gc.get_freeze_count()
    try:
        with gc_paused():
            pass
        assert gc.get_freeze_count() >= frozen - 100
    finally:
        gc.unfreeze()
    assert gc.isenabled()
