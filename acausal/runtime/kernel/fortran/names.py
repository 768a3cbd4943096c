"""Names of kernels in Fortran, which knows no case: each once in its scope."""

from collections.abc import Iterable

SUFFIX = "_v"
"""Behind variables with the name of a procedure, or of a function of Fortran that the text calls."""
CALLED = ("abs", "sqrt", "min", "max", "int", "real", "merge", "floor", "tail", "size", "result_value", "ignored",
          "infinity", "nan_value", "dp", "i8", "i4", "sin", "cos", "tan", "exp", "log", "mod", "sign")  # fmt: skip
INTRINSIC = ("dot_product", "matmul", "maxval", "minval", "norm2", "product", "scale", "shape", "spread", "sum",
             "transpose", "exponent", "fraction", "nearest", "spacing", "reshape", "pack", "unpack", "count", "index",
             "repeat", "trim", "floor", "ceiling", "modulo", "sign", "range", "rank", "random_number")  # fmt: skip
"""Functions of Fortran that kernels may have the names of."""


def fortran_name(name: str) -> str:
    """The name without underscores at its start."""
    return f"{name.lstrip('_') or 'number'}_" if name.startswith("_") else name


def procedure_name(name: str) -> str:
    """The name of a kernel, unless it is that of a function of Fortran."""
    return f"{fortran_name(name)}_kernel" if name.lower() in INTRINSIC else fortran_name(name)


def variable_names(names: Iterable[str], procedures: Iterable[str]) -> dict[str, str]:
    """Names of the variables of a procedure."""
    taken = {*CALLED, *(procedure_name(name).lower() for name in procedures)}
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
