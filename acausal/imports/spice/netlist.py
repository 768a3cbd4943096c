"""A netlist as data: circuits with what they hold, in the order of the text."""

from dataclasses import field

from acausal.base.frozen import dataclass
from acausal.imports.spice.tokens import Token


@dataclass(frozen=True, slots=True)
class Element:
    """A line with an element: its name and the words after it."""

    name: Token
    rest: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A `.model`: its name, its type, and its parameters by their names in upper case."""

    name: Token
    kind: Token
    parameters: dict[str, Token]


@dataclass(slots=True)
class Circuit:
    """The top level or a subcircuit. Tables are by names in lower case."""

    name: Token | None
    outer: "Circuit | None"
    ports: tuple[Token, ...] = ()
    defaults: dict[str, tuple[Token, Token]] = field(default_factory=dict)
    parameters: dict[str, tuple[Token, Token]] = field(default_factory=dict)
    elements: list[Element] = field(default_factory=list)
    cards: dict[str, Card] = field(default_factory=dict)
    circuits: "dict[str, Circuit]" = field(default_factory=dict)

    def card(self, name: str) -> Card | None:
        """A card seen from here, inside out."""
        circuit: Circuit | None = self
        while circuit is not None:
            if name in circuit.cards:
                return circuit.cards[name]
            circuit = circuit.outer
        return None

    def circuit(self, name: str) -> "Circuit | None":
        """A subcircuit seen from here."""
        circuit: Circuit | None = self
        while circuit is not None:
            if name in circuit.circuits:
                return circuit.circuits[name]
            circuit = circuit.outer
        return None


@dataclass(frozen=True, slots=True)
class Transient:
    """`.tran step stop start largest [uic]`."""

    step: Token
    stop: Token
    uic: bool


@dataclass(slots=True)
class Netlist:
    """Title, circuit, and what the commands say: transient analysis, initial potentials, nodes to plot, temperature.

    `shared` are the nodes of `.global`.
    """

    title: str
    top: Circuit
    transient: Transient | None = None
    initial: dict[str, tuple[Token, Token]] = field(default_factory=dict)
    plotted: list[Token] = field(default_factory=list)
    functions: dict[str, tuple[Token, tuple[str, ...], Token]] = field(default_factory=dict)
    temperature: Token | None = None
    nominal: Token | None = None
    shared: set[str] = field(default_factory=set)
