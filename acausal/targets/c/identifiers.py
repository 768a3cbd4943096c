"""Names of a model as identifiers of C."""

import re

from acausal.runtime.kernel.c.names import RESERVED

_OWN = re.compile(r"r\d+|[tyupmfcx]|out|turn|status|linux|unix|acausal_\w*")
"""Names that generated code uses itself, and macros of compilers."""


class Identifiers:
    """Gives each name an identifier of its own: `motor.shaft[1].w` is `motor_shaft_1_w`, `der(x)` is `der_x`."""

    def __init__(self, avoided: str = "") -> None:
        self._taken: set[str] = set()
        self._avoided = avoided

    def take(self, name: str) -> str:
        """An identifier that no other name has."""
        wanted = identifier(name)
        if self._avoided and wanted.startswith(self._avoided):
            wanted = f"{wanted}_"
        found, number = wanted, 2
        while found in self._taken:
            found, number = f"{wanted}_{number}", number + 1
        self._taken.add(found)
        return found


def identifier(name: str) -> str:
    """A name with underscores for what C does not have in names."""
    text = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "unnamed"
    if text[0].isdigit():
        text = f"n{text}"
    return f"{text}_" if text in RESERVED or _OWN.fullmatch(text) else text
