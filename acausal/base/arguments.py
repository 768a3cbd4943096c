"""Arguments of the Python functions: checks of their types, UsageError F006 for a wrong one."""

import os
from collections.abc import Iterable, Mapping
from math import inf
from numbers import Integral, Real
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, UsageError


def wrong_type(name: str, wanted: str, value: object, hint: str | None = None) -> UsageError:
    """The error for an argument of another type than the wanted one."""
    article = "an" if type(value).__name__[0] in "aeiouAEIOU" else "a"
    given = "None" if value is None else f"{article} {type(value).__name__}"
    return UsageError(Diagnostic("F006", f"{name} must be {wanted}, not {given}", help=hint))


def as_number(name: str, value: object) -> float | None:
    """A number or None."""
    if value is None or type(value) is float:
        return value
    if type(value) is not int and (isinstance(value, bool) or not isinstance(value, Real)):
        raise wrong_type(name, "a number", value)
    try:
        return float(value)
    except OverflowError:
        raise UsageError(Diagnostic("F006", f"{name} is too large")) from None


def as_flag(name: str, value: object) -> bool:
    """True or False, also as a scalar of NumPy."""
    if value is True or value is False:
        return value
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if not isinstance(value, bool | int) or value not in (0, 1):
        raise wrong_type(name, "True or False", value)
    return bool(value)


def as_path(name: str, value: object) -> Path:
    """A path, also given as text."""
    if not isinstance(value, str | os.PathLike) or isinstance(value, bytes):
        raise wrong_type(name, "a file path", value)
    return Path(value)


def as_text(name: str, value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise wrong_type(name, "a string", value)
    return value


def as_names(name: str, value: object) -> tuple[str, ...]:
    """Several names; also a single one."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, tuple) and not value:
        return ()
    items = tuple(value) if isinstance(value, Iterable) and not isinstance(value, bytes | Mapping) else None
    if items is None or not all(isinstance(item, str) for item in items):
        raise wrong_type(name, "a list of names", value if items is None else _first_other(items))
    return items


def as_names_in_lists(name: str, values: Iterable[object]) -> tuple[str, ...]:
    """Names one by one, or in lists: of a function that takes any number of them."""
    return tuple([each for value in values for each in as_names(name, value)])


def as_paths(name: str, value: object) -> tuple[str, ...]:
    """Several folders; also a single one."""
    if isinstance(value, str | os.PathLike):
        return (str(as_path(name, value)),)
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise wrong_type(name, "a list of folders", value)
    return tuple([str(as_path(name, item)) for item in value])


def as_mapping(name: str, value: object) -> dict[str, object]:
    """Values by name; none where there is no mapping."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise wrong_type(name, "a mapping from names to values", value, f'write {name}={{"motor.k": 1.5}}')
    for other in value:
        if not isinstance(other, str):
            raise wrong_type(f"a name in {name}", "a string", other)
    return dict(value)


def _first_other(items: Iterable[object]) -> object:
    """The first that is no text."""
    return next((item for item in items if not isinstance(item, str)), None)


def as_count(name: str, value: object) -> int:
    """A whole number above 0."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        shown = repr(value)[:40]
        raise UsageError(Diagnostic("F006", f"{name}={shown}: it must be a positive integer", help="omit it"))
    return int(value)


def as_bounds(name: str, low: object, high: object) -> tuple[float, float]:
    """Lower and upper bound, infinite where they are None; UsageError F006 unless the lower one is below the other."""
    first, last = as_number(name, low), as_number(name, high)
    pair = -inf if first is None else first, inf if last is None else last
    if not pair[0] < pair[1]:
        message = f"the lower bound of {name} is not below the upper bound"
        raise UsageError(Diagnostic("F006", message, help="give (lower, upper)"))
    return pair


def as_callback(name: str, value: object) -> None:
    """UsageError unless it is a function or None."""
    if value is not None and not callable(value):
        raise wrong_type(name, "a function", value)
