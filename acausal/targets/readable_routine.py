"""Routines of a program as text to be read: variables by their names, expressions as long as a line.

    der_load_w = (motor_tau - load_d * load_w) / p[12]  # drive.mdl:7: J*der(w) = tau - d*w

What is used once and has no name of its own stands where it is used; the order of operations stays the same, so that
results are those of all other back ends to the last bit. Languages are subclasses.
"""

from collections.abc import Mapping

from acausal.ir.names import Symbol, show_name
from acausal.ir.program.instructions import FactoredSolve, LinearFactor, LinearSolve, NewtonSolve, Routine
from acausal.ir.program.program import Program
from acausal.targets.identifiers import Identifiers, identifier_of

LONGEST = 72
"""Characters of an expression that stands where it is used."""
ARRAYS = {"state": "y", "input": "u", "parameter": "p", "captured": "c", "unknown": "x", "memory": "m"}
RELATIONS = ("<", "<=", ">", ">=", "==", "<>")
LOGICAL = (*RELATIONS, "and", "or", "not", "boolean")
OPERATORS = ("add", "sub", "mul", "div", "and", "or", *RELATIONS, "if", "neg", "not")
"""Operators whose text is no single word."""
Solve = LinearSolve | FactoredSolve | NewtonSolve


def slot_names(program: Program) -> dict[tuple[str, int], Symbol]:
    """The variable, parameter, input or discrete value at a place of an array."""
    found: dict[tuple[str, int], Symbol] = {("state", i): s.symbol for i, s in enumerate(program.state_slots)}
    found |= {("parameter", i): (s.name, 0) for i, s in enumerate(program.parameter_slots)}
    frozen = program.table.frozen
    found |= {("input", i): (s.name, 0) for i, s in enumerate(frozen) if s.kind == "discrete" and not s.internal}
    return found | {("input", i): s for i, s in enumerate(program.input_slots, len(frozen))}


def block_text(program: Program, block: int) -> str:
    """Description of a block for messages."""
    names = [show_name(name) for name, _ in program.blocks[block].targets]
    return f"the {program.blocks[block].kind} equations for {', '.join(names[:4])}{' ...' if len(names) > 4 else ''}"


class ReadableRoutine:
    """The lines of one routine; a value is its text, whether that is one word, and whether it is a truth value."""

    def __init__(
        self,
        name: str,
        routine: Routine,
        slots: Mapping[tuple[str, int], Symbol],
        sources: Mapping[Symbol, str],
        identifiers: Identifiers,
    ) -> None:
        self.name, self.sources = name, sources
        self._slots, self.identifiers = slots, identifiers
        self._bound: dict[tuple[str, int], str] = {}
        self.bound: list[str] = []
        self.lines: list[str] = []
        self.functions: list[str] = []
        self.values: list[str] = []
        self.is_word: list[bool] = []
        self.is_logical: list[bool] = []
        self._symbols: dict[int, Symbol] = {}
        for register, symbol in routine.names:
            self._symbols.setdefault(register, symbol)
        self._uses = [0] * len(routine.code)
        for _, args, _ in routine.code:
            for a in args:
                self._uses[a] += 1
        for register, (op, args, value) in enumerate(routine.code):
            self._instruction(register, op, args, value)

    # ------------------------------------------------------------ languages

    def element(self, array: str, position: int) -> str:
        """An element of an array."""
        raise NotImplementedError

    def number(self, value: object) -> str:
        """A number."""
        raise NotImplementedError

    def truth(self, value: object) -> str:
        """True or false."""
        raise NotImplementedError

    def expression(self, op: str, args: tuple[int, ...], value: object) -> str:
        """An operator on registers."""
        raise NotImplementedError

    def assignment(self, target: str, text: str, source: str | None) -> str:
        """A line that gives a variable its value."""
        raise NotImplementedError

    def declare(self, name: str, logical: bool) -> None:
        """A new variable."""

    def stored(self, register: int) -> str:
        """The text of a value that goes to an array."""
        return self.values[register]

    def factor(self, args: tuple[int, ...], solve: LinearFactor) -> None:
        """The lines that factor a matrix."""
        raise NotImplementedError

    def block(self, args: tuple[int, ...], solve: Solve) -> str:
        """The lines that solve a block; the name of its solution."""
        raise NotImplementedError

    # ------------------------------------------------------------ instructions

    def _instruction(self, register: int, op: str, args: tuple[int, ...], value: object) -> None:
        text, is_word = "", True
        logical = op in LOGICAL or (op == "if" and self.is_logical[args[1]])
        if op == "store" or op == "keep":
            assert isinstance(value, int)
            place = self.element("out" if op == "store" else "m", value)
            self.lines.append(self.assignment(place, self.stored(args[0]), None))
        elif op in ARRAYS and op != "memory":
            assert isinstance(value, int)
            text = self._loaded(op, value)
        elif op == "const":
            text = self.number(value)
            is_word = text[0] != "-"
        elif op == "boolean" or op == "time":
            text = "t" if op == "time" else self.truth(value)
        elif isinstance(value, LinearFactor):
            self.factor(args, value)
        elif isinstance(value, LinearSolve | FactoredSolve | NewtonSolve):
            text = self.block(args, value)
        else:
            is_loaded = op == "memory"
            text = (
                self.element("m", value) if is_loaded and isinstance(value, int) else self.expression(op, args, value)
            )
            text, is_word = self._assigned(register, text, op not in OPERATORS, is_loaded, logical)
        self.values.append(text)
        self.is_word.append(is_word)
        self.is_logical.append(logical)

    def _assigned(self, register: int, text: str, is_word: bool, always: bool, logical: bool) -> tuple[str, bool]:
        """The text itself where it is used once, else the name of a variable that has its value."""
        symbol = self._symbols.get(register)
        if symbol is None and self._uses[register] <= 1 and len(text) <= LONGEST and not always:
            return text, is_word
        name = self.identifiers.take(identifier_of(symbol) if symbol else f"e{register}")
        self.declare(name, logical)
        self.lines.append(self.assignment(name, text, self.sources.get(symbol) if symbol else None))
        return name, True

    def _loaded(self, op: str, position: int) -> str:
        """A state, parameter or input by its name."""
        place = op, position
        symbol = self._slots.get(place)
        if symbol is None:
            return self.element(ARRAYS[op], position)
        if place not in self._bound:
            self._bound[place] = self.identifiers.take(identifier_of(symbol))
            self.declare(self._bound[place], False)
            self.bound.append(self.assignment(self._bound[place], self.element(ARRAYS[op], position), None))
        return self._bound[place]

    def operand(self, register: int) -> str:
        """A value as part of an expression."""
        return self.values[register] if self.is_word[register] else f"({self.values[register]})"
