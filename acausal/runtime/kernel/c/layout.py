"""Lines of C text."""

from textwrap import fill

WIDTH = 110


def wrapped(text: str, level: int = 0) -> str:
    """A statement, indented; what is too long goes on in further lines."""
    first = "    " * level
    return fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=f"{first}        ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def comment(text: str, level: int = 0) -> str:
    """A comment on lines of its own."""
    first = "    " * level
    lines = fill(
        f"/* {safe(text)}",
        WIDTH - 3,
        initial_indent=first,
        subsequent_indent=f"{first} * ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return f"{lines} */"


def safe(text: str) -> str:
    """A text that cannot end a comment or begin another one."""
    return " ".join(text.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?").split())
