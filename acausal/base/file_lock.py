"""A property that is computed once, also where several threads ask for it at the same time."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class locked_property(Generic[T]):  # noqa: N801  (used like `property`)
    """`functools.cached_property` under the reentrant lock `_lock` of the object."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "locked_property[T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object, owner: type) -> "T | locked_property[T]":
        if instance is None:
            return self
        values = instance.__dict__
        with values["_lock"]:
            if self._name not in values:
                values[self._name] = self._compute(instance)
            found: T = values[self._name]
            return found
