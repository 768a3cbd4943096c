"""The values of flags: from what was typed to what the translator takes."""

from collections.abc import Callable
from dataclasses import fields, replace
from math import inf, isfinite
from typing import TypeVar

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.given_values import finite_number
from acausal.base.options import Limits

Value = TypeVar("Value")
CHECKS = ("energy",)


def need_check(name: str | None) -> None:
    """UsageError F006 for a check of a run that there is not."""
    if name is not None and name not in CHECKS:
        hint = f"there is one check: {CHECKS[0]}"
        raise UsageError(Diagnostic("F006", f"unknown check {name!r}", help=hint))


def names(text: str | None) -> tuple[str, ...]:
    """Names and expressions separated by commas outside of brackets."""
    found, depth = [""], 0
    for sign in text or "":
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth <= 0:
            found.append("")
        else:
            found[-1] += sign
    return tuple([name.strip() for name in found if name.strip()])


def pairs(flag: str, texts: list[str] | None) -> dict[str, str]:
    """The `NAME=VALUE` of a flag that may be repeated; UsageError F006 for one without `=`."""
    found = {}
    for text in texts or []:
        name, equals, value = text.partition("=")
        if not (name.strip() and equals and value.strip()):
            raise UsageError(Diagnostic("F006", f"{flag} {text} is not of the form NAME=VALUE"))
        found[name.strip()] = value.strip()
    return found


def numbers(flag: str, texts: list[str] | None) -> dict[str, float]:
    """The `NAME=NUMBER` of a flag that may be repeated, or `NAME=true`; UsageError F006 for anything else."""
    return {name: number(flag, name, value) for name, value in pairs(flag, texts).items()}


def each_once(flag: str, texts: list[str] | None, read: Callable[[str, str], tuple[str, Value]]) -> dict[str, Value]:
    """Values by name that `read` finds in the texts of a repeatable flag; UsageError F006 for a name twice."""
    found: dict[str, Value] = {}
    for text in texts or []:
        name, value = read(flag, text)
        if not name:
            raise UsageError(Diagnostic("F006", f"{flag} {text} has no name", help=f"{flag} R.R=1:100"))
        if name in found:
            raise UsageError(Diagnostic("F006", f"{flag} names {name} twice", help="name it once"))
        found[name] = value
    return found


def bounds(flag: str, text: str) -> tuple[str, tuple[float, float]]:
    """Name and bounds of NAME or NAME=LOW:HIGH, which may have units; infinite where left out, UsageError F006 else."""
    from acausal.given_number import given_number

    name, equals, span = text.partition("=")
    return name.strip(), bounds_in(flag, text, span, given_number) if equals else (-inf, inf)


def bounds_in(
    flag: str, text: str, span: str, read: Callable[[str], float | None] = finite_number
) -> tuple[float, float]:
    """The bounds of LOW:HIGH, the end of `text`; UsageError F006 for anything else. `read` reads one of them."""
    low, colon, high = span.partition(":")
    found = read(low), read(high)
    if not colon or (low.strip() and found[0] is None) or (high.strip() and found[1] is None):
        hint = f"name it alone, or with bounds: {flag} u=0:10, {flag} u=0:"
        raise UsageError(Diagnostic("F006", f"{flag} {text} is not of the form NAME=LOW:HIGH", help=hint))
    return -inf if found[0] is None else found[0], inf if found[1] is None else found[1]


def bounds_with_scale(flag: str, text: str) -> tuple[str, tuple[float, float] | tuple[float, float, str] | None]:
    """Name and bounds of NAME, NAME=LOW:HIGH or NAME=LOW:HIGH:log, which may have units; UsageError F006 for others."""
    from acausal.given_number import given_number

    name, equals, span = text.partition("=")
    if not equals:
        return name.strip(), None
    low, _, rest = span.partition(":")
    high, colon, scale = rest.partition(":")
    if colon and scale != "log":
        message = f"{flag} {text} is not of the form NAME=LOW:HIGH or NAME=LOW:HIGH:log"
        raise UsageError(Diagnostic("F006", message, help=f"{flag} R.R=1:1e4:log"))
    pair = bounds_in(flag, text, f"{low}:{high}" if rest or ":" in span else span, given_number)
    return name.strip(), (*pair, "log") if colon else pair


def limits(texts: list[str] | None) -> Limits:
    """The limits with those of `--limit NAME=NUMBER` raised; UsageError F006 for an unknown name."""
    wanted = numbers("--limit", texts)
    known = [field.name for field in fields(Limits)]
    for name, value in wanted.items():
        if name not in known:
            raise UsageError(Diagnostic("F006", f"unknown limit {name}", help=f"the limits are {', '.join(known)}"))
        if isinstance(value, bool) or value < 1 or not value.is_integer():
            raise UsageError(Diagnostic("F006", f"--limit {name}={value:g}: a limit must be a positive integer"))
    return replace(Limits(), **{name: int(value) for name, value in wanted.items()})


def number(flag: str, name: str, value: str) -> float:
    """The number of NAME=VALUE, which may have a unit; UsageError F006 for anything else."""
    from acausal.given_number import given_number, number_hint

    found = finite_number(value)  # nearly all: the parser of units is not loaded
    if found is None:
        found = given_number(value)
    if found is None or not isfinite(found):
        raise UsageError(Diagnostic("F006", f"{flag} {name}={value}: {value} is not a number", help=number_hint(value)))
    return found
