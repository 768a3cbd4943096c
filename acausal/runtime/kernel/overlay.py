"""Structures that lie in an array of Real: kernels know numbers in it by names."""

from typing import TypeVar

from acausal.runtime.kernel.language import Int, Reals, Struct, tail


class Overlay(Struct):
    """A structure in an array of Real: fields are Real, or arrays `Annotated[Reals, length]` in it."""

    words = 0
    """Numbers that it takes."""

    def __init__(self, numbers: Reals, start: Int) -> None:
        self.__dict__["numbers"] = numbers
        self.__dict__["start"] = start

    def __init_subclass__(cls) -> None:
        for name, kind in cls.__annotations__.items():
            length = length_of(kind)
            setattr(cls, name, _number_at(cls.words) if length is None else _array_at(cls.words))
            cls.words += 1 if length is None else length


Overlaid = TypeVar("Overlaid", bound=Overlay)


def overlay(struct: type[Overlaid], array: Reals, start: Int) -> Overlaid:
    """The structure that lies in an array from this element on."""
    return struct(array, start)


def length_of(annotation: object) -> int | None:
    """The length of an array in an `Overlay`; None of other types."""
    kind, length = getattr(annotation, "__origin__", None), getattr(annotation, "__metadata__", (None,))[0]
    return length if kind is Reals and isinstance(length, int) else None


def _number_at(position: int) -> property:
    def get(record: Overlay) -> float:
        found: float = record.__dict__["numbers"][record.__dict__["start"] + position]
        return found

    def put(record: Overlay, value: float) -> None:
        record.__dict__["numbers"][record.__dict__["start"] + position] = value

    return property(get, put)


def _array_at(position: int) -> property:
    return property(lambda record: tail(record.__dict__["numbers"], record.__dict__["start"] + position))
