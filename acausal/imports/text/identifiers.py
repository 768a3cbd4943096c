"""Legal, unique names of submodels for the names of another program.

panda-link 1  ->  panda_link_1        end  ->  end_        1N4007  ->  _1N4007
"""

import re
from collections.abc import Iterable

from acausal.syntax.keywords import CONSTANTS, DECLARATIONS, OPERATORS, STATEMENTS, TYPES, VALUES

RESERVED = frozenset([*DECLARATIONS, *TYPES, *STATEMENTS, *OPERATORS, *CONSTANTS, *VALUES])
_OTHER = re.compile(r"[^A-Za-z0-9_]")


def identifier(name: str) -> str:
    """The name with other characters replaced, and `_` where it would begin with a digit or be a keyword."""
    plain = _OTHER.sub("_", name) or "_"
    plain = f"_{plain}" if plain[0].isdigit() else plain
    return f"{plain}_" if plain in RESERVED else plain


class Identifiers:
    """The names of one class: each is given once, later ones get a suffix."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def unique(self, name: str, suffix: str = "") -> str:
        """A legal name for `name`; with the suffix, and then a number, where that is taken."""
        first = identifier(name)
        candidate, number = first, 1
        while candidate in self._taken:
            candidate = f"{first}{suffix}" if suffix and number == 1 else f"{first}_{number}"
            number += 1
        self._taken.add(candidate)
        return candidate
