"""The program as NumPy text: the readable form of the generated code, and its reference.

The text is a Python module of its own with a function a routine. It is made of numbers and
names from our own tables alone: names of the model stand in comments, descriptions nowhere.
"""

import ast
import inspect
import math
import re
from collections.abc import Callable
from importlib.abc import InspectLoader
from importlib.util import module_from_spec, spec_from_loader
from types import ModuleType
from typing import TYPE_CHECKING

from acausal.codegen.numpy import numpy_solvers
from acausal.ir.instructions import FactoredSolve, Instruction, LinearFactor, LinearSolve, NewtonSolve, Routine
from acausal.ir.names import show_derivative, show_name
from acausal.ir.ops import OPS
from acausal.ir.program import ROUTINES, Program, routine_of
from acausal.ir.show.program import names_of_registers
from acausal.runtime.blocks import arrays, least_norm, linear, newton, pivots, refined
from acausal.runtime.blocks.branch import begin_row, end_row, end_step, predict
from acausal.runtime.blocks.tracked import tracked
from acausal.runtime.kernel.language import tail
from acausal.runtime.kernel.syntax import tree_of_text

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_ARRAYS = {"state": "y", "input": "u", "parameter": "p", "captured": "c", "unknown": "x", "memory": "m"}
_INFIX = {"add": "+", "sub": "-", "mul": "*", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "==", "<>": "!="}
_LOGIC = {"and": "logical_and", "or": "logical_or", "not": "logical_not"}
_COMMENT = re.compile(r"[A-Za-z0-9_.,\[\]() ]*")
_FUNCTIONS = sorted({row.numpy for row in OPS.values() if row.numpy.isidentifier()} - {"abs", "where", "mod"})

_OF_ROUTINES, _OF_RESIDUALS = "t, y, u, p, m, out", "c, x, out"

_HEADER = """\
from numpy import (
    abs, float64, logical_and, logical_not, logical_or, power,
    {functions},
)
"""

_LANGUAGE = """\
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

Bool, Int, CInt, Real = bool, int, int, float
Array = Reals = Ints = CInts = Any
"""
"""Definitions of `runtime/kernel/language` that kernels need."""


_KERNELS = (arrays, linear, least_norm, refined, newton, pivots, numpy_solvers)
"""Modules whose text stands in that of a program with blocks."""


def numpy_text(program: Program) -> str:
    """A Python module with a function a routine, each f(t, y, u, p, m, out) -> int."""
    title = f'"""The program {_comment(program.name)}."""\n'
    parts = [title, _HEADER.format(functions=", ".join(_FUNCTIONS)), _slots(program)]
    if program.blocks:
        parts += [_LANGUAGE, inspect.getsource(tail), *map(_own_text, _KERNELS)]
    parts += [_routine_text(name, routine_of(program, name), record=program.work) for name in ROUTINES]
    return "\n\n".join(parts)


def compile_numpy(program: Program) -> "NumpyExecutable":
    """The NumPy text, loaded as a module."""
    module = _loaded("acausal_program", numpy_text(program))
    return NumpyExecutable(program, {routine: getattr(module, routine) for routine in ROUTINES})


def compile_residuals(routine: Routine) -> newton.Residuals:
    """The residuals of a nonlinear block as a function, from their NumPy text."""
    header = _HEADER.format(functions=", ".join(_FUNCTIONS))
    module = _loaded("acausal_residuals", "\n\n".join([header, _routine_text("residuals", routine, _OF_RESIDUALS)]))
    return module.residuals  # type: ignore[no-any-return]  # a function of this text


