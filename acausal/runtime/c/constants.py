"""Numbers that kernels know by names of their modules."""

import math
from collections.abc import Iterator, Sequence

from acausal.runtime.c.expressions import literal_text
from acausal.runtime.c.names import c_name
from acausal.runtime.scope import KernelError
from acausal.runtime.tree import Function, Literal
from acausal.runtime.walk import all_expressions

_LARGEST = 2**31 - 1
"""Of what an enumeration may hold."""


def constants(functions: Sequence[Function]) -> Iterator[str]:
    """The declarations of the constants that these functions use."""
    found = _values(functions)
    whole = {name: value for name, value in found.items() if isinstance(value, int) and abs(value) <= _LARGEST}
    if whole:
        yield "\n".join(["enum {", *[f"    {c_name(name)} = {int(value)}," for name, value in whole.items()], "};"])
    for name, value in found.items():
        if name not in whole:
            kind = "int64_t" if isinstance(value, int) else "double"
            yield f"static const {kind} {c_name(name)} = {literal_text(value)};"
    if found:
        yield ""


def _values(functions: Sequence[Function]) -> dict[str, float]:
    """Values by names; what is not finite has a name of its own in C."""
    found: dict[str, float] = {}
    for function in functions:
        for value in all_expressions(function.body):
            if isinstance(value, Literal) and value.name and math.isfinite(value.value):
                known = found.setdefault(value.name, value.value)
                if repr(known) != repr(value.value):
                    raise KernelError(f"there are two constants {value.name}: {known} and {value.value}")
    return found
