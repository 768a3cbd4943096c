"""Comments of a library: which one belongs to a class, its text without braces, its first sentence.

{ Spring: t = c*(dphi - phi0). It is pressed by a positive t. }        text: Spring: t = c*(dphi - phi0). It is ...
model class (compliant) spring                                        first sentence: Spring: t = c*(dphi - phi0).
"""

import re
from collections.abc import Sequence

from acausal.base.source import Span
from acausal.ir import ast

INDENT = "  "
"""Indentation of the lines of a comment after its first; a line with more is a formula or an example."""
_END = re.compile(r"\.(?=\s+[A-Z`(]|\s*$)")


def opening_comment(file: ast.File, comments: Sequence[Span]) -> str:
    """The first comment of a file that stands before its classes and models."""
    units = [unit for unit in file.units if not isinstance(unit, ast.Include)]
    first = units[0].span.start if units else file.span.end
    return comment_text(comments[0]) if comments and comments[0].start < first else ""


def comment_before(unit: Span, comments: Sequence[Span]) -> str:
    """The comment that ends on the line before a class or function; empty if there is none."""
    text = unit.file.text
    before = [c for c in comments if c.end <= unit.start and text[c.end : unit.start].strip() == ""]
    if not before or text.count("\n", before[-1].end, unit.start) != 1:
        return ""
    return comment_text(before[-1])


def comment_text(comment: Span) -> str:
    """The text inside the braces, its lines without the indentation of a comment."""
    lines = [line.removeprefix(INDENT).rstrip() for line in comment.text[1:-1].split("\n")]
    return "\n".join([lines[0].strip(), *lines[1:]]).strip()


def paragraphs(comment: str) -> tuple[str, ...]:
    """Parts of a comment: running text as one line each, indented lines (formulas, examples) as they stand."""
    found: list[list[str]] = []
    kind = ""
    for line in comment.split("\n"):
        new = "" if not line.strip() else "formula" if line.startswith(INDENT) else "text"
        if new and new != kind:
            found.append([])
        if new:
            found[-1].append(line.rstrip() if new == "formula" else line.strip())
        kind = new
    return tuple(["\n".join(part) if part[0].startswith(INDENT) else " ".join(part) for part in found])


def first_sentence(comment: str) -> str:
    """The first sentence of a comment on one line; a formula that it announces does not belong to it."""
    parts = paragraphs(comment)
    if not parts:
        return ""
    end = _END.search(parts[0])
    return parts[0][: end.start() + 1] if end else f"{parts[0].rstrip(':')}."
