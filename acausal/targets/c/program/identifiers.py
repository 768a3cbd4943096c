"""Names of a model as identifiers of C."""

import re
from collections.abc import Collection

from acausal.runtime.kernel.c.names import RESERVED

_OWN = re.compile(
    r"r\d+|[tyupmfcx]|out|turn|status|acausal_\w*|solve_\w+|factor_linear|singular_values|note_pivots|sign_of"
)
"""Names that generated code uses itself."""
_OF_MODEL = """
    H P Y U M PARAMETERS STATES FROZEN INPUTS VARIABLES CONDITIONS CROSSINGS MEMORY BLOCKS RESULTS STEP METHOD
    MOST_EVENTS NEWTON_IN_STEP NEWTON_ITERATIONS OPERATIONS_DERIVATIVES OPERATIONS_STEP OPERATIONS_EVENT OPERATIONS_PART
    OPERATIONS_PASS MAX_OPERATIONS MOST_PARTS AHEAD
    FIRST_CHECK CHATTERING TOLERANCE MOST_PASSES ROWS LEAST_INDICATOR JACOBIAN_ENTRIES
"""
"""Macros of a model, behind its prefix."""
_MACROS = ("linux", "unix")
"""Of compilers."""


class Identifiers:
    """Gives each name an identifier of its own: `motor.shaft[1].w` is `motor_shaft_1_w`, `der(x)` is `der_x`.

    Those of `fields` need not differ from names that generated code uses for its variables.
    """

    def __init__(self, macros: Collection[str] = (), *, fields: bool = False) -> None:
        self._taken = set(macros)
        self._fields = fields

    def take(self, name: str) -> str:
        """An identifier that no other name has."""
        wanted = identifier(name)
        if not self._fields and _OWN.fullmatch(wanted):
            wanted = f"{wanted}_"
        found, number = wanted, 2
        while found in self._taken:
            found, number = f"{wanted}_{number}", number + 1
        self._taken.add(found)
        return found


def macros_of(prefix: str) -> frozenset[str]:
    """The macros that files of a model define, which no identifier may be."""
    return frozenset([f"{prefix.upper()}_{name}" for name in _OF_MODEL.split()])


def identifier(name: str) -> str:
    """A name with underscores for what C does not have in names."""
    text = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "unnamed"
    if text[0].isdigit():
        text = f"n{text}"
    return f"{text}_" if text in RESERVED or text in _MACROS else text
