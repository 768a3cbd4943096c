"""Measured data: columns over time of files, data frames, mappings or results, for variables of a model."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acausal.base.arguments import as_mapping, as_names, wrong_type
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.base.name_and_unit import name_and_unit
from acausal.base.near_names import unknown_name, with_elements
from acausal.ir.names import listed, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.results.display_units import conversion, fits
from acausal.results.trajectories import Trajectories
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.inputs.number_arrays import floats_of, seconds_of
from acausal.simulate.system.finite import all_finite

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SHOWN = 6
FORMS = "a file, a data frame, a result, or columns by name with one called time"


OwnValues = tuple[dict[str, float], dict[str, InputValue], dict[str, float]]
"""Parameters, inputs and initial values of one experiment."""


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """One run with what was measured: `values` (times, variables) at `time` (times,), in the units of the model.

    `given` are parameters, `inputs` and `initial` values of this run alone.
    """

    name: str
    time: "Array"
    values: "Array"
    given: Mapping[str, float]
    inputs: Mapping[str, InputValue]
    initial: Mapping[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Data by column name, with units where these are known."""

    name: str
    time: "Array"
    columns: "dict[str, Array]"
    units: dict[str, str]


def columns_of(data: object, name: str) -> Columns:
    """The columns of data in any form; UsageError A043 without times, F006 for what is no data."""
    if isinstance(data, str | Path):
        from acausal.results.read import read

        return columns_of(read(data), Path(data).name)
    if isinstance(data, Trajectories):
        units = {n: unit for n in data.columns if (unit := data.column(n).unit) is not None}
        return Columns(name, data.time, {n: data[n] for n in data.columns}, units)
    given: Any = data
    if not isinstance(data, Mapping) and not hasattr(data, "columns"):
        raise wrong_type("data", FORMS, data)
    names = [str(n) for n in (given if isinstance(data, Mapping) else given.columns)]
    label = next((n for n in ("time", *names) if n in given and name_and_unit(n)[0] == "time"), None)
    times = getattr(given, "index", None) if label is None else given[label]
    if times is None or callable(times):
        raise UsageError(Diagnostic("A043", f"{name} has no column time", help="give the times: time"))
    found = {n: _numbers(given[n], n, name) for n in names if n != label}
    units = {n: unit for n in found if (unit := _unit(given[n], n)) is not None}
    time = _numbers(times, "time", name)
    return Columns(name, _in_unit(name, "time", time, _unit(times, label or ""), "s", "time"), found, units)


def _unit(values: object, label: str) -> str | None:
    """The unit that a label ends in, `u [mV]`, or that xarray has as an attribute."""
    attributes = getattr(values, "attrs", None)
    said = attributes.get("units") if isinstance(attributes, Mapping) else None
    return name_and_unit(label)[1] or (str(said) if said else None)


def _in_unit(name: str, column: str, values: "Array", unit: str | None, wanted: str, variable: str) -> "Array":
    """Values of a column in the unit of the variable; UsageError A043 where it is another quantity."""
    if unit is None or unit == wanted:
        return values
    if not fits(unit, wanted):
        message = f"{column} of {name} is in {unit}, but {variable} in {wanted}"
        raise UsageError(Diagnostic("A043", message, help="measured= names the variable of each column"))
    return conversion(unit, wanted)(values)


def _numbers(values: object, column: str, name: str) -> "Array":
    """A column of numbers; of times, durations are numbers of seconds. UsageError A043 for anything else."""
    import numpy as np

    numbers = seconds_of(values) if column == "time" else floats_of(values)
    if numbers is None:
        hint = "times are in seconds from the start: frame.index - frame.index[0]" if column == "time" else None
        raise UsageError(Diagnostic("A043", f"the column {column} of {name} does not contain numbers", help=hint))
    found = np.array(numbers)
    if found.ndim != 1:
        raise UsageError(Diagnostic("A043", f"the column {column} of {name} has {found.ndim} dimensions"))
    return found


def measured_of(program: Program, found: Columns, measured: object) -> dict[str, str]:
    """Columns by the variable that they measure; UsageError F005 for unknown names, A043 where nothing fits."""
    variables = {show_derivative(*slot.symbol): slot for slot in program.variable_slots}
    if isinstance(measured, Mapping):
        chosen = _columns_of_variables(as_mapping("measured", measured), variables)
    elif measured is None:
        bare = {name_and_unit(column)[0]: column for column in found.columns}
        chosen = {name: column for name, column in bare.items() if name in variables}
    else:
        chosen = {name: name for name in with_elements(as_names("measured", measured), variables)}
    chosen = {name: _with_or_without_unit(column, found.columns) for name, column in chosen.items()}
    if not chosen:
        column = next(iter(found.columns), "column")
        hint = f"say what its columns measure: measured={{'C.u': '{column}'}}, or --measured C.u={column}"
        message = f"no column of {found.name} has the name of a variable of {program.name}"
        raise UsageError(Diagnostic("A043", message, help=hint))
    for name, column in chosen.items():
        _require("variable", name, variables)
        _require(f"column of {found.name}:", column, found.columns)
    return chosen


