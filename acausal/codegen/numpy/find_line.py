"""Lines of the NumPy text of a program that compute and store a variable."""

from collections.abc import Iterator

from acausal.base.frozen import dataclass
from acausal.ir.names import Symbol
from acausal.ir.program.program import Program, routine_of


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of the text, counted from 1, and the routine it belongs to; empty above all routines."""

    routine: str
    number: int
    text: str


def find_lines(program: Program, text: str, symbol: Symbol) -> tuple[CodeLine, ...]:
    """The lines that compute the value of a variable and store it; none for constants and what no output needs."""
    wanted = dict(_beginnings(program, symbol))
    found, routine = [], ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("def "):
            routine = line[4 : line.index("(")]
        if any(line.startswith(beginning) for beginning in wanted.get(routine, ())):
            found.append(CodeLine(routine, number, line.strip()))
    return tuple(found)


def _beginnings(program: Program, symbol: Symbol) -> Iterator[tuple[str, tuple[str, ...]]]:
    """By routine how the lines begin."""
    name, order = symbol
    state = program.state_positions.get(symbol)
    rate = program.state_positions.get((name, order - 1))
    slot = next((s for s in program.variable_slots if s.symbol == symbol), None)
    stored = slot.position if slot is not None and slot.kind == "stored" else None
    fixed = slot.position if slot is not None and slot.kind == "parameter" else program.parameter_positions.get(name)
    known = _registers(program, "derivatives", symbol)
    yield "", (*_head("y", state), *_head("p", fixed))
    yield "setup", () if fixed is None or fixed < len(program.parameter_slots) else _store(fixed)
    yield "derivatives", (*known, *_store(rate))
    yield "variables", (*(() if known else _registers(program, "variables", symbol)), *_store(stored))


def _head(array: str, position: int | None) -> tuple[str, ...]:
    return () if position is None else (f"# {array}[{position}] ",)


def _registers(program: Program, routine: str, symbol: Symbol) -> tuple[str, ...]:
    return tuple([f"    r{register} = " for register, s in routine_of(program, routine).names if s == symbol])


def _store(position: int | None) -> tuple[str, ...]:
    return () if position is None else (f"    out[{position}] = ",)
