"""Functions that are imported when they are first called, as their modules are seldom needed."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy(module: str, name: str) -> Callable[..., Any]:
    """The function `name` of `acausal.<module>`, imported by its first call.

    For type checkers the caller imports the function under `TYPE_CHECKING`.
    """

    def call(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401  (the function's own types are checked)
        return getattr(import_module(f"acausal.{module}"), name)(*arguments, **named)

    call.__name__ = call.__qualname__ = name
    return call
