"""Names and values as lines of text."""

from collections.abc import Mapping


def table(data: Mapping[str, object]) -> str:
    """A line for each name and value; what is itself a table stands indented."""
    width = max(map(len, data), default=0)
    rows = []
    for name, value in data.items():
        if isinstance(value, Mapping):
            rows += [name, *(f"  {line}" for line in table(value).splitlines())]
        else:
            rows.append(f"{name:{width}}  {_cell(value)}".rstrip())
    return "\n".join(rows)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)
