"""Many instances of one FMU: memory, threads, and states that are saved on the way."""

import ctypes
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.targets.fmi.importer import OK, Fmu, Instance, Pointer, Size

CYCLES = 300
THREADS = 16


class Allocated(ctypes.Structure):
    """mallinfo2 of glibc."""

    _fields_ = [(name, Size) for name in ("arena", "o", "sm", "h", "mapped", "u", "fsm", "used", "f", "keep")]


def allocated() -> int:
    """Bytes that are allocated in this process."""
    function = ctypes.CDLL(None).mallinfo2
    function.restype = Allocated
    found = function()
    return int(found.used) + int(found.mapped)


def run(fmu: Fmu, g: float) -> list[float]:
    """Height behind a bounce, of an instance that is restored on the way."""
    made = fmu.co_simulation().initialize(g=g)
    assert made.step(0.0, 0.3)[0] == OK
    saved = Pointer()
    assert made.call("GetFMUState", ctypes.byref(saved)) == OK
    assert made.step(0.3, 0.5)[0] == OK
    first = made.get("h")
    assert made.call("SetFMUState", saved) == OK
    assert made.call("FreeFMUState", ctypes.byref(saved)) == OK
    assert made.step(0.3, 0.5)[0] == OK
    assert made.get("h") == pytest.approx(first, rel=1e-5)
    assert made.call("Reset") == OK
    made.initialize(g=g)
    assert made.step(0.0, 0.8)[0] == OK
    found = made.get("h")
    made.free()
    return found


def test_memory_is_flat(fmu: Fmu) -> None:
    for _ in range(10):
        run(fmu, 9.81)
    before = allocated()
    for _ in range(CYCLES):
        run(fmu, 9.81)
    assert allocated() - before < 16 * CYCLES  # no instance leaves a block, which has 32 bytes at least


@pytest.mark.parametrize(
    "path",
    ["", "/tmp/with spaces/\N{LATIN SMALL LETTER A WITH DIAERESIS}\N{GREEK SMALL LETTER OMEGA}/", "C:\\\\x y/%20"],
)
def test_paths_of_resources_are_any_text(fmu: Fmu, path: str) -> None:
    made = fmu.model_exchange(resources=path).initialize()
    assert made.get("h") == [1.0]
    made.free()


def test_threads(fmu: Fmu) -> None:
    values = [9.0 + 0.05 * i for i in range(THREADS)]
    alone = [run(fmu, g) for g in values]
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda g: [run(fmu, g) for _ in range(5)], values)) == [[each] * 5 for each in alone]


def test_instances_side_by_side(fmu: Fmu) -> None:
    made: list[Instance] = [fmu.model_exchange().initialize(g=5.0 + i) for i in range(50)]
    assert [each.get("der(v)")[0] for each in made] == pytest.approx([0.25 - 5.0 - i for i in range(50)], rel=1e-15)
    for each in made:
        each.free()
