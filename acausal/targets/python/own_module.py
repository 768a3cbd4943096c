"""Modules of our own as texts: what they define and import, and the names that a definition uses."""

import ast
import importlib
import inspect
from functools import cached_property
from typing import NamedTuple

from acausal.runtime.kernel.syntax import tree_of_text

_DROPPED = ("kernel",)
Definition = tuple[str, str]
"""Module and name."""


class Place(NamedTuple):
    """A definition: its statement, and the docstring behind a constant."""

    node: ast.stmt
    end: int


class OwnModule:
    """Definitions and imports of one module of ours."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._module = importlib.import_module(name)
        self.text = inspect.getsource(self._module)
        self.lines = self.text.splitlines()
        self.tree = tree_of_text(self.text)
        self.imports: dict[str, Definition] = {}
        self.places: dict[str, Place] = {}
        for node, following in zip(self.tree.body, [*self.tree.body[1:], None], strict=True):
            self._read(node, following)

    def _read(self, node: ast.stmt, following: ast.stmt | None) -> None:
        if isinstance(node, ast.Import):
            self.imports |= {alias.name: (alias.name, "") for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            self.imports |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
        names = defined_names(node)
        is_documented = isinstance(following, ast.Expr) and not isinstance(node, ast.FunctionDef | ast.ClassDef)
        end = following if is_documented and following is not None else node
        for name in names:
            self.places[name] = Place(node, end.end_lineno or 0)

    @cached_property
    def summary(self) -> list[str]:
        """The docstring, line by line."""
        return (ast.get_docstring(self.tree) or "").splitlines()

    def value(self, name: str) -> object:
        """The object of this name."""
        return getattr(self._module, name)


def defined_names(node: ast.stmt) -> list[str]:
    """Names that a statement at the top of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [leaf.id for target in targets for leaf in ast.walk(target) if isinstance(leaf, ast.Name)]


def used_names(node: ast.stmt) -> list[ast.Name]:
    """Names that a statement uses when it is executed or called: without annotations and our own decorators."""
    skipped: set[ast.AST] = set()
    for inner in ast.walk(node):
        annotations = [getattr(inner, "annotation", None), getattr(inner, "returns", None)]
        decorators = [d for d in getattr(inner, "decorator_list", []) if isinstance(d, ast.Name) and d.id in _DROPPED]
        for part in [*annotations, *decorators]:
            if part is not None:
                skipped.update(ast.walk(part))
    found = [inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner not in skipped]
    return sorted(found, key=lambda n: (n.lineno, n.col_offset))


def without_imports(node: ast.stmt, lines: list[str]) -> list[str]:
    """The lines of a definition without imports of ours within it."""
    dropped: set[int] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.ImportFrom) and (inner.module or "").startswith("acausal."):
            dropped.update(range(inner.lineno - node.lineno, (inner.end_lineno or inner.lineno) - node.lineno + 1))
    return [line for number, line in enumerate(lines) if number not in dropped]