def _with_or_without_unit(column: str, columns: Iterable[str]) -> str:
    """The column of a name, which may have a unit behind it or not; the name itself where there is none."""
    names = list(columns)
    bare = name_and_unit(column)[0]
    return column if column in names else next((c for c in names if name_and_unit(c)[0] == bare), column)


def _columns_of_variables(measured: Mapping[str, object], variables: Collection[str]) -> dict[str, str]:
    """Columns by variable; an array is measured by as many columns, or by those of one name with indices."""
    found: dict[str, str] = {}
    for name, column in measured.items():
        elements = with_elements([name], variables)
        if isinstance(column, list | tuple):
            if len(column) != len(elements):
                message = f"{name} has {len(elements)} elements, measured are {len(column)} columns"
                raise UsageError(Diagnostic("A043", message, help="name a column for each element"))
            found |= dict(zip(elements, map(str, column), strict=True))
        else:
            found |= {element: f"{column}{element.removeprefix(name)}" for element in elements}
    return found


def _require(what: str, name: str, known: Iterable[str]) -> None:
    names = list(known)
    if name not in names:
        raise unknown_name(what, name, names)


def values_of(program: Program, found: Columns, chosen: Mapping[str, str]) -> "tuple[Array, Array]":
    """Times (times,) and values (times, variables) in the model's units; UsageError A043 for gaps and wrong units."""
    import numpy as np

    units = {show_derivative(*slot.symbol): slot.unit for slot in program.variable_slots}
    time = found.time
    _require_complete(found.name, "time", time)
    if len(time) < 2:
        message = f"{found.name} has {len(time) or 'no'} row of values: a fit requires two or more"
        raise UsageError(Diagnostic("A043", message, help="give a row for each instant of the measurement"))
    grows = time[1:] > time[:-1]
    if not grows.all():
        row = int(np.argmin(grows)) + 2
        message = f"the times of {found.name} do not increase in row {row}"
        raise UsageError(Diagnostic("A043", message, help="sort the rows by time, one row for each instant"))
    if time[0] < program.experiment.start:
        message = f"the data of {found.name} begin at {time[0]:g}, before the run at {program.experiment.start:g}"
        raise UsageError(Diagnostic("A043", message, help="shift the times, or set start in `experiment`"))
    columns = []
    for name, column in chosen.items():
        values = found.columns[column]
        _require_complete(found.name, column, values)
        if len(values) != len(time):
            raise UsageError(Diagnostic("A043", f"{column} of {found.name}: {len(values)} values, {len(time)} times"))
        unit, wanted = found.units.get(column), units[name]
        columns.append(values if wanted is None else _in_unit(found.name, column, values, unit, wanted, name))
    return time, np.array(columns).T


def units_of(program: Program) -> dict[str, str | None]:
    """Units of variables and parameters by name."""
    found = {show_derivative(*slot.symbol): slot.unit for slot in program.variable_slots}
    return found | {show_name(slot.name): slot.unit for slot in program.parameter_slots}


def _require_complete(name: str, column: str, values: "Array") -> None:
    """UsageError A043 for the first value that is no finite number."""
    import numpy as np

    if not all_finite(values):
        bad = np.flatnonzero(~np.isfinite(values))
        message = f"row {int(bad[0]) + 1} of the column {column} of {name} has no number"
        note = f"{len(bad)} of {len(values)} values are missing"
        raise UsageError(Diagnostic("A043", message, None, (), (note,), "remove these rows, or fill the gaps"))


def experiments_of(
    program: Program,
    data: object,
    experiments: Sequence[Mapping[str, object]] | None,
    measured: object,
    read: "Callable[[Mapping[str, object]], OwnValues]",
) -> tuple[tuple[str, ...], tuple[Experiment, ...]]:
    """The measured variables, and all runs; `read` gives parameters, inputs and initial values of an experiment."""
    if (data is None) == (experiments is None):
        hint = 'fit(data, ...), or fit(None, ..., experiments=[{"data": ..., "inputs": ...}])'
        raise UsageError(Diagnostic("F006", "give data, or experiments that each have data", help=hint))
    asked = [{"data": data}] if experiments is None else [as_mapping("experiments", e) for e in experiments]
    if not asked:
        raise UsageError(Diagnostic("F006", "the list of experiments is empty"))
    made, variables = [], None
    for number, given in enumerate(asked, 1):
        _require_known_keys(given)
        name = "the data" if experiments is None else f"experiment {number}"
        found = columns_of(given.get("data"), name)
        chosen = measured_of(program, found, given.get("measured", measured))
        variables = variables or tuple(chosen)
        if tuple(chosen) != variables:
            message = f"{name} measures {listed(list(chosen), SHOWN)}, the first one {listed(list(variables), SHOWN)}"
            raise UsageError(Diagnostic("A043", message, help="measure the same variables in all experiments"))
        parameters, inputs, initial = read(given)
        made.append(Experiment(found.name, *values_of(program, found, chosen), parameters, inputs, initial))
    return variables or (), tuple(made)


def _require_known_keys(given: Mapping[str, object]) -> None:
    known = ("data", "measured", "values", "inputs", "initial")
    for key in given:
        if key not in known:
            hint = f"the entries are {', '.join(known)}"
            raise UsageError(Diagnostic("F006", f"unknown entry {key} of an experiment", help=hint))
