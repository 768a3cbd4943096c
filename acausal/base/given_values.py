"""Values that a run or translation is given for parameters: by --set, a sweep, the dialogue, or Python.

The one check of their types: a real takes a finite number, an integer a whole one, a boolean true or false (0 and 1
where there are only numbers, as in tables and columns), a string none. `elaborate.types` checks what the text gives.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from numbers import Real

from acausal.base.diagnostics import Diagnostic, Label, UsageError

USE_A_NUMBER = "use a number, for a boolean parameter True or False"
_HINTS = {
    "real": "give a number",
    "integer": "give an integer, or declare it without `integer`",
    "boolean": "give true or false",
    "string": "change it in the model text",
}


def finite_number(text: str) -> float | None:
    """The number in a cell of a table; None if it is none, or not finite."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def numbers_of(values: Mapping[str, object]) -> dict[str, float]:
    """The values as numbers or truth values; UsageError T014 for anything else."""
    return {name: number_of(name, value) for name, value in values.items()}


def number_of(name: str, value: object) -> float:
    """The value, also a scalar of NumPy, as a finite number or a truth value; UsageError T014 for anything else."""
    if type(value) is float and isfinite(value):  # nearly all
        return value
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if isinstance(value, bool) or (isinstance(value, float) and isfinite(value)):
        return value  # a number with a unit remains one
    try:
        if isinstance(value, Real) and isfinite(number := float(value)):
            return number
    except OverflowError:
        pass
    shown = repr(value)
    shown = shown if len(shown) <= 40 else shown[:37] + "..."
    message = f"the value of {name} must be a finite number, not {shown}"
    elements = hasattr(value, "__len__") and not isinstance(value, str | bytes)
    hint = f"give one number; of an array each element: '{name}[1]', '{name}[2]', ..." if elements else USE_A_NUMBER
    raise UsageError(Diagnostic("T014", message, help=hint))


def need_type(name: str, type_: str, value: float, declared: Label | None = None) -> None:
    """UsageError T014 unless a parameter of this type can have the value."""
    is_truth = isinstance(value, bool)
    if type_ == "real":
        fits = not is_truth
    elif type_ == "integer":
        fits = not is_truth and float(value).is_integer()
    else:
        fits = type_ == "boolean" and value in (0.0, 1.0)
    if not fits:
        shown = str(value).lower() if is_truth else f"{value:g}"
        message = f"{name} is declared {type_} and cannot be {shown}"
        raise UsageError(Diagnostic("T014", message, declared, help=_HINTS[type_]))


def need_types(names: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[float]]) -> None:
    """`need_type` for many rows of values."""
    for name, type_, column in zip(names, types, zip(*rows, strict=True), strict=False):
        if type_ != "real" or bool in set(map(type, column)):
            for value in column:
                need_type(name, type_, value)
