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


def _pieces(line: str) -> list[str]:
    pieces = _BREAKS.split(line)
    lines = [pieces[0]]
    for piece in pieces[1:]:
        if len(lines[-1]) + len(piece) + 3 > (WIDTH if len(lines) == 1 else WIDTH - 12):
            lines[-1] += ","
            lines.append(piece)
        else:
            lines[-1] += f", {piece}"
    return lines
