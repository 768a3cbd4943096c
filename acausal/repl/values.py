"""Arguments of a command: names, pairs, numbers."""

from acausal.repl.state import misunderstood
from acausal.results.expressions import Variables, evaluate


def names_in(text: str) -> list[str]:
    """Names separated by commas or blanks outside brackets, spelled as results have them: `T[1,2]`, `der(x, 2)`."""
    names, inside = [""], ""
    for sign in text:
        if not inside and sign in ", ":
            names.append("")
        elif sign != " ":
            names[-1] += ", " if sign == "," and inside.endswith("(") else sign
        if sign in "([":
            inside += sign
        elif sign in ")]":
            inside = inside[:-1]
    return [name for name in names if name]


def pairs_in(rest: str, usage: str) -> dict[str, str]:
    """`NAME=VALUE` separated by commas or blanks."""
    text = rest.replace(" =", "=").replace("= ", "=")
    pairs = {}
    for part in names_in(text):
        name, equals, value = part.partition("=")
        if not (name and equals and value):
            raise misunderstood(f"{part} is not of the form NAME=VALUE", usage)
        pairs[name] = value
    return pairs


def number_of(name: str, text: str, variables: Variables) -> float:
    """The value of `NAME=VALUE`, where that is one number, true or false; UsageError F010 otherwise."""
    if text in ("true", "false"):
        return text == "true"
    value = evaluate(text, variables)
    if value.ndim:
        raise misunderstood(f"{name}={text} is not a single number", f"{name}=10, {name}=pi/3")
    return bool(value) if value.dtype == bool else float(value)
