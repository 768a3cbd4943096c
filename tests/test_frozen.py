"""Records and dataclasses of acausal beside those of the library: they are the same to their users."""

import copy
import dataclasses
import pickle
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, field, fields, is_dataclass, replace
from threading import Barrier, Thread
from typing import Any

import pytest

from acausal.base import frozen
from acausal.base.frozen import dataclass, record

Decorator = Callable[[type[Any]], type[Any]]
PLAIN = dataclasses.dataclass(frozen=True, slots=True)
MAKERS = {
    "dataclass": dataclass(frozen=True, slots=True),
    "without slots": dataclass(frozen=True),
    "record": record(frozen=True, slots=True),
    "mutable": dataclass(slots=True),
}


def points(make: Decorator) -> tuple[type[Any], type[Any]]:
    """A class with all kinds of fields, and one that inherits from it."""

    class Point:
        """Every kind of field."""

        x: float
        name: str = field(default="a", repr=False)
        tags: list[str] = field(default_factory=list)
        weight: float = field(default=1.0, compare=False)
        fixed: int = field(default=7, init=False)
        made: tuple[int, ...] = field(default_factory=tuple, init=False)

    base = make(Point)

    class Colored(base):  # type: ignore[misc, valid-type]
        """One field more, and another default."""

        weight: float = 2.0
        color: str = "red"

        def __repr__(self) -> str:
            return f"{self.color} {self.x}"

    return base, make(Colored)


@pytest.fixture(params=MAKERS, ids=str)
def make(request: pytest.FixtureRequest) -> Decorator:
    return MAKERS[request.param]


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1.5,), {}),
    ((1.5, "b", ["c"], 3.0), {}),
    ((), {"x": 2, "tags": ["d"], "weight": float("nan")}),
]


@pytest.mark.parametrize("which", [0, 1], ids=["own", "inherited"])
@pytest.mark.parametrize(("arguments", "named"), CALLS)
def test_construction(make: Decorator, which: int, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, theirs = points(make)[which], points(PLAIN)[which]
    for _ in range(2):  # the first call compiles
        a, b = ours(*arguments, **named), theirs(*arguments, **named)
        assert [repr(getattr(a, f.name)) for f in fields(a)] == [repr(getattr(b, f.name)) for f in fields(b)]
        assert repr(a) == repr(b)
    assert ours(1).tags is not ours(1).tags
    assert asdict(ours(1)) == asdict(theirs(1))
    assert replace(ours(1), x=3) == ours(3)


@pytest.mark.parametrize(("arguments", "named"), [((), {}), ((1,) * 7, {}), ((1,), {"x": 1}), ((1,), {"fixed": 1})])
def test_wrong_arguments(make: Decorator, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
    def message(cls: type[Any]) -> str:
        with pytest.raises(TypeError) as caught:
            cls(*arguments, **named)
        return str(caught.value)

    ours, theirs = points(make)[0], points(PLAIN)[0]
    assert [message(ours) for _ in range(2)] == [message(theirs)] * 2


def test_equality_and_hash(make: Decorator) -> None:
    ours, inherited = points(make)
    theirs = points(PLAIN)[0]
    assert ours(1.0) == ours(1.0, weight=5)
    assert ours(1.0) != ours(1.0, "b")
    assert ours(1.0) != inherited(1.0)
    assert ours(1.0) != theirs(1.0)
    if make is MAKERS["mutable"]:
        assert ours.__hash__ is None
    else:
        values = {"tags": (), "x": 1.0}
        assert hash(ours(**values)) == hash(ours(**values)) == hash(theirs(**values)) != hash(ours(x=2.0, tags=()))


def test_equality_can_be_that_of_identity() -> None:
    @record(frozen=True, slots=True, eq=False)
    class Node:
        """One thing."""

        x: int

    assert Node(1) != Node(1)
    assert len({Node(1), Node(1)}) == 2


def test_assignment() -> None:
    for name in ("dataclass", "without slots"):
        point = points(MAKERS[name])[0](1)
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
            point.x = 2
        with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
            del point.x
    for name in ("record", "mutable"):
        point = points(MAKERS[name])[0](1)
        point.x = 2
        assert point.x == 2
        assert not hasattr(point, "__dict__")


@dataclass(frozen=True, slots=True)
class Guarded:
    """Of a module, so that it can be pickled."""

    x: int
    y: tuple[int, ...] = ()


@record(frozen=True, slots=True, weakref_slot=True)
class Unguarded:
    """The same as a record."""

    x: int
    y: tuple[int, ...] = ()


@pytest.mark.parametrize("cls", [Guarded, Unguarded])
def test_copies(cls: type[Any]) -> None:
    value = cls(1, (2, 3))
    assert copy.copy(value) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value  # noqa: S301
    assert is_dataclass(value)
    assert cls.__match_args__ == ("x", "y")


def test_methods_of_the_class_stay() -> None:
    @dataclass(frozen=True, slots=True)
    class Own:
        """A class that has all methods, and one step after it is made."""

        x: int
        doubled: list[int] = field(init=False, compare=False, repr=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "doubled", [2 * self.x])

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, int)

        def __hash__(self) -> int:
            return 5

    assert (repr(Own(1)), Own(1) == 3, Own(1) == Own(1), hash(Own(1)), Own(4).doubled) == ("own", True, False, 5, [8])


def test_a_text_that_holds_itself_ends() -> None:
    names: list[object] = []
    a = Guarded(1, (names,))  # type: ignore[arg-type]
    names.append(a)
    assert repr(a) == "Guarded(x=1, y=([...],))"


def test_methods_are_compiled_by_their_first_call() -> None:
    cls = points(MAKERS["record"])[0]
    deferred = cls.__init__.__code__
    assert deferred.co_filename == frozen.__file__
    made = cls(1)
    assert cls.__init__.__code__ is not deferred
    assert cls.__init__.__qualname__ == f"{cls.__qualname__}.__init__"
    assert cls.__eq__.__code__.co_filename == deferred.co_filename
    assert made == cls(1)
    assert cls.__eq__.__code__.co_filename == "<string>"


def test_first_calls_from_threads() -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(50):
            cls, start, found = points(MAKERS["dataclass"])[1], Barrier(4), []

            def first(cls: type[Any] = cls, start: Barrier = start, found: list[bool] = found) -> None:
                start.wait()
                found.append(cls(1, tags=()) == cls(1, tags=()) and hash(cls(1, tags=())) == hash(cls(1, tags=())))

            threads = [Thread(target=first) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert found == [True] * 4
    finally:
        sys.setswitchinterval(before)
