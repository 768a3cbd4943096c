"""XML as text: elements with their attributes in order."""

from collections.abc import Iterable

Content = "Iterable[str]"

_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)
_CONTROLS = dict.fromkeys([i for i in range(32) if i not in (9, 10, 13)], "\N{REPLACEMENT CHARACTER}")


def escaped(text: str) -> str:
    """The text of an attribute; characters that XML does not have are replaced."""
    kept = "".join("\N{REPLACEMENT CHARACTER}" if "\ud800" <= c <= "\udfff" or c in "\ufffe\uffff" else c for c in text)
    return kept.translate(_CONTROLS).translate(_ESCAPES)


def shown(value: object) -> str:
    """A value as XML Schema writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        text = repr(value)
        return {"inf": "INF", "-inf": "-INF", "nan": "NaN"}.get(text, text)
    return str(value)


def element(name: str, attributes: Iterable[tuple[str, object]], content: Iterable[str] = ()) -> list[str]:
    """The lines of an element; attributes that are None are omitted."""
    given = "".join([f' {key}="{escaped(shown(value))}"' for key, value in attributes if value is not None])
    lines = [f"  {line}" for line in content]
    return [f"<{name}{given}>", *lines, f"</{name}>"] if lines else [f"<{name}{given}/>"]


def document(root: list[str]) -> str:
    """A document of one element."""
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *root, ""])
