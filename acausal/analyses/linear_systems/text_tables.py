"""Tables as text."""


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """Lines with columns of one width."""
    widths = [max([len(row[k]) for row in (head, *rows)]) for k in range(len(head))]
    return ["  ".join([cell.ljust(w) for cell, w in zip(row, widths, strict=True)]).rstrip() for row in (head, *rows)]
