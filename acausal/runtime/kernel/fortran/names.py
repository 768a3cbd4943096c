"""Names of kernels in Fortran, which knows no case: each once in its scope."""

from collections.abc import Iterable

SUFFIX = "_v"
"""Behind variables with the name of a procedure, or of a function of Fortran that the text calls."""
CALLED = ("abs", "sqrt", "min", "max", "int", "real", "merge", "floor", "tail", "size", "result_value", "ignored",
          "infinity", "nan_value", "dp", "i8", "i4", "sin", "cos", "tan", "exp", "log", "mod", "sign")  # fmt: skip


def fortran_name(name: str) -> str:
    """The name without underscores at its start."""
    return f"{name.lstrip('_') or 'number'}_" if name.startswith("_") else name


def variable_names(names: Iterable[str], procedures: Iterable[str]) -> dict[str, str]:
    """Names of the variables of a procedure."""
    taken = {*CALLED, *(fortran_name(name).lower() for name in procedures)}
    found = {}
    for name in names:
        own = fortran_name(name)
        while own.lower() in taken:
            own += SUFFIX
        taken.add(own.lower())
        found[name] = own
    return found


def constant_name(name: str) -> str:
    """The name of a number of a module: variables may have its name."""
    return f"{fortran_name(name).lower()}_const"
