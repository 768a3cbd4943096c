"""A name at a place of a text, and the classes and variables around it."""

import re
from collections.abc import Iterable
from typing import Literal

from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.ir import ast

Kind = Literal[
    "class", "value", "connector", "function", "argument", "initial", "attribute", "experiment", "prefix", "file"
]  # fmt: skip
"""The name space of a name: `connector` is what can be connected, `argument` a parameter of the class `of`, `initial` a
variable of it."""


Bound = tuple[tuple[str, Span], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mention:
    """A name at a place.

    `home` are the classes around it, the outermost first. `before` are the names before it in a dotted reference, of
    which `object_names` stand before a colon; of an argument the submodel that it is given to. `bound` is the place
    where a variable of a loop or an argument of a function is declared; `of` the class whose parameters and variables
    are named in parentheses.
    """

    span: Span
    name: str
    kind: Kind
    home: tuple[ast.Class, ...]
    declares: bool = False
    before: tuple[str, ...] = ()
    object_names: int = 0
    is_last: bool = True
    bound: Span | None = None
    of: ast.ClassReference | None = None


def name_span(name: str, span: Span, after: int = 0) -> Span:
    """The first place of a name within a span, but not in a comment; the span itself if it is not there."""
    text = span.file.text
    start = span.start + after
    if text.startswith(name, start) and not text[start + len(name) : start + len(name) + 1].isidentifier():
        return Span(span.file, start, start + len(name))
    for found in re.finditer(rf"\{{[^}}]*\}}|(?<!\w)({re.escape(name)})(?!\w)", text[start : span.end]):
        if found[1]:
            return Span(span.file, start + found.start(), start + found.end())
    return span


@dataclass(frozen=True, slots=True)
class Around:
    """Surroundings of a node: classes, and the variables of loops and arguments of functions."""

    home: tuple[ast.Class, ...] = ()
    bound: Bound = ()

    def with_class(self, node: ast.Class) -> "Around":
        """Surroundings of what stands in a class."""
        return Around((*self.home, node))

    def binding(self, pairs: Iterable[tuple[str, Span]]) -> "Around":
        """Surroundings with further variables, and where these are declared."""
        return Around(self.home, (*self.bound, *pairs))

    def place_of(self, name: str) -> Span | None:
        """Where a variable of a loop or function is declared; None for others."""
        return next((span for known, span in reversed(self.bound) if known == name), None)
