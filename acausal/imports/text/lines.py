"""Lines of model text: comments, strings, and lines that are not too long."""

import re

WIDTH = 118
_BREAKS = re.compile(r", (?=[^\"]*(?:\"[^\"]*\"[^\"]*)*$)")


def comment(text: str) -> str:
    """A comment; braces would end it."""
    return f"{{ {plain(text)} }}"


def plain(text: str) -> str:
    """Text that may stand in a comment: on one line, without braces and control characters."""
    return "".join(c if c.isprintable() else " " for c in text).replace("{", "(").replace("}", ")")


def string(text: str) -> str:
    """A string of model text."""
    printable = "".join(c if c.isprintable() else "?" for c in text)
    return '"' + printable.replace("\\", "\\\\").replace('"', '\\"') + '"'


def wrapped(line: str, remark: str = "") -> list[str]:
    """The line in pieces that end with a comma, if it is too long; a comment follows the last."""
    *lines, last = _pieces(line) if len(line) > WIDTH else [line]
    return [*lines, f"{last}  {comment(remark)}" if remark else last]


def listed(start: str, items: list[str]) -> list[str]:
    """`start item, item, ...` in lines that are not too long."""
    lines = [f"{start} {items[0]}"]
    for item in items[1:]:
        if len(lines[-1]) + len(item) + 3 > (WIDTH if len(lines) == 1 else WIDTH - 12):
            lines[-1] += ","
            lines.append(item)
        else:
            lines[-1] += f", {item}"
    return lines


def _pieces(line: str) -> list[str]:
    start, *pieces = _BREAKS.split(line)
    head, _, first = start.rpartition(" ")
    return listed(head, [first, *pieces])
