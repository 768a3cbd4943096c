"""Inputs as functions of time: expressions, tables, numbers or Python functions.

`u=sin(2*time)` also gives der(u) where the equations need it: expressions are
differentiated, tables are piecewise linear.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import wrong_type
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.given_values import number_of
from acausal.ir.names import show_derivative, show_name
from acausal.ir.program import Program, Symbol
from acausal.simulate.inputs.csv_input import Table, covering, read_table

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Signal = Callable[[float], float]
InputValue = str | float | Path | Table | Signal
"""An expression in time or the name of a CSV file, a number, a CSV file, values at times, a function of time."""


@dataclass(frozen=True, slots=True)
class Signals:
    """A signal for each input slot; `varying` if there is any."""

    functions: tuple[Signal, ...] = ()

    @property
    def varying(self) -> bool:
        """Whether there is anything to fill."""
        return bool(self.functions)

    def fill(self, t: float, u: "Array") -> None:
        """The values at time t into u."""
        i = 0
        try:
            for i, function in enumerate(self.functions):
                u[i] = function(t)
        except (TypeError, ValueError, OverflowError):
            found = self.functions[i](t)
            message = f"a function that gives an input returned {repr(found)[:40]} at t = {t:g}"
            raise UsageError(Diagnostic("F006", message, help="it returns a number")) from None


NO_SIGNALS = Signals()


def make_signals(program: Program, inputs: Mapping[str, InputValue], p: "Array", start: float, stop: float) -> Signals:
    """The signals of all inputs from `start` to `stop`; expressions may name parameters.

    UsageError F005 for an unknown name, R005 for an input without value, R006 for an
    expression that is not one in time, R007 for a table that cannot serve, R008 for a function
    whose derivative is needed.
    """
    if not program.input_slots and not inputs:
        return NO_SIGNALS
    wanted: dict[str, list[Symbol]] = {}
    late = {slot.name for slot in program.delays}
    for symbol in (s for s in program.input_slots if s[0] not in late):
        wanted.setdefault(show_name(symbol[0]), []).append(symbol)
    for name in inputs:
        if name not in wanted:
            near = get_close_matches(name, wanted, 1)
            hint = f"did you mean {near[0]}?" if near else _inputs_are(wanted)
            raise UsageError(Diagnostic("F005", f"there is no input {name}", help=hint))
    made: dict[Symbol, Signal] = {s: _zero for s in program.input_slots if s[0] in late}
    for name, symbols in wanted.items():
        if name not in inputs:
            hint = f"give it one: --input '{name}=sin(time)', --input {name}=FILE.csv"
            raise UsageError(Diagnostic("R005", f"the input {name} has no value", help=hint))
        orders = max(order for _, order in symbols)
        functions = _functions(program, name, inputs[name], orders, p, (start, stop))
        made |= {symbol: functions[symbol[1]] for symbol in symbols}
    return Signals(tuple([made[symbol] for symbol in program.input_slots]))


def _functions(
    program: Program, name: str, value: InputValue, orders: int, p: "Array", times: tuple[float, float]
) -> list[Signal]:
    """The signal and its derivatives up to the order."""
    if isinstance(value, str) and not value.lower().endswith(".csv"):
        slots = zip(program.parameter_slots, p, strict=False)
        values = {show_name(s.name): bool(x) if s.type == "boolean" else float(x) for s, x in slots}
        from acausal.simulate.inputs.input_expressions import formula_signals

        return formula_signals(name, value, orders, values)
    if isinstance(value, str | Path | Table):
        what = f"the input {name}"
        table = covering(value, what, times) if isinstance(value, Table) else read_table(name, Path(value), times)
        return [table.signal(order) for order in range(orders + 1)]
    if isinstance(value, Real):
        number = float(number_of(f"the input {name}", value))
        return [lambda _: number, *[_zero] * orders]
    if orders:
        need = show_derivative((name,), orders)
        hint = "give the input as an expression in time, which can be differentiated"
        raise UsageError(Diagnostic("R008", f"the equations need {need}, which a function does not tell", help=hint))
    if not callable(value):
        raise wrong_type(f"the input {name}", "an expression, a file, a number, a function or values at times", value)
    return [value]


def _zero(_: float) -> float:
    return 0.0


def _inputs_are(wanted: Mapping[str, object]) -> str:
    return f"its inputs are {', '.join(wanted)}" if wanted else "the model has no inputs"
