"""Statements of a netlist and its included files -> Netlist."""

from collections.abc import Callable
from pathlib import Path

from acausal.base.options import Limits
from acausal.base.source import SourceFile, Span
from acausal.imports.spice.included_files import Folders, included
from acausal.imports.spice.netlist import Card, Circuit, Element, Netlist, Transient
from acausal.imports.spice.tokens import Token, Words, tokens_of, words
from acausal.imports.text.remarks import Remarks
from acausal.spice_cards import Statement

_QUIET = (".end", ".title", ".save", ".probe", ".plot", ".print")
_ELEMENTS = "bcdefghijklmqrstvwx"


def read_netlist(file: SourceFile, folder: Path, path: tuple[Path, ...], limits: Limits, remarks: Remarks) -> Netlist:
    """The netlist of a file. ModelError F031 for what is malformed."""
    title = file.text.split("\n", 1)[0].strip()
    reader = _Reader(Netlist(title.lstrip("* "), Circuit(None, None)), remarks)
    for statement in included(file, Folders(folder, path, limits), folder):
        reader.take(statement)
    reader.finish()
    return reader.netlist


class _Reader:
    """Takes statement after statement."""

    def __init__(self, netlist: Netlist, remarks: Remarks) -> None:
        self.netlist, self.remarks = netlist, remarks
        self.circuit = netlist.top
        self.control: Token | None = None
        self.commands: dict[str, Callable[[tuple[Token, ...]], None]] = {
            ".model": self.model,
            ".subckt": self.begin,
            ".ends": self.end,
            ".param": self.parameter,
            ".tran": self.transient,
            ".ic": self.initial,
            ".func": self.function,
            ".temp": self.temperature,
            ".global": self.global_nodes,
            ".options": self.options,
            ".option": self.options,
            **dict.fromkeys((".save", ".probe", ".plot", ".print"), self.plotted),
        }

    def take(self, statement: Statement) -> None:
        tokens = tokens_of(statement)
        first = tokens[0]
        if self.control is not None:
            self.controlled(tokens)
        elif first.low == ".control":
            self.control = first
            self.remarks.note("commands between .control and .endc are not translated, except tran", first.span)
        elif first.low in self.commands:
            self.commands[first.low](tokens)
        elif first.text.startswith("."):
            if first.low.strip(".") in ("if", "elseif", "else", "endif"):
                raise first.fault(f"{first.text} is not supported", "write out the branch that is meant")
            if first.low not in _QUIET:
                self.remarks.note(f"{first.low} is not translated", first.span)
        elif first.low[0] not in _ELEMENTS:
            self.remarks.warn(f"elements {first.text[0].upper()} are not translated", whole(statement))
        else:
            if len(first.text) < 2 or len(tokens) < 2:
                raise first.fault(f"{first.text} is not an element with nodes", "as in R1 in out 1k")
            self.circuit.elements.append(Element(first, tokens[1:]))

    def finish(self) -> None:
        if self.circuit.name is not None:
            raise self.circuit.name.fault(f"the subcircuit {self.circuit.name.text} has no .ends")
        if self.control is not None:
            raise self.control.fault(".control has no .endc")

    def controlled(self, tokens: tuple[Token, ...]) -> None:
        if tokens[0].low == ".endc":
            self.control = None
        elif tokens[0].low == "tran":
            self.transient(tokens)

    def model(self, tokens: tuple[Token, ...]) -> None:
        if len(tokens) < 3:
            raise tokens[0].fault(".model has a name and a type", "as in .model D1N4148 D(IS=2.5n N=1.7)")
        found = words(tuple([token for token in tokens[3:] if token.text not in "()"]))
        for extra in found.plain:
            self.remarks.warn(f"{extra.text} of a .model is not NAME=VALUE and not translated", extra.span)
        card = Card(tokens[1], tokens[2], {name.upper(): value for name, value in found.given.items()})
        self.circuit.cards[card.name.low] = card

    def begin(self, tokens: tuple[Token, ...]) -> None:
        if len(tokens) < 2:
            raise tokens[0].fault(".subckt has no name")
        found = words(tuple([token for token in tokens[2:] if token.low not in ("params:", "params")]))
        before = self.circuit.circuits.get(tokens[1].low)
        if before is not None and before.name is not None:
            raise tokens[1].fault(f"a second subcircuit has the name {tokens[1].text}", None, before.name.span)
        if self.depth() > 50:
            raise tokens[0].fault("subcircuits are declared more than 50 deep")
        names = {token.low: token for token in tokens}
        defaults = {name: (names[name], value) for name, value in found.given.items()}
        inner = Circuit(tokens[1], self.circuit, found.plain, defaults)
        seen: dict[str, Token] = {}
        for port in found.plain:
            if port.low in seen:
                raise port.fault(f"the port {port.text} is listed twice", None, seen[port.low].span)
            seen[port.low] = port
        self.circuit.circuits[tokens[1].low] = inner
        self.circuit = inner

    def depth(self) -> int:
        count, circuit = 0, self.circuit
        while circuit.outer is not None:
            count, circuit = count + 1, circuit.outer
        return count

    def end(self, tokens: tuple[Token, ...]) -> None:
        if self.circuit.outer is None or self.circuit.name is None:
            raise tokens[0].fault(".ends without .subckt")
        if len(tokens) > 1 and tokens[1].low != self.circuit.name.low:
            message = f".ends names {tokens[1].text}; the subcircuit that ends here is {self.circuit.name.text}"
            self.remarks.warn(message, tokens[1].span)
        self.circuit = self.circuit.outer

    def parameter(self, tokens: tuple[Token, ...]) -> None:
        rest = tokens[1:]
        if len(rest) > 1 and rest[1].text == "(":
            self.remarks.warn(".param with arguments is not translated: use .func", rest[0].span)
            return
        found = words(rest)
        names = {token.low: token for token in rest}
        if found.plain:
            hint = "put expressions in braces: .param r = {2*r0}"
            raise found.plain[0].fault(f"{found.plain[0].text} is not NAME=VALUE", hint)
        for name, value in found.given.items():
            self.circuit.parameters[name] = names[name], value

    def transient(self, tokens: tuple[Token, ...]) -> None:
        found = words(tokens[1:])
        uic = any(token.low == "uic" for token in found.plain)
        times = [token for token in found.plain if token.low != "uic"]
        if len(times) < 2:
            raise tokens[0].fault(f"{tokens[0].text} has a step and a stop time", "as in .tran 1u 1m")
        self.netlist.transient = Transient(times[0], times[1], uic)

    def initial(self, tokens: tuple[Token, ...]) -> None:
        rest = [token for token in tokens[1:] if token.text != ","]
        while rest:
            if len(rest) < 6 or rest[0].low != "v" or [t.text for t in (rest[1], rest[3], rest[4])] != ["(", ")", "="]:
                raise rest[0].fault(".ic has V(node)=value")
            self.netlist.initial[rest[2].low] = rest[2], rest[5]
            rest = rest[6:]

    def function(self, tokens: tuple[Token, ...]) -> None:
        rest = [token for token in tokens[1:] if token.text != ","]
        ends = [k for k, token in enumerate(rest) if token.text == ")"]
        if len(rest) < 4 or rest[1].text != "(" or not ends or ends[0] + 1 >= len(rest):
            raise tokens[0].fault(".func has the form .func f(x, y) {expression}")
        body = rest[ends[0] + 1]
        body = rest[ends[0] + 2] if body.text == "=" and ends[0] + 2 < len(rest) else body
        self.netlist.functions[rest[0].low] = rest[0], tuple([token.low for token in rest[2 : ends[0]]]), body

    def temperature(self, tokens: tuple[Token, ...]) -> None:
        if len(tokens) > 1:
            self.netlist.temperature = tokens[1]

    def global_nodes(self, tokens: tuple[Token, ...]) -> None:
        self.netlist.shared |= {token.low for token in tokens[1:]}

    def options(self, tokens: tuple[Token, ...]) -> None:
        found: Words = words(tokens[1:])
        self.netlist.temperature = found.given.get("temp", self.netlist.temperature)
        self.netlist.nominal = found.given.get("tnom", self.netlist.nominal)
        names = [token for token in tokens[1:] if token.low in found.given and token.low not in ("temp", "tnom")]
        for name in [*names, *found.plain]:
            self.remarks.note(f"the option {name.low} is not translated", name.span)

    def plotted(self, tokens: tuple[Token, ...]) -> None:
        self.netlist.plotted += tokens[1:]


def whole(statement: Statement) -> Span:
    """The first line of a statement."""
    span = statement.span(0, len(statement.text))
    newline = span.file.text.find("\n", span.start, span.end)
    return span if newline < 0 else Span(span.file, span.start, newline)
