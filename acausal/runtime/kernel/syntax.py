"""Syntax trees of Python text, for several threads.

CPython up to 3.12 counts the depth of a tree that it converts in one place of the process: `ast.parse` in two threads
may end in "AST constructor recursion depth mismatch" (python/cpython issue 106905).
"""

import ast
import inspect
import textwrap
import threading
from collections.abc import Callable

_ONE_AT_A_TIME = threading.Lock()


def tree_of_text(text: str) -> ast.Module:
    """The syntax tree of a module's text."""
    with _ONE_AT_A_TIME:
        return ast.parse(text)


class ModuleTrees:
    """Syntax trees of functions, from those of their modules: each module is parsed once, and no text is tokenized."""

    def __init__(self) -> None:
        self._functions: dict[str, dict[int, ast.FunctionDef]] = {}

    def of(self, function: Callable[..., object]) -> ast.FunctionDef:
        """The tree of a function; its line numbers are those of the file."""
        code = function.__code__
        found = self._functions.get(code.co_filename)
        if found is None:
            tree = tree_of_text("".join(inspect.findsource(function)[0]))
            found = self._functions[code.co_filename] = {_first_line(node): node for node in _functions(tree)}
        return found[code.co_firstlineno]


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions of a module, and those within others."""
    found, waiting = [], list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            found.append(node)
        waiting += getattr(node, "body", ())
    return found


def _first_line(node: ast.FunctionDef) -> int:
    """The line that code counts from, which is that of the first decorator."""
    return min([node.lineno, *[decorator.lineno for decorator in node.decorator_list]])


def tree_of(definition: type | Callable[..., object]) -> ast.stmt:
    """The syntax tree of a class or function, from its source."""
    with _ONE_AT_A_TIME:
        return ast.parse(textwrap.dedent(inspect.getsource(definition))).body[0]


def expression_of(text: str) -> ast.expr:
    """The syntax tree of an expression."""
    with _ONE_AT_A_TIME:
        return ast.parse(text, mode="eval").body
