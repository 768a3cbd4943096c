"""Printer of routines as NumPy text: a function each."""

import math
import re

from acausal.ir.ops import OPS
from acausal.ir.program.instructions import FactoredSolve, Instruction, LinearFactor, LinearSolve, NewtonSolve, Routine
from acausal.ir.show.program import names_of_registers

_ARRAYS = {"state": "y", "input": "u", "parameter": "p", "captured": "c", "unknown": "x", "memory": "m"}
_BY_FUNCTION = {"and": "logical_and", "or": "logical_or", "not": "logical_not", "pow": "power"}
"""Functions of NumPy where the rule table has a sign or none."""
_COMMENT = re.compile(r"[A-Za-z0-9_.,\[\]() ]*")
_OF_ROUTINES, OF_RESIDUALS = "t, y, u, p, m, out", "c, x, out"


def comment_text(text: str) -> str:
    """Names as our own renderer writes them; anything else is left out."""
    return text if _COMMENT.fullmatch(text) else "?"


def routine_text(name: str, routine: Routine, arguments: str = _OF_ROUTINES, record: int = 0) -> str:
    """`record` is where the record of branches ends in m."""
    text = _RoutineText(name, routine, record)
    end = "    return 0" if arguments == _OF_ROUTINES else "    return"
    return "\n".join([*text.functions, f"def {name}({arguments}):", *text.lines, end, ""])


class _RoutineText:
    """The lines of one function; constants and loads stand where they are used."""

    def __init__(self, name: str, routine: Routine, record: int) -> None:
        self.name = name
        self._record = record
        self.lines: list[str] = []
        self.functions: list[str] = []
        self._values: list[str] = []
        names = names_of_registers(routine)
        for register, instruction in enumerate(routine.code):
            comment = f"  # {comment_text(names[register])}" if register in names else ""
            self._instruction(register, instruction, comment)

    def _instruction(self, register: int, instruction: Instruction, comment: str) -> None:
        op, args, value = instruction
        given = [self._values[a] for a in args]
        if op == "store" or op == "keep":
            self.lines.append(f"    {'out' if op == 'store' else 'm'}[{value}] = {given[0]}")
            self._values.append("")
        elif op in _ARRAYS and op != "memory":
            self._values.append(f"{_ARRAYS[op]}[{value}]")
        elif op == "const" or op == "boolean" or op == "time":
            self._values.append("t" if op == "time" else _number(value) if op == "const" else repr(value))
        else:
            target = f"r{register}"
            if isinstance(value, NewtonSolve):
                self._newton(target, given, value)
            elif isinstance(value, LinearSolve):
                matrix, right = given[: -value.size], given[-value.size :]
                known, norm = f"{_tuple(matrix)}, {_tuple(right)}", value.norm
                call = f"{'refined' if value.refined else 'linear'}_solution({known})"
                if norm is not None:
                    call = f"least_norm_solution({known}, {norm.reactions}, {norm.measured})"
                self._block(target, call, value.block)
            elif isinstance(value, FactoredSolve):
                self._block(target, f"factored_solution(p, {value.position}, {_tuple(given)})", value.block)
            elif isinstance(value, LinearFactor):
                self.lines.append(f"    store_factors(out, {value.position}, {_tuple(given)}, {value.size})")
            else:
                self.lines.append(f"    {target} = {_operation(op, given, instruction)}{comment}")
            self._values.append(target)

    def _newton(self, target: str, given: list[str], solve: NewtonSolve) -> None:
        name = f"residuals_{self.name}_{target}"
        self.functions += [routine_text(name, solve.residuals, OF_RESIDUALS), ""]
        captured, start = given[: -solve.size], [_typed(value) for value in given[-solve.size :]]
        nominals = [_number(n) for n in solve.nominals]
        record = f"record=m[:{self._record}]"
        call = f"newton_solution({name}, {_tuple(captured)}, {_tuple(start)}, {_tuple(nominals)}, {record})"
        self._block(target, call, solve.block)

    def _block(self, target: str, call: str, block: int) -> None:
        self.lines += [f"    {target} = {call}", f"    if {target} is None:", f"        return {block}"]


def _tuple(items: list[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _typed(value: str) -> str:
    """A literal as NumPy's number, which divides by zero without an exception."""
    return f"float64({value})" if value[0] in "-.0123456789" else value


def _number(value: object) -> str:
    assert isinstance(value, float)
    return repr(value) if math.isfinite(value) else f'float64("{value}")'


def _operation(op: str, given: list[str], instruction: Instruction) -> str:
    if op == "sub":
        return f"{given[0]} - {given[1]}"
    if op == "div":
        return f"{given[0]} / float64({given[1]})" if given[1][0].isdigit() else f"{given[0]} / {given[1]}"
    if op == "if":
        return f"{given[1]} if {given[0]} else {given[2]}"
    if op == "neg":
        return f"-{given[0]}"
    if op == "memory":
        return f"m[{instruction.value}]"
    if op == "extract":
        return f"{given[0]}[{instruction.value}]"
    function = _BY_FUNCTION.get(op) or OPS[op].numpy
    return f"{function}({', '.join(given)})" if function.isidentifier() else f"{given[0]} {function} {given[1]}"
