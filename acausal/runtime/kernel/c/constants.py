"""Numbers that kernels know by names of their modules."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from acausal.runtime.kernel.c.expressions import literal_text
from acausal.runtime.kernel.c.names import c_name
from acausal.runtime.kernel.tree import Function, Literal, Statement
from acausal.runtime.kernel.walk import all_expressions

Body = tuple[Statement, ...]
_LARGEST = 2**31 - 1
"""Of what an enumeration may hold."""


def with_unique_constants(functions: Sequence[Function]) -> list[Function]:
    """The same functions; constants of one name and several values have those of their modules before it."""
    homes: dict[str, dict[str, str]] = {}
    for function in functions:
        for literal in _named(function):
            module = function.origin.module.rpartition(".")[2].upper()
            homes.setdefault(literal.name, {}).setdefault(repr(literal.value), module)
    names = {
        (name, value): f"{module}_{name}"
        for name, values in homes.items()
        if len(values) > 1
        for value, module in values.items()
    }
    return [replace(f, body=cast("Body", _renamed(f.body, names))) for f in functions] if names else [*functions]


def constants(functions: Sequence[Function]) -> Iterator[str]:
    """The declarations of the constants that these functions use; what is not finite has a name of its own in C."""
    found = {literal.name: literal.value for function in functions for literal in _named(function)}
    found = {name: value for name, value in found.items() if math.isfinite(value)}
    whole = {name: value for name, value in found.items() if isinstance(value, int) and abs(value) <= _LARGEST}
    if whole:
        yield "\n".join(["enum {", *[f"    {c_name(name)} = {int(value)}," for name, value in whole.items()], "};"])
    for name, value in found.items():
        if name not in whole:
            kind = "int64_t" if isinstance(value, int) else "double"
            yield f"static const {kind} {c_name(name)} = {literal_text(value)};"
    if found:
        yield ""


def _named(function: Function) -> Iterator[Literal]:
    return (e for e in all_expressions(function.body) if isinstance(e, Literal) and e.name)


def _renamed(part: object, names: dict[tuple[str, str], str]) -> object:
    """A part of a tree, all of which are tuples, with other names of constants."""
    if isinstance(part, Literal):
        return part._replace(name=names.get((part.name, repr(part.value)), part.name))
    if not isinstance(part, tuple):
        return part
    make = getattr(part, "_make", tuple)
    return make([_renamed(inner, names) for inner in part])
