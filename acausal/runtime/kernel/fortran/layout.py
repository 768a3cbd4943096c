"""Lines of Fortran text: at most 132 characters, others go on behind `&`."""

WIDTH = 118


def wrapped(text: str, level: int = 0) -> str:
    """A statement, indented."""
    space = "  " * level
    if len(space) + len(text) <= WIDTH:
        return f"{space}{text}"
    lines, line = [], space
    for word in text.split(" "):
        if len(line) + len(word) + 1 > WIDTH and line.strip():
            lines.append(f"{line} &")
            line = f"{space}    "
        line += word if not line.strip() else f" {word}"
    return "\n".join([*lines, line])


def comment(text: str, level: int = 0) -> str:
    """A comment."""
    return f"{'  ' * level}! {' '.join(text.split())}"[:WIDTH]
