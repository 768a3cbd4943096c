"""Inputs that differ from run to run: several numbers, expressions in time or files for one input.

inputs={"u": ["0", "sin(time)", "step.csv"]}     a run for each
inputs={"u": "0:10:5"}                           numbers, as the values of a parameter
"""

from collections.abc import Mapping, Sequence

from acausal.base.given_values import finite_number
from acausal.simulate.inputs.inputs import InputValue
from acausal.sweep.points.ranges import parse_values

SeveralInputs = Mapping[str, InputValue | Sequence[str | float]]
"""Inputs by name, some with several values."""
Choices = dict[str, dict[float, InputValue]]
"""By name and by what the table of the sweep shows: the number, or 1, 2, 3 where not all choices are numbers."""


def split_inputs(inputs: Mapping[str, object], most: int) -> tuple[dict[str, object], Choices]:
    """Inputs that are the same in all runs, and the choices for the others; UsageError W001 for a wrong range."""
    same: dict[str, object] = {}
    choices: Choices = {}
    for name, value in inputs.items():
        found = _several(name, value, most)
        if found is None:
            same[name] = value
        else:
            choices[name] = _labelled(found)
    return same, choices


def _several(name: str, value: object, most: int) -> list[InputValue] | None:
    if isinstance(value, str):
        is_range = value.count(":") in (2, 3) and not value.lower().endswith(".csv")
        return list(parse_values(name, value, most)) if is_range else None
    if isinstance(value, list | tuple) and value and all(isinstance(x, str | int | float) for x in value):
        return list(value)
    return None


def _labelled(values: list[InputValue]) -> dict[float, InputValue]:
    numbers = [finite_number(value) if isinstance(value, str) else value for value in values]
    plain = [float(x) for x in numbers if isinstance(x, int | float)]
    if len(plain) == len(values) == len(set(plain)):
        return dict(zip(plain, plain, strict=True))
    return {float(k): value for k, value in enumerate(values, 1)}
