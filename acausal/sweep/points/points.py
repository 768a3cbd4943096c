"""The runs of a sweep: names of parameters and a row of values for each run.

Several parameters give all combinations, the last one changing fastest, or the points of a design; a table gives one
run a row, and with parameters besides each of its rows goes with all of these. Inputs that differ come last.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import partial
from itertools import product
from math import prod
from pathlib import Path

from acausal.base.arguments import wrong_type
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.base.given_values import number_of
from acausal.given_number import given_number, value_of
from acausal.simulate.inputs.inputs import InputValue
from acausal.sweep.points.designs import COMBINATIONS, Design, sampled
from acausal.sweep.points.input_choices import Choices
from acausal.sweep.points.ranges import FORMS, parse_values, too_many
from acausal.sweep.points.run_table import Columns, read_runs

Values = str | float | Iterable[float | str]
"""A range or list as typed, a number, numbers."""
Runs = str | Path | Mapping[str, Iterable[float]]
"""A CSV file, or columns by name; a data frame has them too."""
Converter = Callable[[str, float], float]
MOST_RUNS = 1_000_000


@dataclass(frozen=True, slots=True)
class Points:
    """`rows[i]` are the values of the parameters in run i, then what stands for its inputs; `names` are those of both.

    `inputs` are the values of inputs by name and by the number that stands for them.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    inputs: Choices = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return self.names[: len(self.names) - len(self.inputs)]

    def values(self, index: int) -> tuple[float, ...]:
        """The values of the parameters in a run."""
        return self.rows[index][: len(self.names) - len(self.inputs)]

    def given(self, index: int) -> dict[str, float]:
        """The values of the parameters in a run, by name."""
        return dict(zip(self.parameters, self.values(index), strict=True))

    def inputs_of(self, index: int) -> dict[str, InputValue]:
        """The values of inputs that differ, by name."""
        numbers = self.rows[index][len(self.names) - len(self.inputs) :]
        return {name: self.inputs[name][number] for name, number in zip(self.inputs, numbers, strict=True)}

    def row(self, index: int) -> dict[str, float]:
        """All that a run is given, by name."""
        return dict(zip(self.names, self.rows[index], strict=True))


def make_points(
    parameters: Mapping[str, Values],
    runs: Runs | None,
    most: int = MOST_RUNS,
    convert: Converter | None = None,
    design: Design = COMBINATIONS,
    inputs: Choices | None = None,
) -> Points:
    """The runs; UsageError W001, W002 or F001 for values that are none, LimitError W003 for more than `most` runs.

    `convert` gives the number of a value with a unit for a parameter; without it, that in SI units.
    """
    convert = convert or (lambda _, value: value)
    columns, choices = _columns(runs, most), inputs or {}
    twice = next((name for name in parameters if name in columns), None)
    if twice is not None:
        message = f"{twice} has values and is also a column of the table of runs"
        raise UsageError(Diagnostic("W002", message, help="give it in only one of the two ways"))
    if not parameters and not columns and not choices:
        hint = "name a parameter and its values, as in --set k=0.1:10:50, or a table with --runs FILE.csv"
        raise UsageError(Diagnostic("W001", "no parameter has values to sweep", help=hint))
    table = list(zip(*columns.values(), strict=True)) if columns else [()]
    if parameters and design.kind != COMBINATIONS.kind:
        own = sampled(design, parameters, most, convert)
    else:
        axes = [_axis(name, values, most, partial(convert, name)) for name, values in parameters.items()]
        _check_count(prod(map(len, axes)), most)
        own = list(product(*axes))
    _check_count(len(table) * len(own) * prod(map(len, choices.values())), most)
    several = list(product(*choices.values()))
    rows = tuple([(*row, *values, *chosen) for row in table for values in own for chosen in several])
    return Points((*columns, *parameters, *choices), rows, choices)


def _check_count(count: int, most: int) -> None:
    if count > most:
        raise too_many(count, most)


def _axis(name: str, values: Values, most: int, convert: Callable[[float], float]) -> tuple[float, ...]:
    def number(text: str) -> float | None:
        found = given_number(text)
        return None if found is None else convert(found)

    if isinstance(values, str):
        return parse_values(name, values, most, number)
    is_one = isinstance(values, int | float) or getattr(values, "shape", None) == ()
    found = _numbers(name, [values] if is_one else values)  # type: ignore[list-item, arg-type]  # a scalar of NumPy
    if not found:
        raise UsageError(Diagnostic("W001", f"{name} has no values", help=FORMS))
    return tuple([convert(value) for value in found])


def _numbers(name: str, values: Iterable[float | str]) -> tuple[float, ...]:
    try:
        every = list(values)
    except TypeError:
        message = f"the values of {name} are not a range, a number or a sequence of numbers"
        raise UsageError(Diagnostic("W001", message, help=FORMS)) from None
    return tuple([value_of(name, x) if isinstance(x, str) else number_of(name, x) for x in every])


def _columns(runs: Runs | None, most: int) -> Columns:
    if runs is None:
        return {}
    if isinstance(runs, str | Path):
        return read_runs(Path(runs), most)
    if not hasattr(runs, "keys"):
        raise wrong_type("runs", "a CSV file, columns by name or a data frame", runs)
    columns = {str(name): _numbers(str(name), runs[name]) for name in runs.keys()}  # noqa: SIM118 - of a data frame too
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        lengths_shown = ", ".join(f"{name} {count}" for name, count in lengths.items())
        hint = "give every column one value per run"
        raise UsageError(Diagnostic("W002", f"the columns of the runs differ in length: {lengths_shown}", help=hint))
    if columns and not next(iter(lengths.values())):
        raise UsageError(Diagnostic("W002", "the table has no runs", help="each row is one run"))
    return columns
