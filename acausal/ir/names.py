"""Names of things in a built model: paths are tuples, text is rendered, never parsed back.

`("r1", "q")` is `r1.q`; integers are indices behind a name, counted from 1:
`("R", 3, "Va")` is `R[3].Va`, `("T", 1, 2)` is `T[1,2]`.
"""

import re
from collections.abc import Iterable

Name = tuple[str | int, ...]

Symbol = tuple[Name, int]
"""A variable: its name and the order of the derivative."""


def without_indices(name: Name) -> Name:
    """Of an element the name of its array; other names as they are."""
    while isinstance(name[-1], int):
        name = name[:-1]
    return name


def show_name(name: Name) -> str:
    """The text of a name as a user writes it."""
    text: list[str] = []
    indices: list[str] = []
    for part in name:
        if isinstance(part, int):
            indices.append(str(part))
            continue
        if indices:
            text.append(f"[{','.join(indices)}]")
            indices = []
        text.append(f".{part}" if text else part)
    if indices:
        text.append(f"[{','.join(indices)}]")
    return "".join(text)


def show_derivative(name: Name, order: int) -> str:
    """The text of a variable's derivative: `x`, `der(x)`, `der(x, 2)`."""
    if order == 0:
        return show_name(name)
    return f"der({show_name(name)})" if order == 1 else f"der({show_name(name)}, {order})"


def listed(items: Iterable[str], most: int, count: int = 0) -> str:
    """The first of the items, and how many more there are; `count` is how many, where only the first are given."""
    every = list(items)
    more = max(len(every), count) - most
    return ", ".join(every[:most]) + (f" and {more} more" if more > 0 else "")


_SOUNDS_LIKE_VOWEL = re.compile(r"(?!uni|use|one\b|eu)[aeiou]|(8\d*|11|18)\b", re.IGNORECASE)
"""Of words and of numbers below a thousand: eight, eleven, eighteen and eighty."""


def with_article(words: str) -> str:
    """The words behind `a` or `an`: `an integer parameter`, `a unit`, `an 8 by 2 matrix`."""
    return f"{'an' if _SOUNDS_LIKE_VOWEL.match(words) else 'a'} {words}"
