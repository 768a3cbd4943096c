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


def tree_of(definition: type | Callable[..., object]) -> ast.stmt:
    """The syntax tree of a class or function, from its source."""
    with _ONE_AT_A_TIME:
        return ast.parse(textwrap.dedent(inspect.getsource(definition))).body[0]


def expression_of(text: str) -> ast.expr:
    """The syntax tree of an expression."""
    with _ONE_AT_A_TIME:
        return ast.parse(text, mode="eval").body
