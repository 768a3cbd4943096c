"""Inputs given as arrays, series or data frames: tables, as those in CSV files are."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, cast

from acausal.base.arguments import as_mapping, wrong_type
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.simulate.inputs.csv_input import Table
from acausal.simulate.inputs.number_arrays import floats_of, seconds_of

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.simulate.inputs.inputs import InputValue


class Frame(Protocol):
    """Protocol of a data frame of pandas (or of another library)."""

    @property
    def columns(self) -> object:
        """The names of its columns."""
        ...

    def __getitem__(self, name: str) -> object: ...


Inputs = Mapping[str, "InputValue"] | Frame
_FORMS = "an expression, the name of a CSV file, a number, a function of time, or values at times: (times, values)"


def as_inputs(inputs: object) -> "dict[str, InputValue]":
    """Inputs by name; what is given as values at times becomes a table. UsageError F006 for other types, R007."""
    if inputs is None:
        return {}
    return {name: _value(name, value) for name, value in as_columns(inputs).items()}


def as_columns(inputs: object) -> dict[str, object]:
    """The values given for inputs, by name; UsageError F006 for other types, R007.

    A data frame, and a mapping with `time`, has the times of all columns.
    """
    if not isinstance(inputs, Mapping) and hasattr(inputs, "columns"):
        frame = cast("Frame", inputs)
        names = [str(name) for name in frame.columns]  # type: ignore[attr-defined]  # a sequence in all libraries
        times = frame["time"] if "time" in names else getattr(frame, "index", None)
        if times is None:
            message = "the data frame of inputs has no column time"
            raise UsageError(Diagnostic("R007", message, help="add a column time"))
        return {name: (times, frame[name]) for name in names if name != "time"}
    given = dict(as_mapping("inputs", inputs))
    if "time" not in given:
        return given
    times = given.pop("time")
    return {name: (times, values) for name, values in given.items()}


def _value(name: str, value: object) -> "InputValue":
    if value is None or isinstance(value, bool | bytes | Mapping):
        raise wrong_type(f"the input {name}", _FORMS, value)
    if hasattr(value, "columns"):
        raise wrong_type(
            f"the input {name}", _FORMS, value, "give the whole frame: inputs=frame, a column for each input"
        )
    if isinstance(value, tuple | list) and len(value) == 2:
        return _table(name, value[0], value[1])
    if hasattr(value, "index") and hasattr(value, "to_numpy"):
        return _table(name, value.index, value)
    if getattr(value, "ndim", 0) == 2 and getattr(value, "shape", (0, 0))[1] == 2:
        return _table(name, value[:, 0], value[:, 1])  # type: ignore[index]  # an array
    if getattr(value, "ndim", 0) or isinstance(value, tuple | list):
        raise wrong_type(f"the input {name}", _FORMS, value, f'write inputs={{"{name}": (times, values)}}')
    return cast("InputValue", value)


def _table(name: str, times: object, values: object) -> Table:
    columns = _numbers(name, "times", times), _numbers(name, "values", values)
    if len(columns[0]) != len(columns[1]):
        message = f"the input {name} has {len(columns[0])} times and {len(columns[1])} values"
        raise UsageError(Diagnostic("R007", message, help="give a value for each time"))
    return Table(*columns)


def _numbers(name: str, what: str, values: object) -> "Array":
    """One column of finite numbers; UsageError R007 for anything else."""
    import numpy as np

    numbers = seconds_of(values) if what == "times" else floats_of(values)
    if numbers is None:
        hint = "times are in seconds from the start: frame.index - frame.index[0]" if what == "times" else None
        raise UsageError(Diagnostic("R007", f"the {what} of the input {name} are not numbers", help=hint))
    found = np.array(numbers)
    if found.ndim != 1:
        message = f"the {what} of the input {name} have {found.ndim} dimensions"
        raise UsageError(Diagnostic("R007", message, help=f"give one sequence of {what}"))
    if not np.isfinite(found).all():
        raise UsageError(Diagnostic("R007", f"the {what} of the input {name} are not all finite numbers"))
    if what == "times" and (np.diff(found) < 0).any():
        raise UsageError(Diagnostic("R007", f"the times of the input {name} decrease", help="sort the rows by time"))
    return found
