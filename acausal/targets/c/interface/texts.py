"""Texts of failures in C."""

from collections.abc import Sequence

from acausal.ir.names import listed, show_derivative
from acausal.ir.program.program import Program
from acausal.runtime.kernel.c.layout import safe

MOST = 4
"""Variables that are named."""


def quoted(text: str) -> str:
    """A text as a string of C."""
    plain = safe(text).encode("ascii", "replace").decode("ascii")
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def texts(name: str, values: Sequence[str]) -> list[str]:
    """A constant array of texts."""
    lines = [f"    {quoted(value)}," for value in values or [""]]
    return [f"static const char *const {name}[] = {{", *lines, "};"]


def block_texts(program: Program) -> list[str]:
    """Messages for blocks without a solution."""
    return [
        f"{block.size} {block.kind} equations have no solution for "
        f"{listed([show_derivative(*target) for target in block.targets], MOST)}"
        for block in program.blocks
    ]
