"""Parts of a translated expression with the strength of their outermost operator."""

from typing import Protocol

from acausal.base.frozen import dataclass
from acausal.imports.spice.tokens import Token

CHOICE, OR, AND, COMPARISON, SUM, PRODUCT, SIGN, POWER, ATOM = range(9)


class Names(Protocol):
    """Meaning of the names in an expression."""

    def parameter(self, name: str, at: Token) -> str:
        """Parameter of this name."""

    def potential(self, node: str, at: Token) -> str:
        """Potential of a node."""

    def current(self, element: str, at: Token) -> str:
        """Current through an element, from its first node to its second."""

    def is_function(self, name: str) -> str | None:
        """Identifier of a function of the netlist."""

    def remark(self, message: str, at: Token) -> None:
        """Note on a difference."""


@dataclass(frozen=True, slots=True)
class Part:
    """Text of a part, how strongly its last operator binds, and True for a condition."""

    text: str
    binding: int = ATOM
    condition: bool = False

    def at_least(self, binding: int) -> str:
        """The text of a number, in brackets where its operator binds less."""
        number_ = self.as_number()
        return number_.text if number_.binding >= binding else f"({number_.text})"

    def as_number(self) -> "Part":
        """The part as a number: 1 for a condition that holds, else 0."""
        return Part(f"if {self.text} then 1 else 0", CHOICE) if self.condition else self

    def as_condition(self) -> "Part":
        """The part as a condition: a number that is not 0."""
        return self if self.condition else Part(f"{self.at_least(SUM)} <> 0", COMPARISON, True)

    def condition_at_least(self, binding: int) -> str:
        """The text of a condition, in brackets where its operator binds less."""
        made = self.as_condition()
        return made.text if made.binding >= binding else f"({made.text})"


def chosen(condition: Part, yes: Part, no: Part) -> Part:
    """`c ? a : b`."""
    return Part(f"if {condition.as_condition().text} then {yes.at_least(OR)} else {no.as_number().text}", CHOICE)
