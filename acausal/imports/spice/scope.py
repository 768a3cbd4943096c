"""A circuit while its class is written: names, nodes, potentials, and lines in the order of the text."""

from collections.abc import Callable
from dataclasses import field
from typing import Protocol

from acausal.base.frozen import dataclass
from acausal.imports.spice.netlist import Card, Circuit, Element, Netlist
from acausal.imports.spice.tokens import Token
from acausal.imports.spice.values import value
from acausal.imports.text.identifiers import Identifiers
from acausal.imports.text.lines import comment, wrapped
from acausal.imports.text.remarks import Remarks

GROUND = ("0", "gnd", "gnd!")
Pin = tuple[Token, str]
"""A node and the variable of the element that is its potential."""


class ClassTable(Protocol):
    """The classes of a netlist: functions by name, subcircuits with the scope that each was written in."""

    functions: dict[str, str]
    circuits: "dict[int, tuple[str, Scope]]"

    def of_card(self, scope: "Scope", card: Card) -> str:
        """The class of a card."""


@dataclass(slots=True)
class Scope:
    """Names and lines of one class, tables by names in lower case.

    `borrowed` are parameters of enclosing circuits that it uses, `shared` global nodes, which are ports too.
    """

    netlist: Netlist
    circuit: Circuit
    classes: ClassTable
    remarks: Remarks
    things: Identifiers = field(default_factory=Identifiers)
    values: Identifiers = field(default_factory=lambda: Identifiers(("time", "pi")))
    elements: dict[str, str] = field(default_factory=dict)
    ports: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, str] = field(default_factory=dict)
    own: dict[str, str] = field(default_factory=dict)
    borrowed: dict[str, str] = field(default_factory=dict)
    potentials: dict[str, str] = field(default_factory=dict)
    currents: dict[str, str] = field(default_factory=dict)
    submodels: list[str] = field(default_factory=list)
    declarations: list[str] = field(default_factory=list)
    connections: list[str] = field(default_factory=list)
    equations: list[str] = field(default_factory=list)
    later: list[Callable[[], None]] = field(default_factory=list)
    shared: list[Token] = field(default_factory=list)
    grounded: bool = False

    def prepared(self) -> "Scope":
        """This scope, with the names of the circuit's elements, parameters and ports."""
        for element in self.circuit.elements:
            if element.name.low in self.elements:
                first = next(e.name for e in self.circuit.elements if e.name.low == element.name.low)
                raise element.name.fault(f"a second element has the name {element.name.text}", None, first.span)
            self.elements[element.name.low] = self.things.unique(element.name.text)
        for low, (name, _) in (*self.circuit.defaults.items(), *self.circuit.parameters.items()):
            if low not in self.own:
                self.own[low] = self.values.unique(name.text)
        for port in self.circuit.ports:
            self._add_port(port)
        return self

    def _add_port(self, port: Token) -> None:
        self.ports[port.low] = self.things.unique(_node_name(port.text), "_port")
        self.potentials[port.low] = self.values.unique(f"v_{port.text}")

    # ----------------------------------------------------------------- names

    def parameter(self, name: str, at: Token) -> str:
        """A parameter of this circuit or of one around it."""
        if name in self.own:
            return self.own[name]
        if name == "temper":
            return value(self.netlist.temperature, self) if self.netlist.temperature is not None else "27"
        if name in self.borrowed:
            return self.borrowed[name]
        outer = self.circuit.outer
        while outer is not None:
            for table in (outer.defaults, outer.parameters):
                if name in table:
                    self.borrowed[name] = self.values.unique(table[name][0].text)
                    return self.borrowed[name]
            outer = outer.outer
        if name == "pi":
            return "pi"
        raise at.fault(f"unknown parameter {name}", "declare it: .param NAME=VALUE")

    def potential(self, node: str, at: Token) -> str:
        """The potential of a node as a variable of an element at it."""
        if node in GROUND:
            return "0"
        if node not in self.potentials:
            raise at.fault(f"no element is at the node {node}")
        return self.potentials[node]

    def current(self, element: str, at: Token) -> str:
        """The current through an element from its first node to its second."""
        if element not in self.currents:
            known = ", ".join(sorted(self.currents)[:8])
            raise at.fault(
                f"there is no current of {element}", f"elements with one current: {known}" if known else None
            )
        return self.currents[element]

    def is_function(self, name: str) -> str | None:
        """Identifier of a `.func`."""
        return self.classes.functions.get(name)

    def remark(self, message: str, at: Token) -> None:
        """Warn of a difference."""
        self.remarks.warn(message, at.span)

    # ----------------------------------------------------------------- lines

    def node(self, token: Token) -> str:
        """The place of a node: a port, a node of the class, or its ground."""
        if token.low in GROUND:
            if not self.grounded:
                self.grounded = True
                self.nodes["0"] = self.things.unique("ground", "_node")
            return self.nodes["0"]
        if token.low in self.netlist.shared and self.circuit.name is not None and token.low not in self.ports:
            self.shared.append(token)
            self._add_port(token)
        if token.low in self.ports:
            return self.ports[token.low]
        if token.low not in self.nodes:
            self.nodes[token.low] = self.things.unique(_node_name(token.text), "_node")
        return self.nodes[token.low]

    def add(self, class_: str, element: Element, arguments: dict[str, str], pins: list[Pin], start: str = "") -> str:
        """A submodel with its connection; the identifier."""
        name = self.elements[element.name.low]
        given = f"({', '.join([f'{key}={text}' for key, text in arguments.items()])})" if arguments else ""
        self.submodels += wrapped(f"submodel ({class_}) {name}{given}{start}", element.name.place)
        self.connections.append(f"{name} at ({', '.join([self.node(token) for token, _ in pins])})")
        for token, variable in pins:
            self.potentials.setdefault(token.low, f"{name}.{variable}")
        return name

    def skip(self, element: Element, reason: str) -> None:
        """Leave an element out, with a warning and a comment in its place."""
        self.remarks.warn(reason, element.name.span)
        self.submodels.append(comment(f"{element.name.place}, {element.name.text}: not translated"))

    def value(self, token: Token) -> str:
        """A value as an argument."""
        return value(token, self)


def _node_name(text: str) -> str:
    return f"n{text}" if text[0].isdigit() else text
