"""The program as NumPy text: the readable form of the generated code, and its reference.

The text is a Python module of its own with a function a routine. It is made of numbers and
names from our own tables alone: names of the model stand in comments, descriptions nowhere.
"""

import ast
import inspect
from importlib.abc import InspectLoader
from importlib.util import module_from_spec, spec_from_loader
from types import ModuleType

from acausal.codegen.numpy import numpy_solvers
from acausal.codegen.numpy.numpy_executable import NumpyExecutable
from acausal.codegen.numpy.numpy_routine import OF_RESIDUALS, comment_text, routine_text
from acausal.ir.names import show_derivative, show_name
from acausal.ir.ops import OPS
from acausal.ir.program.instructions import Routine
from acausal.ir.program.program import ROUTINES, Program, routine_of
from acausal.runtime.blocks import (
    arrays,
    decomposition,
    least_norm,
    least_norm_slopes,
    linear,
    newton,
    pivots,
    refined,
    scaled_equations,
)
from acausal.runtime.kernel import overlay
from acausal.runtime.kernel.language import tail
from acausal.runtime.kernel.syntax import tree_of_text

_OTHERS = {"abs", "where", "mod", "external"}
_FUNCTIONS = sorted({row.numpy for row in OPS.values() if row.numpy.isidentifier()} - _OTHERS)
_HEADER = """\
from numpy import (
    abs, float64, logical_and, logical_not, logical_or, power,
    {functions},
)
"""
_LANGUAGE = """\
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

Bool, Int, CInt, Real = bool, int, int, float
Array = Reals = Ints = CInts = Any
class Struct: pass
"""
"""Definitions of `runtime/kernel/language` that kernels need."""
_KERNELS = (
    *(overlay, arrays, linear, decomposition, scaled_equations, least_norm, least_norm_slopes),
    *(refined, newton, pivots, numpy_solvers),
)
"""Modules whose text stands in that of a program with blocks."""


def numpy_text(program: Program) -> str:
    """A Python module with a function a routine, each f(t, y, u, p, m, out) -> int."""
    title = f'"""The program {comment_text(program.name)}."""\n'
    parts = [title, _HEADER.format(functions=", ".join(_FUNCTIONS)), _slots(program)]
    if program.unit_calls:
        parts.append("from acausal.ir.external import external\n")
    if program.blocks:
        parts += [_LANGUAGE, inspect.getsource(tail), *map(_own_text, _KERNELS)]
    parts += [routine_text(name, routine_of(program, name), record=program.work) for name in ROUTINES]
    return "\n\n".join(parts)


def compile_numpy(program: Program) -> "NumpyExecutable":
    """The NumPy text, loaded as a module."""
    module = _loaded("acausal_program", numpy_text(program))
    return NumpyExecutable(program, {routine: getattr(module, routine) for routine in ROUTINES})


def compile_residuals(routine: Routine) -> newton.Residuals:
    """The residuals of a nonlinear block as a function, from their NumPy text."""
    header = _HEADER.format(functions=", ".join(_FUNCTIONS))
    module = _loaded("acausal_residuals", "\n\n".join([header, routine_text("residuals", routine, OF_RESIDUALS)]))
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


def _own_text(module: ModuleType) -> str:
    """The text of a module without its imports and the marks of kernels."""
    lines = inspect.getsource(module).splitlines()
    for node in tree_of_text("\n".join(lines)).body:
        if isinstance(node, ast.Import | ast.ImportFrom | ast.If):  # `if TYPE_CHECKING`
            end = node.end_lineno or node.lineno
            lines[node.lineno - 1 : end] = [""] * (end - node.lineno + 1)
    return "\n".join([line for line in lines if line != "@kernel"]) + "\n"


def _slots(program: Program) -> str:
    lines = [f"# y[{i}] {comment_text(show_derivative(*s.symbol))}" for i, s in enumerate(program.state_slots)]
    frozen = program.table.frozen
    lines += [f"# u[{i}] frozen {s.kind}" for i, s in enumerate(frozen)]
    lines += [f"# u[{i}] {comment_text(show_derivative(*s))}" for i, s in enumerate(program.input_slots, len(frozen))]
    lines += [f"# p[{i}] {comment_text(show_name(s.name))}" for i, s in enumerate(program.parameter_slots)]
    return "\n".join([*lines, ""])
