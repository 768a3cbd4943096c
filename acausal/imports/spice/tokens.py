"""Words of a statement: names and numbers, `=`, brackets, expressions in braces or quotes.

R1 a b {2*r} tc=1m    ->    R1  a  b  {2*r}  tc  =  1m
"""

import re

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.spice_cards import NUMBER, Statement, scaled

LARGEST = 1e300
"""Largest number."""
_TOKEN = re.compile(r"\{[^{}]*\}|'[^']*'|\"[^\"]*\"|[=(),]|[^\s=(),{}'\"]+|\S")


@dataclass(frozen=True, slots=True)
class Token:
    """A word and where it stands; `low` in lower case."""

    text: str
    statement: Statement
    start: int

    @property
    def low(self) -> str:
        """The word in lower case, as SPICE takes it."""
        return self.text.lower()

    @property
    def span(self) -> Span:
        """Place in the file."""
        return self.statement.span(self.start, self.start + len(self.text))

    @property
    def place(self) -> str:
        """`line 3`, in an included file with its name before."""
        file = self.statement.file
        return f"{f'{file.name} ' if self.statement.included else ''}line {self.span.line}"

    @property
    def number(self) -> float | None:
        """The value of a number with its suffix, None for another word; F031 for one that is too large."""
        found = NUMBER.fullmatch(self.text)
        if found is None:
            return None
        value = scaled(found)
        if abs(value) > LARGEST:
            raise self.fault(f"{self.text} is too large")
        return value

    def fault(self, message: str, help_: str | None = None, *others: Span) -> ModelError:
        """F031 at this word."""
        return ModelError(
            Diagnostic(
                "F031", message, Label(self.span), tuple([Label(o, "the other one") for o in others]), help=help_
            )
        )


def tokens_of(statement: Statement) -> tuple[Token, ...]:
    """The words of a statement."""
    return tuple([Token(m[0], statement, m.start()) for m in _TOKEN.finditer(statement.text)])


@dataclass(frozen=True, slots=True)
class Words:
    """The words after a name: `plain` ones in order, and those given by name as in IC=1."""

    plain: tuple[Token, ...]
    given: dict[str, Token]


def words(tokens: tuple[Token, ...]) -> Words:
    """Plain words and NAME=VALUE; commas do not count, brackets are plain words."""
    found = [token for token in tokens if token.text != ","]
    plain, given, k = [], {}, 0
    while k < len(found):
        if k + 1 < len(found) and found[k + 1].text == "=":
            if k + 2 >= len(found):
                raise found[k].fault(f"{found[k].text} = has no value")
            given[found[k].low] = found[k + 2]
            k += 3
        else:
            plain.append(found[k])
            k += 1
    return Words(tuple(plain), given)
