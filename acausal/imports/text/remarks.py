"""Parts that an import leaves out: remarks for the report, and the same as lines of a comment."""

from dataclasses import field

from acausal.base.frozen import dataclass
from acausal.base.report import Diagnostic, Label, Severity
from acausal.base.source import Span
from acausal.imports.text.lines import plain

_MOST = 12
"""Lines that a remark names one by one."""


@dataclass(slots=True)
class Remarks:
    """Remarks in the order of their first place; equal ones are one with several places."""

    _places: dict[tuple[str, Severity], list[Span]] = field(default_factory=dict)

    def note(self, message: str, span: Span) -> None:
        """Something without influence on the equations is left out."""
        self._places.setdefault((message, Severity.NOTE), []).append(span)

    def warn(self, message: str, span: Span) -> None:
        """Something that would change the behavior is left out or differs."""
        self._places.setdefault((message, Severity.WARNING), []).append(span)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All remarks as diagnostics, warnings first."""
        return tuple(
            [
                Diagnostic("F032", message, Label(spans[0]), notes=_others(spans), severity=severity)
                for wanted in (Severity.WARNING, Severity.NOTE)
                for (message, severity), spans in self._places.items()
                if severity is wanted
            ]
        )

    def lines(self) -> list[str]:
        """`line 12: ...` for a comment, in the order of the places."""
        rows = sorted([(spans[0].start, spans, message) for (message, _), spans in self._places.items()], key=_first)
        return [f"{lines_of(spans)}: {plain(message)}" for _, spans, message in rows]


def _first(row: tuple[int, list[Span], str]) -> int:
    return row[0]


def lines_of(spans: list[Span]) -> str:
    """`line 3`, `lines 3, 5`, or so many of them."""
    numbers = list(dict.fromkeys(span.line for span in spans))
    shown = ", ".join([str(line) for line in numbers[:_MOST]])
    more = f" and {len(numbers) - _MOST} more" if len(numbers) > _MOST else ""
    return f"line{'s' if len(numbers) > 1 else ''} {shown}{more}"


def _others(spans: list[Span]) -> tuple[str, ...]:
    return (f"also {lines_of(spans[1:])}",) if len(spans) > 1 else ()
