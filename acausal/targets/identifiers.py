"""Names of a model as identifiers of another language, each once."""

import re
from collections.abc import Iterable

from acausal.ir.names import Symbol, show_name

_OTHER = re.compile(r"[^A-Za-z0-9]+")


def identifier_of(symbol: Symbol) -> str:
    """`r1.q` is r1_q, der(r1.q) der_r1_q, der(r1.q, 2) der2_r1_q, `T[1,2]` T_1_2."""
    name, order = symbol
    text = _OTHER.sub("_", show_name(name)).strip("_") or "x"
    text = f"der{order if order > 1 else ''}_{text}" if order else text
    return f"v_{text}" if text[0].isdigit() else text


class Identifiers:
    """Gives each thing a name of its own; `ignores_case` of Fortran, `longest` for names of limited length."""

    def __init__(self, taken: Iterable[str], ignores_case: bool = False, longest: int = 1000) -> None:
        self._ignores_case, self._longest = ignores_case, longest
        self._taken = {self._key(name) for name in taken}

    def _key(self, name: str) -> str:
        return name.lower() if self._ignores_case else name

    def take(self, wanted: str) -> str:
        """The name, or with a number behind it, where it is taken."""
        wanted = wanted[: self._longest - 6]
        found, number = wanted, 1
        while self._key(found) in self._taken:
            number += 1
            found = f"{wanted}_{number}"
        self._taken.add(self._key(found))
        return found
