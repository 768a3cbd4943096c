"""Arguments of a command: names, pairs, numbers."""

from acausal.ir import ast
from acausal.repl.state import misunderstood
from acausal.results.expression_tree import parsed
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
    """`NAME=VALUE` separated by commas or blanks; a value may have a unit behind a blank."""
    text = rest.replace(" =", "=").replace("= ", "=")
    pairs: dict[str, str] = {}
    name = ""
    for part in names_in(text):
        if name and "=" not in part:
            pairs[name] += f" {part}"
            continue
        name, equals, value = part.partition("=")
        if not (name and equals and value):
            raise misunderstood(f"{part} is not of the form NAME=VALUE", usage)
        pairs[name] = value
    return pairs


def number_of(name: str, text: str, variables: Variables, unit: str | None = None) -> float:
    """The value of `NAME=VALUE`: an expression of numbers, or a number with a unit that is converted to `unit`.

    UsageError F010 for anything else, U005 or U006 for a unit that does not fit.
    """
    if text in ("true", "false"):
        return text == "true"
    found = _with_unit(text, unit or "")
    if found is not None:
        return found
    value = evaluate(text, variables)
    if value.ndim:
        raise misunderstood(f"{name}={text} is not a single number", f"{name}=10, {name}=pi/3")
    return bool(value) if value.dtype == bool else float(value)


def _with_unit(text: str, unit: str) -> float | None:
    """The value of a number with a unit or an SI prefix; None for another expression."""
    tree = parsed(text)
    if not isinstance(tree, ast.Quantity):
        return None
    from acausal.elaborate.expressions.quantities import number_in

    return number_in(tree, unit)
