"""The classes of a netlist: those of cards and subcircuits, in an order in which each is known before it is used."""

from collections.abc import Callable
from dataclasses import field

from acausal.base.frozen import dataclass
from acausal.imports.spice.controlled import by_expression, controlled_by_current, controlled_by_voltage, switch
from acausal.imports.spice.devices import card_class, device
from acausal.imports.spice.expressions import expression
from acausal.imports.spice.netlist import Card, Circuit, Element, Netlist
from acausal.imports.spice.passive import capacitor, coupling, inductor, line, resistor
from acausal.imports.spice.scope import Scope
from acausal.imports.spice.sources import source
from acausal.imports.spice.tokens import Token, words
from acausal.imports.text.identifiers import Identifiers
from acausal.imports.text.lines import comment, listed, wrapped
from acausal.imports.text.remarks import Remarks


@dataclass(slots=True)
class Classes:
    """Lines of all classes so far, their names, and of each subcircuit the scope that it was written in."""

    netlist: Netlist
    remarks: Remarks
    names: Identifiers
    functions: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    cards: dict[int, str] = field(default_factory=dict)
    circuits: dict[int, tuple[str, Scope]] = field(default_factory=dict)

    def of_card(self, scope: Scope, card: Card) -> str:
        """The class of a card, written when it is first used."""
        if id(card) not in self.cards:
            self.cards[id(card)] = self.names.unique(card.name.text, "_model")
            self.lines += card_class(scope, card, self.cards[id(card)])
        return self.cards[id(card)]


HANDLERS: dict[str, Callable[[Scope, Element], None]] = {
    "r": resistor,
    "c": capacitor,
    "l": inductor,
    "k": coupling,
    "t": line,
    **dict.fromkeys("vi", source),
    **dict.fromkeys("eg", controlled_by_voltage),
    **dict.fromkeys("fh", controlled_by_current),
    "b": by_expression,
    **dict.fromkeys("sw", switch),
    **dict.fromkeys("dqjm", device),
}


def instance(scope: Scope, element: Element) -> None:
    """`X1 a b NAME p=1`: a submodel of the class of the subcircuit."""
    inner = circuit_of(scope.circuit, element)
    assert inner.name is not None, "a subcircuit has a name"
    found = words(tuple([token for token in element.rest if token.low not in ("params:", "params")]))
    nodes = found.plain[:-1]
    if len(nodes) != len(inner.ports):
        message = f"{element.name.text} has {len(nodes)} nodes, {inner.name.text} has {len(inner.ports)} ports"
        raise element.name.fault(message, None, inner.name.span)
    class_, written = scope.classes.circuits[id(inner)]
    arguments: dict[str, str] = {}
    for name, token in found.given.items():
        if name not in inner.defaults:
            known = ", ".join(inner.defaults)
            raise token.fault(
                f"{inner.name.text} has no parameter {name}", f"its parameters: {known}" if known else None
            )
        arguments[written.own[name]] = scope.value(token)
    for name, identifier in written.borrowed.items():
        arguments[identifier] = scope.parameter(name, element.name)
    pins = [*zip(nodes, inner.ports, strict=True), *[(node, node) for node in written.shared]]
    scope.add(class_, element, arguments, [(node, written.potentials[port.low]) for node, port in pins])


def circuit_of(circuit: Circuit, element: Element) -> Circuit:
    """The subcircuit of an instance."""
    found = words(tuple([token for token in element.rest if token.low not in ("params:", "params")]))
    if not found.plain:
        raise element.name.fault(f"{element.name.text} names no subcircuit", "as in X1 in out FILTER")
    inner = circuit.circuit(found.plain[-1].low)
    if inner is None:
        hint = "add its .subckt, or .include its file"
        raise found.plain[-1].fault(f"there is no subcircuit {found.plain[-1].text}", hint)
    return inner


