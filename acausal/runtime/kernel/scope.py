"""Names in a kernel, and mistakes in it."""

import ast
from collections.abc import Callable, Mapping

from acausal.runtime.kernel.overlay import Overlay
from acausal.runtime.kernel.types import Type, shown


class KernelError(Exception):
    """A kernel is not in the language; the message begins with file and line."""


class Scope:
    """Names of one kernel: its variables with their types, and those of its module."""

    def __init__(self, function: Callable[..., object]) -> None:
        code = function.__code__
        self._file, self._line = code.co_filename, code.co_firstlineno
        self._module: Mapping[str, object] = function.__globals__
        self.types: dict[str, Type] = {}
        self.assigned: set[str] = set()
        self.kernels: dict[str, Callable[..., object]] = {}

    def error(self, node: ast.AST, why: str) -> KernelError:
        """A mistake at this place."""
        line = getattr(node, "lineno", self._line)
        return KernelError(f"{self._file}:{line}: {why}: {ast.unparse(node)}")

    def declare(self, node: ast.AST, name: str, kind: Type) -> None:
        """A variable gets a value of this type."""
        known = self.types.setdefault(name, kind)
        if known != kind:
            raise self.error(node, f"{name} is {shown(known)}, the value is {shown(kind)}")
        self.assigned.add(name)

    def constant(self, name: str) -> float | int | bool | None:
        """A number of the module."""
        value = self._module.get(name)
        return value if isinstance(value, float | int) else None

    def overlay(self, name: str) -> type[Overlay] | None:
        """A structure of the module that lies in an array."""
        found = self._module.get(name)
        return found if isinstance(found, type) and issubclass(found, Overlay) else None

    def kernel(self, name: str) -> Callable[..., object] | None:
        """A kernel that the module knows by this name."""
        found = self._module.get(name)
        if not callable(found) or not getattr(found, "is_kernel", False):
            return None
        self.kernels[name] = found
        return found