def _loaded(name: str, text: str) -> ModuleType:
    """A module made of text in memory."""
    spec = spec_from_loader(name, _Text(text))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Text(InspectLoader):
    """Loads a module from text in memory."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, fullname: str) -> str:  # noqa: ARG002 - the name is the importer's
        """The text."""
        return self._text


_Function = Callable[[float, object, object, object, object, object], int]


class NumpyExecutable:
    """The routines as NumPy code; see `Executable`."""

    def __init__(self, program: Program, functions: dict[str, _Function]) -> None:
        self.program = program
        self._functions = functions

    def setup(self, p: "Array", given: "Array") -> int:
        """Completes p."""
        return self._call("setup", 0.0, None, given, p, None, p)

    def initial(self, t: float, u: "Array", p: "Array", m: "Array", states: "Array") -> int:
        """States and start values."""
        return self._call("initial", t, None, u, p, m, states)

    def derivatives(self, t: float, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array") -> int:
        """dy/dt."""
        return self._call("derivatives", t, y, u, p, m, out)

    def variables(self, t: float, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array") -> int:
        """Stored variables, then the conditions."""
        return self._call("variables", t, y, u, p, m, out)

    def bind(
        self, routine: str, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array"
    ) -> Callable[[float], int]:
        """A routine with its arrays fixed."""
        return lambda t: self._call(routine, t, y, u, p, m, out)

    def variables_many(
        self, t: "Array", y: "Array", u: "Array", p: "Array", m: "Array", out: "Array", memory: "Array", first: int = 0
    ) -> tuple[int, int]:
        """`variables` row by row; status and number of rows done."""
        n, followed, follows = self.program.memory, self.program.followed, self.program.follows_rows
        for row in range(first, len(t)):
            new = memory[row] != memory[row - 1] if row else slice(None)
            m[: self.program.memory][new] = memory[row][new]
            if follows:
                begin_row(m, n, followed)
            status = self.variables(float(t[row]), y[row], u[row], p, m, out[row])
            if follows:
                end_row(m, n, followed)
            if status:
                return status, row
        return 0, len(t)

    def end_step(self, m: "Array", t: float) -> None:
        """Behind a step to t."""
        end_step(m, self.program.memory, self.program.followed, t)

    def predict(self, m: "Array", t: float) -> None:
        """Solutions of nonlinear blocks at t."""
        predict(m, self.program.memory, self.program.followed, t)

    def address(self, routine: str) -> int | None:  # noqa: ARG002 - as the Protocol has it
        """None: there is no machine code."""
        return None

    def _call(self, routine: str, t: float, *arrays: "Array | None") -> int:
        import numpy as np

        y, u, p, m, out = arrays
        with np.errstate(all="ignore"):
            function = self._functions[routine]
            if m is None:
                return function(np.float64(t), y, u, p, m, out)
            return tracked(self.program, routine, function)(np.float64(t), y, u, p, m, out)


# ------------------------------------------------------------------ text


def _own_text(module: ModuleType) -> str:
    """The text of a module without its imports and the marks of kernels."""
    lines = inspect.getsource(module).splitlines()
    for node in tree_of_text("\n".join(lines)).body:
        if isinstance(node, ast.Import | ast.ImportFrom | ast.If):  # `if TYPE_CHECKING`
            end = node.end_lineno or node.lineno
            lines[node.lineno - 1 : end] = [""] * (end - node.lineno + 1)
    return "\n".join([line for line in lines if line != "@kernel"]) + "\n"


def _comment(text: str) -> str:
    """Names as our own renderer writes them; anything else is left out."""
    return text if _COMMENT.fullmatch(text) else "?"


def _slots(program: Program) -> str:
    lines = [f"# y[{i}] {_comment(show_derivative(*s.symbol))}" for i, s in enumerate(program.state_slots)]
    held = program.table.held
    lines += [f"# u[{i}] held {s.kind}" for i, s in enumerate(held)]
    lines += [f"# u[{i}] {_comment(show_derivative(*s))}" for i, s in enumerate(program.input_slots, len(held))]
    lines += [f"# p[{i}] {_comment(show_name(s.name))}" for i, s in enumerate(program.parameter_slots)]
    return "\n".join([*lines, ""])


def _routine_text(name: str, routine: Routine, arguments: str = _OF_ROUTINES, record: int = 0) -> str:
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
            comment = f"  # {_comment(names[register])}" if register in names else ""
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
        self.functions += [_routine_text(name, solve.residuals, _OF_RESIDUALS), ""]
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
    if op in _INFIX:
        return f"{given[0]} {_INFIX[op]} {given[1]}"
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
    if op in _LOGIC:
        return f"{_LOGIC[op]}({', '.join(given)})"
    function = "power" if op == "pow" else OPS[op].numpy
    return f"{function}({', '.join(given)})"
