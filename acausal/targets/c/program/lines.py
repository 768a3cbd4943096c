"""Lines of one C function, for the printers of programs."""

import re
from collections.abc import Callable, Collection, Sequence

from acausal.runtime.kernel.c.layout import wrapped

ARGUMENTS = "double t, double *y, double *u, double *p, double *m, double *out"
"""Of a routine."""


class Used:
    """Kernels and helpers that functions of a program need, each once, in order of first use; `macros` of its files."""

    def __init__(self, macros: Collection[str] = ()) -> None:
        self.macros = macros
        self.kernels: dict[Callable[..., object], None] = {}
        self.helpers: dict[str, None] = {}

    def kernel(self, kernel: Callable[..., object]) -> str:
        """The name of a kernel that is called."""
        self.kernels[kernel] = None
        return kernel.__name__


class Lines:
    """A function under construction; `memory` is where the work area begins in m."""

    def __init__(self, memory: int, used: Used) -> None:
        self.memory = memory
        self.used = used
        self.lines: list[str] = []
        self.level = 1

    def function(self, name: str, arguments: str = ARGUMENTS, *, has_status: bool = True) -> list[str]:
        """The whole function; parameters that it does not use are marked."""
        text = re.sub(r"/\*.*?\*/", "", "\n".join(self.lines), flags=re.DOTALL)
        names = [argument.split()[-1].lstrip("*") for argument in arguments.split(", ")]
        unused = [f"    (void){name};" for name in names if not _mentions(text, name)]
        head = wrapped(f"static {'int' if has_status else 'void'} {name}({arguments})")
        return [head, "{", *unused, *self.lines, *(["    return 0;"] if has_status else []), "}", ""]

    def add(self, text: str, note: str = "") -> None:
        """Appends a statement, with a comment behind it."""
        line = wrapped(text, self.level)
        self.lines.append(f"{line} /* {note} */" if note else line)

    def place(self, position: int) -> str:
        """The address of a place in the work area."""
        return f"m + {self.memory + position}"

    def fill(self, position: int, values: Sequence[str]) -> None:
        """Stores values into the work area."""
        for i, value in enumerate(values, self.memory + position):
            self.add(f"m[{i}] = {value};")

    def take(self, position: int, count: int) -> list[str]:
        """Places in the work area, for values that are loaded at once."""
        return [f"m[{self.memory + position + i}]" for i in range(count)]

    def unless_solved(self, kernel: Callable[..., object], arguments: str, block: int) -> None:
        """Calls a solver, and leaves the function if it fails."""
        self.add(f"if ({self.used.kernel(kernel)}({arguments}) != 0) {{")
        self.add(f"    return {block};")
        self.add("}")


def _mentions(text: str, name: str) -> bool:
    """True if a name stands in a text outside of comments."""
    return re.search(rf"\b{name}\b", text) is not None
