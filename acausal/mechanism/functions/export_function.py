"""Functions of a mechanism for other libraries and languages."""

from typing import TYPE_CHECKING

from acausal.symbolic.sympy_bridge import array_to_sympy
from acausal.targets.c.function_file import c_function
from acausal.targets.functions.casadi_function import casadi_function
from acausal.targets.functions.evaluate_routine import Value
from acausal.targets.identifiers import identifier_of
from acausal.targets.python.function_file import python_function

if TYPE_CHECKING:
    import sympy

    from acausal.mechanism.functions.tree_function import TreeFunction


def function_to_sympy(function: "TreeFunction") -> "sympy.Basic":
    """A SymPy expression, matrix, or array of three dimensions."""
    return array_to_sympy(function.expressions, function.shape)


def function_to_casadi(function: "TreeFunction") -> Value:
    """A casadi.Function."""
    return casadi_function(function.program, _name(function), _arguments(function), function.shape)


def function_to_c(function: "TreeFunction") -> str:
    """The text of a file of C."""
    return c_function(function.program, _name(function), _arguments(function))


def function_to_python(function: "TreeFunction") -> str:
    """The text of a module of Python."""
    return python_function(function.program, _name(function), _arguments(function), function.shape)


def _name(function: "TreeFunction") -> str:
    return identifier_of(((function.name,), 0))


def _arguments(function: "TreeFunction") -> list[tuple[str, int]]:
    return [(argument.name, len(argument.leaves)) for argument in function.arguments]