def in_order(top: Circuit) -> list[Circuit]:
    """All circuits that are used, each after those in it; F031 for one that contains itself."""
    done: dict[int, Circuit] = {}
    open_: list[tuple[Circuit, list[tuple[Circuit, Element]]]] = [(top, _inner(top))]
    inside = {id(top)}
    while open_:
        circuit, rest = open_[-1]
        if not rest:
            open_.pop()
            inside.discard(id(circuit))
            done[id(circuit)] = circuit
            continue
        inner, element = rest.pop(0)
        if id(inner) in inside:
            assert inner.name is not None, "the top level is not a subcircuit"
            raise element.name.fault(f"the subcircuit {inner.name.text} contains itself", None, inner.name.span)
        if id(inner) not in done:
            open_.append((inner, _inner(inner)))
            inside.add(id(inner))
    return list(done.values())


def _inner(circuit: Circuit) -> list[tuple[Circuit, Element]]:
    return [(circuit_of(circuit, element), element) for element in circuit.elements if element.name.low[0] == "x"]


def fill(scope: Scope) -> None:
    """Write the elements of a circuit into its scope."""
    for element in scope.circuit.elements:
        if element.name.low[0] == "x":
            instance(scope, element)
        else:
            HANDLERS[element.name.low[0]](scope, element)
    for equation in scope.later:
        equation()


def write_circuits(classes: Classes) -> Scope:
    """The classes of all subcircuits, and the scope of the top level."""
    scope = None
    for circuit in in_order(classes.netlist.top):
        scope = Scope(classes.netlist, circuit, classes, classes.remarks).prepared()
        declared = [f"parameter {scope.own[low]}={_default(scope, value)}" for low, (_, value) in _parameters(circuit)]
        fill(scope)
        if circuit.name is not None:
            name = classes.names.unique(circuit.name.text, "_circuit")
            classes.circuits[id(circuit)] = name, scope
            classes.lines += _class(scope, circuit.name, name, declared)
        else:
            scope.declarations[:0] = declared
    assert scope is not None, "the top level is always there"
    return scope


def _parameters(circuit: Circuit) -> list[tuple[str, tuple[Token, Token]]]:
    return [
        *circuit.defaults.items(),
        *[item for item in circuit.parameters.items() if item[0] not in circuit.defaults],
    ]


def _default(scope: Scope, token: Token) -> str:
    return scope.value(token)


def _class(scope: Scope, token: Token, name: str, declared: list[str]) -> list[str]:
    ports = [
        (scope.ports[p.low], scope.potentials[p.low], scope.values.unique(f"i_{p.text}"))
        for p in (*scope.circuit.ports, *scope.shared)
    ]
    lines = ["", comment(f"{token.place}: .subckt {token.text}"), f"model class {name}"]
    body = [*declared, *[f"parameter {identifier}" for identifier in scope.borrowed.values()]]
    body += [f"cut {port} ({potential} / {current})" for port, potential, current in ports]
    if ports:
        body += wrapped(f"main cut {scope.things.unique('ports')} [{', '.join([port for port, _, _ in ports])}]")
    text = "\n".join(scope.connections)
    body += body_lines(scope)
    body += [f"{current} = 0" for port, _, current in ports if not _is_used(port, text)]
    return [*lines, *[f"  {line}" for line in body], "end"]


def _is_used(port: str, connections: str) -> bool:
    import re

    return re.search(rf"[(,] ?{port}[,)]", connections) is not None


def body_lines(scope: Scope) -> list[str]:
    """Elements, nodes, connections and equations of a class."""
    lines = [*scope.declarations, *scope.submodels]
    if scope.grounded:
        lines.append(f"submodel (ground) {scope.nodes['0']}")
    nodes = [name for low, name in scope.nodes.items() if low != "0"]
    if nodes:
        lines += listed("node", nodes)
    if scope.connections:
        lines += listed("connect", scope.connections)
    return [*lines, *scope.equations]


def functions(classes: Classes) -> list[str]:
    """`.func` as functions of the language."""
    lines = []
    for low in classes.netlist.functions:
        classes.functions[low] = classes.names.unique(classes.netlist.functions[low][0].text, "_function")
    for low, (_, parameters, body) in classes.netlist.functions.items():
        scope = Scope(classes.netlist, Circuit(None, None), classes, classes.remarks)
        scope.own = {name: scope.values.unique(name) for name in parameters}
        lines.append(f"function {classes.functions[low]}({', '.join(scope.own.values())}) = {expression(body, scope)}")
    return lines
