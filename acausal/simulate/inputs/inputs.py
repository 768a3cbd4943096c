"""Inputs as functions of time: expressions, tables, numbers or Python functions.

`u=sin(2*time)` also gives der(u) where the equations need it: expressions are
differentiated, tables are piecewise linear.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Union

from acausal.base.arguments import wrong_type
from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.frozen import dataclass
from acausal.base.given_values import number_of
from acausal.base.near_names import unknown_name
from acausal.ir.names import Name, Symbol, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.simulate.inputs.csv_input import Table, Wanted, covering, read_table
from acausal.simulate.inputs.recording import Recording

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.ir.expr import Expr
    from acausal.ir.pool import Pool
    from acausal.simulate.inputs.input_expressions import InputExpressions

Signal = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class WithoutDerivative:
    """A function whose derivative is 0 where programs with slopes read it, and is not to be used."""

    function: Signal


@dataclass(frozen=True, slots=True)
class RecordedInput:
    """A value of another run, or a derivative of it: its number in the recording."""

    recording: Recording
    number: int
    order: int = 0


InputValue = str | float | Path | Table | Signal | WithoutDerivative | RecordedInput
"""An expression in time or the name of a CSV file, a number, a CSV file, values at times, a function of time."""


@dataclass(frozen=True, slots=True)
class TableInput:
    """A table, or a derivative of it."""

    table: Table
    order: int


@dataclass(frozen=True, slots=True)
class DelayInput:
    """A delayed value, or a derivative of it; its number among the delays of the program."""

    delay: int
    order: int


Source = Union[float, "Expr", TableInput, DelayInput, RecordedInput, Signal]


@dataclass(frozen=True, slots=True)
class Signals:
    """The source of each input slot: a number, an expression, a table, a delay or a function of the host.

    `pool` is that of the expressions, `places` are the positions in p of the parameters that they name; all serve other
    values of the parameters as well, if `hold_for_other_values`.
    """

    sources: tuple[Source, ...] = ()
    pool: "Pool | None" = None
    places: "Mapping[Expr, int]" = field(default_factory=dict)
    hold_for_other_values: bool = True


NO_SIGNALS = Signals()
NO_UNITS: Mapping[Name, Signal] = {}


def make_signals(
    program: Program,
    inputs: Mapping[str, InputValue],
    p: "Array",
    start: float,
    stop: float,
    units: Mapping[Name, Signal] = NO_UNITS,
) -> Signals:
    """The signals of all inputs from `start` to `stop`; expressions may name parameters.

    `units` are the running units of the program, by the names of their inputs.
    UsageError F005 for an unknown name, R005 for an input without value, R006 for an
    expression that is not one in time, R007 for a table that cannot serve, R008 for a function
    whose derivative is needed.
    """
    if not program.input_slots and not inputs:
        return NO_SIGNALS
    wanted: dict[str, list[Symbol]] = {}
    late = {slot.name: i for i, slot in enumerate(program.delays)}
    need_no_units(program, units)
    for symbol in (s for s in program.input_slots if s[0] not in late and s[0] not in units):
        wanted.setdefault(show_name(symbol[0]), []).append(symbol)
    for name in inputs:
        if name not in wanted:
            if name in map(show_name, [slot.name for slot in program.parameter_slots]):
                hint = f"give it a value as a parameter: parameters={{'{name}': 1}}, or --set {name}=1"
                raise UsageError(Diagnostic("F005", f"{name} is a parameter, not an input", help=hint))
            raise unknown_name("input", name, wanted, _inputs_are(wanted))
    made: dict[Symbol, Source] = {s: DelayInput(late[s[0]], s[1]) for s in program.input_slots if s[0] in late}
    made |= {s: units[s[0]] for s in program.input_slots if s[0] in units}
    expressions = _expressions(program, p) if any(map(_is_expression, inputs.values())) else None
    for name, symbols in wanted.items():
        if name not in inputs:
            hint = f"give it one: --input '{name}=sin(time)', --input {name}=FILE.csv"
            raise UsageError(Diagnostic("R005", f"the input {name} has no value", help=hint))
        orders = max(order for _, order in symbols)
        given = inputs[name]
        column = _column(program, name, symbols[0]) if isinstance(given, str | Path) else Wanted(name)
        sources = _sources(expressions, column, given, orders, (start, stop))
        made |= {symbol: sources[symbol[1]] for symbol in symbols}
    found = tuple([made[symbol] for symbol in program.input_slots])
    if expressions is None:
        return Signals(found)
    return Signals(found, expressions.pool, expressions.places, expressions.holds_for_other_values)


def need_no_units(program: Program, units: Mapping[Name, Signal] = NO_UNITS) -> None:
    """UsageError R041 where functional mock-up units are evaluated that do not run."""
    for slot in program.units:
        if slot.name not in units:
            message = f"the FMU {show_name(slot.name[:-1])} runs only in simulations"
            hint = "simulate the model, or analyze a model without the FMU"
            raise UsageError(Diagnostic("R041", message, Label(slot.origin.span), help=hint))


def without_units(program: Program) -> Mapping[Name, Signal]:
    """Signals in the place of units, to check inputs before anything runs."""
    return {slot.name: float for slot in program.units}


def _is_expression(value: InputValue) -> bool:
    return isinstance(value, str) and not value.lower().endswith(".csv")


def _expressions(program: Program, p: "Array") -> "InputExpressions":
    from acausal.simulate.inputs.input_expressions import InputExpressions

    slots = zip(program.parameter_slots, p, strict=False)
    return InputExpressions({show_name(s.name): bool(x) if s.type == "boolean" else float(x) for s, x in slots})


def _column(program: Program, name: str, symbol: Symbol) -> Wanted:
    """The input, with the unit that its variable has."""
    slot = next((slot for slot in program.variable_slots if slot.symbol == (symbol[0], 0)), None)
    return Wanted(name, None, is_known=False) if slot is None else Wanted(name, slot.unit)


def _sources(
    expressions: "InputExpressions | None", wanted: Wanted, value: InputValue, orders: int, times: tuple[float, float]
) -> Sequence[Source]:
    """The source and its derivatives up to the order."""
    name = wanted.name
    if isinstance(value, str) and _is_expression(value) and expressions is not None:
        return expressions.add(name, value, orders)
    if isinstance(value, str | Path | Table):
        what = f"the input {name}"
        table = covering(value, what, times) if isinstance(value, Table) else read_table(wanted, Path(value), times)
        return [TableInput(table, order) for order in range(orders + 1)]
    if isinstance(value, Real):
        number = float(number_of(f"the input {name}", value))
        return [number, *[0.0] * orders]
    if isinstance(value, RecordedInput):
        return [RecordedInput(value.recording, value.number, order) for order in range(orders + 1)]
    if isinstance(value, WithoutDerivative):
        return [value.function, *[0.0] * orders]
    if orders:
        need = show_derivative((name,), orders)
        hint = "give the input as an expression in time, which can be differentiated"
        raise UsageError(
            Diagnostic("R008", f"the equations require {need}, which a function does not provide", help=hint)
        )
    if not callable(value):
        raise wrong_type(f"the input {name}", "an expression, a file, a number, a function or values at times", value)
    return [value]


def _inputs_are(wanted: Mapping[str, object]) -> str:
    return f"its inputs are {', '.join(wanted)}" if wanted else "the model has no inputs"
