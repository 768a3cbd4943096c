"""Diagnostics for people, in the layout that rustc made familiar.

error[C004]: cuts of different shape are connected
  --> drive.mdl:14:11
   |
14 |   connect motor to pump
   |           ^^^^^ motor:shaft has 3 across / 1 through (phi, w, a / tau)
   |                    ---- pump:port has 1 across / 1 through (p / q)
   = help: did you mean pump:shaft
"""

from collections.abc import Callable

from acausal.base.excerpt import clean, excerpt
from acausal.base.frozen import dataclass
from acausal.base.report import Diagnostic, Label, Report, Severity
from acausal.base.source import SourceFile, Span

Paint = Callable[[str, str], str]

STYLES = {"error": "1;31", "warning": "1;33", "note": "1;36", "help": "1;32", "frame": "1;34", "bold": "1"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark below one line: characters from 0 (end exclusive), style and text."""

    line: int
    start: int
    end: int
    text: str
    sign: str
    style: str


def human_html(report: Report) -> str:
    """All diagnostics for a notebook; empty if there are none."""
    from html import escape

    text = escape(human(report, color=False))
    return f'<pre style="font-family: monospace">{text}</pre>' if report.diagnostics else ""


def human(report: Report, *, color: bool) -> str:
    """All diagnostics, a blank line between them, and how many there are if more than one."""
    paint = _ansi if color else _plain
    blocks = ["\n".join(_block(d, paint)) for d in report.diagnostics]
    if len(blocks) > 1:
        blocks.append(paint(_count(report), "bold"))
    return "\n\n".join(blocks)


def _count(report: Report) -> str:
    numbers = {s: sum(d.severity is s for d in report.diagnostics) for s in Severity}
    return ", ".join(f"{n} {s}{'s' if n > 1 else ''}" for s, n in numbers.items() if n)


def _block(diagnostic: Diagnostic, paint: Paint) -> list[str]:
    """The lines of one diagnostic."""
    marks = _marks(diagnostic)
    margin = " " * max((len(str(mark.line)) for group in marks.values() for mark in group), default=1)
    style = diagnostic.severity.value
    rows = [paint(f"{style}[{diagnostic.code}]", style) + paint(f": {clean(diagnostic.message)}", "bold")]
    for number, (file, group) in enumerate(marks.items()):
        arrow = ":::" if number else "-->"
        place = f"{clean(file.name)}:{group[0].line}:{group[0].start + 1}"
        rows += [f"{margin}{paint(arrow, 'frame')} {place}", f"{margin} {paint('|', 'frame')}"]
        rows += _lines(file, group, margin, paint)
    remarks = [("note", note) for note in diagnostic.notes]
    if diagnostic.help is not None:
        remarks.append(("help", diagnostic.help))
    for kind, text in remarks:
        first, *more = text.splitlines() or [""]
        rows.append(f"{margin} {paint('=', 'frame')} {paint(kind, kind)}: {clean(first)}")
        rows += [f"{margin}   {' ' * len(kind)}  {clean(line)}" for line in more]
    return rows


def _marks(diagnostic: Diagnostic) -> dict[SourceFile, list[Mark]]:
    """The marks of each file, the file of the primary label first, in each its first label first."""
    style = diagnostic.severity.value
    labels = [(label, "-", "frame") for label in diagnostic.secondary]
    if diagnostic.primary is not None:
        labels.insert(0, (diagnostic.primary, "^", style))
    marks: dict[SourceFile, list[Mark]] = {}
    for label, sign, of_sign in labels:
        marks.setdefault(label.span.file, []).extend(_marks_of(label, sign, of_sign))
    return marks


def _marks_of(label: Label, sign: str, style: str) -> list[Mark]:
    """One mark; for a span over several lines one at its first and one, with the text, at its last line."""
    file, start, end = label.span.file, label.span.start, _trimmed_end(label.span)
    line, column = file.position(start)
    last_line, last_column = file.position(max(end - 1, start))
    if last_line == line:
        return [Mark(line, column - 1, max(last_column, column), label.text, sign, style)]
    last = file.line(last_line)
    indent = len(last) - len(last.lstrip())
    return [
        Mark(line, column - 1, len(file.line(line)), "", sign, style),
        Mark(last_line, indent, last_column, label.text, sign, style),
    ]


def _trimmed_end(span: Span) -> int:
    """The end of a span without the blanks and newlines it ends in."""
    return span.start + len(span.text.rstrip())


def _lines(file: SourceFile, marks: list[Mark], margin: str, paint: Paint) -> list[str]:
    """The marked lines of a file in their order, each followed by its marks; long gaps as `...`."""
    rows: list[str] = []
    before: int | None = None
    for number in sorted({mark.line for mark in marks}):
        if before is not None and number == before + 2:
            rows += _line(file, before + 1, [], margin, paint)
        elif before is not None and number > before + 2:
            rows.append(paint("...", "frame"))
        here = sorted((m for m in marks if m.line == number), key=lambda m: (m.sign == "-", m.start))
        rows += _line(file, number, here, margin, paint)
        before = number
    return rows


def _line(file: SourceFile, number: int, marks: list[Mark], margin: str, paint: Paint) -> list[str]:
    """A line of the file with its number, and a row for each mark."""
    bar = paint("|", "frame")
    line = excerpt(file.line(number), marks[0].start if marks else 0, marks[0].end if marks else 0)
    rows = [f"{paint(str(number).rjust(len(margin)), 'frame')} {bar} {line.text}".rstrip()]
    for mark in marks:
        indent, width = line.place(mark.start, mark.end)
        text = f"{mark.sign * width} {clean(mark.text)}".rstrip()
        rows.append(f"{margin} {bar} {' ' * indent}{paint(text, mark.style)}")
    return rows


def _plain(text: str, _: str) -> str:
    return text


def _ansi(text: str, style: str) -> str:
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m"
