"""Parts of Markdown pages: escaped text, code, tables, links; pages by their place below the root of the site."""

import re
from collections.abc import Iterable, Sequence
from textwrap import dedent

from acausal.reference.comments import paragraphs

_SPECIAL = re.compile(r"([\\*_{}\[\]<>#|~$^])")

Pages = dict[str, str]
"""Texts of pages by their place, such as `classes/gear.md`."""


ORPHAN = "---\norphan: true\n---"
"""Front matter of pages that are reached from a list or by searching, and not from the navigation."""


def prose(text: str) -> str:
    """Running text whose characters mean themselves; parts in backticks are code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a backtick without partner
        return _SPECIAL.sub(r"\\\1", text).replace("`", r"\`")
    return "".join([f"`{part}`" if number % 2 else _SPECIAL.sub(r"\\\1", part) for number, part in enumerate(parts)])


def name(text: str) -> str:
    """A name or piece of code within running text or a table."""
    return f"`{text}`".replace("|", "\\|") if text else ""


def code(text: str, language: str = "mdl") -> str:
    """A block of code."""
    fence = "````" if "```" in text else "```"
    return f"{fence}{language}\n{text.strip(chr(10))}\n{fence}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table without the columns that are empty in all rows; empty without rows."""
    listed = [*rows]
    shown = [i for i, _ in enumerate(heads) if not i or any(row[i] for row in listed)]
    lines = [[heads[i] for i in shown], ["---"] * len(shown), *[[row[i] for i in shown] for row in listed]]
    return "\n".join([f"| {' | '.join(line)} |" for line in lines]) if listed else ""


def page(*parts: str) -> str:
    """Parts that are not empty, one after another."""
    return "\n\n".join([part for part in parts if part]) + "\n"


def section(heading: str, *parts: str, level: int = 2) -> str:
    """Parts under a heading; empty if all of them are."""
    body = [part for part in parts if part]
    return "\n\n".join([f"{'#' * level} {heading}", *body]) if body else ""


def comment(text: str) -> str:
    """A comment of a library as paragraphs and formulas."""
    parts = paragraphs(text)
    return "\n\n".join([code(dedent(part)) if part.startswith(" ") else prose(part) for part in parts])


def contents(places: Iterable[str], depth: int = 1, caption: str = "", hidden: bool = False) -> str:
    """A list of further pages, which takes them into the tree of the site."""
    options = [f":maxdepth: {depth}", f":caption: {caption}" if caption else "", ":hidden:" if hidden else ""]
    return "\n".join(["```{toctree}", *[o for o in options if o], "", *places, "```"])
