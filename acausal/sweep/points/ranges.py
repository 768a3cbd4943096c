"""The values that a parameter takes in a sweep, as typed.

2.5             one value, the same in all runs
1,2,5           a list
0.1:10:50       50 values from 0.1 to 10, both ends included, at equal distances
0.1:10:50:log   the same at equal ratios
0,1:100:3:log   the parts of a list may be ranges: 0, 1, 10, 100
1k:10k:4        numbers may have prefixes and units: 1 kOhm:10 kOhm:4
"""

from collections.abc import Callable

from acausal.base.diagnostics import Diagnostic, Label, LimitError, UsageError
from acausal.base.source import SourceFile, Span
from acausal.given_number import given_number, number_hint

Convert = Callable[[str], float | None]

FORMS = "write 2.5, a list 1,2,5, a range FIRST:LAST:NUMBER, or FIRST:LAST:NUMBER:log for equal ratios"
LOG = "log"


def parse_values(name: str, text: str, most: int, convert: Convert = given_number) -> tuple[float, ...]:
    """The values of `name`; UsageError W001 with the part that is not understood, LimitError W003 above `most`.

    `convert` is the number of a text, which may have a unit; None for one that is no number.
    """
    written = f"{name}={text}"
    file = SourceFile("--set", written)
    found: list[float] = []
    start = len(name) + 1
    for part in text.split(","):
        blanks = len(part) - len(part.lstrip())
        begin = start + (blanks if part.strip() else 0)
        span = Span(file, begin, max(begin + len(part.strip()), begin + 1))
        found += _part(span, part.strip(), most, convert)
        start += len(part) + 1
    if len(found) > most:
        raise too_many(len(found), most)
    return tuple(found)


def too_many(count: int, most: int) -> LimitError:
    """More runs than the limit allows."""
    hint = f"use fewer values, or raise the limit with --limit runs={count}"
    return LimitError(Diagnostic("W003", f"{count} runs exceed the limit of {most}", help=hint))


def values_between(first: float, last: float, count: int, *, by_ratio: bool) -> tuple[float, ...]:
    """`count` values from first to last, both included, at equal distances or ratios (ends of one sign, not 0)."""
    if by_ratio:
        inner = [first * (last / first) ** (k / (count - 1)) for k in range(1, count - 1)]
    else:
        inner = [first + (last - first) * (k / (count - 1)) for k in range(1, count - 1)]
    return (first, *inner, last)


def _part(span: Span, text: str, most: int, convert: Convert) -> tuple[float, ...]:
    """A number or a range."""
    if not text:
        raise _wrong(span, "a value is missing", FORMS)
    if ":" not in text:
        return (_number(span, text, convert),)
    pieces = [piece.strip() for piece in text.split(":")]
    by_ratio = len(pieces) == 4 and pieces[3].lower() == LOG
    if len(pieces) != 3 and not by_ratio:
        raise _wrong(span, f"{text} is not a range", "write FIRST:LAST:NUMBER, or FIRST:LAST:NUMBER:log")
    first, last, number = (_number(span, piece, convert) for piece in pieces[:3])
    if not number.is_integer() or number < 2:
        hint = "both ends are included, so a range has at least 2 values; write a single value as a number"
        raise _wrong(span, f"{pieces[2]} is not a number of values", hint)
    if by_ratio and not first * last > 0.0:
        raise _wrong(span, "values at equal ratios cannot reach or cross 0", "use ends of the same sign, or omit :log")
    if number > most:
        raise too_many(int(number), most)
    return values_between(first, last, int(number), by_ratio=by_ratio)


def _number(span: Span, text: str, convert: Convert) -> float:
    number = convert(text)
    if number is None and text.lower().lstrip("+-") in ("inf", "infinity", "nan"):
        raise _wrong(span, f"{text} is not finite", FORMS)
    if number is None:
        raise _wrong(span, f"{text or 'nothing'} is not a number", number_hint(text) or FORMS)
    return number


def _wrong(span: Span, message: str, hint: str) -> UsageError:
    return UsageError(Diagnostic("W001", message, Label(span), help=hint))
