"""Ranges as other languages write them: `for k in 1:N`, `for k = 1:N`, `for k in range(N)`, `for k = 1..N`."""

import re

from acausal.base.diagnostics import Diagnostic
from acausal.base.source import Span
from acausal.syntax.errors.habit_values import habit
from acausal.syntax.errors.situation import Situation

_RANGE = re.compile(
    r"(?P<name>[A-Za-z_]\w*)\s*(?:in\b|=)\s*"
    r"(?:range\((?P<arguments>[^()]*)\)|(?P<first>[^\s:.,()\[\]]+)\s*(?::|\.{2,3}|\u2026)\s*"
    r"(?P<last>[^\s:,()\[\]{}]+)(?:\s*:\s*(?P<behind>[^\s:,()\[\]{}]+))?)?"
)
_AHEAD = 12
"""Tokens between `for` and the place where the parser stops, at most."""


def foreign_range(here: Situation) -> Diagnostic | None:
    """The range behind `for`, in the form of this language."""
    step = 0
    while here.text(step) != "for":
        step -= 1
        if step < max(here.statement(), -_AHEAD):
            return None
    between = [here.text(other) for other in range(step, 1)]
    if "to" in between or here.kind(step + 1) != "NAME" or step > -2:
        return None
    text = here.source.text
    found = _RANGE.match(text, here.span(step + 1).start)
    is_range = found is not None and (found["first"] or found["arguments"] is not None)
    if found is None or not (is_range or here.text(here.statement()) != "for"):
        return None
    span = Span(here.source, here.span(step).start, max(found.end(), here.span().end))
    step_is_one = "; the step is 1" if found["behind"] else ""
    return habit("a range is written with `=` and `to`", span, f"write `{_written(found)}`{step_is_one}")


def _written(found: re.Match[str]) -> str:
    """The range from its parts; `range(n)` begins at 0 and ends before n."""
    name, first, last = found["name"], found["first"], found["behind"] or found["last"]
    if found["arguments"] is not None:
        parts = [part.strip() for part in found["arguments"].split(",")]
        first, end = ("0", parts[0]) if len(parts) == 1 else parts[:2]
        last = _less_one(end)
    return f"for {name} = {first or 1} to {last or 'N'}"


def _less_one(text: str) -> str:
    """The number before `n + 1`, `4` or `n`."""
    if text.isdecimal():
        return str(int(text) - 1)
    plain = re.sub(r"\s*\+\s*1$", "", text)
    return plain if plain != text else f"{text} - 1"
