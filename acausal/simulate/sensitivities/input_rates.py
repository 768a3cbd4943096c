"""Inputs of a run with slopes: they move with time at events, not with parameters."""

from collections.abc import Collection, Mapping
from typing import NoReturn

from acausal.base.diagnostics import Diagnostic, Label, SimulationError, UsageError
from acausal.codegen.tangent.sensitivities.augment import Augmented
from acausal.ir.names import show_name
from acausal.ir.origin import Origin
from acausal.ir.program.slots import FrozenSlot
from acausal.simulate.inputs.inputs import InputValue, Signals, WithoutDerivative

HINT = "give the input as an expression in time or as values at times, which have derivatives"


class InputRates:
    """Derivatives that are not known of inputs that are `functions`, by name: `places` are their positions in u."""

    def __init__(self, augmented: Augmented, functions: Collection[str]) -> None:
        self._augmented = augmented
        _require_no_orders(augmented, functions)
        base, first = augmented.base, augmented.places.first_input
        named = [(first + i, show_name(symbol[0])) for i, symbol in enumerate(base.input_slots)]
        rates = augmented.places.rates
        known = [(rates[at], name) for at, name in named if at in rates and name in functions]
        self.places = tuple([at for at, _ in known])
        self._names = [name for _, name in known]

    def refuse(self, t: float, slot: FrozenSlot) -> NoReturn:
        """SimulationError A020 for a relation that reads such an input."""
        raise self._error(t, f"the time of {slot.text}", slot.origin)

    def require_values(self, t: float) -> None:
        """SimulationError A020 where an event that moves may set something from such an input."""
        table = self._augmented.base.table
        restarted = [(f"init({slot.text})", slot.origin) for slot in table.restarts]
        discrete = [slot for slot in table.frozen if slot.kind == "discrete" and slot.type == "real"]
        found = [*restarted, *[(f"new({show_name(slot.name)})", slot.origin) for slot in discrete]]
        if self._names and found:
            raise self._error(t, *found[0])

    def _error(self, t: float, what: str, origin: Origin) -> SimulationError:
        message = f"at t = {t:.10g} {what} depends on der({self._names[0]}), which a function does not provide"
        return SimulationError(Diagnostic("A020", message, Label(origin.span, "depends on it here"), help=HINT))


def without_derivatives(augmented: Augmented, inputs: Mapping[str, InputValue]) -> dict[str, InputValue]:
    """The inputs; functions have no derivatives, unless the model itself needs them (then R008 says so)."""
    needed = _with_orders(augmented)
    return {
        name: WithoutDerivative(value) if callable(value) and name not in needed else value
        for name, value in inputs.items()
    }


def _with_orders(augmented: Augmented) -> set[str]:
    """Names of inputs whose derivatives the model itself reads."""
    return {show_name(name) for name, order in augmented.base.input_slots if order}


def _require_no_orders(augmented: Augmented, functions: Collection[str]) -> None:
    """SimulationError A020 where the model with other states needs the derivative of a function."""
    needed = _with_orders(augmented)
    for name in functions:
        if name in needed:
            message = f"the model with other states requires der({name}), which a function does not provide"
            raise SimulationError(Diagnostic("A020", message, help=HINT))


def require_fixed_inputs(augmented: Augmented, signals: Signals) -> None:
    """UsageError A020 where the expression of an input names a parameter by which derivatives are taken."""
    moved = {position for position, _ in augmented.places.parameters}
    slots = augmented.base.parameter_slots
    names = [show_name(slots[at].name) for at in signals.places.values() if at in moved]
    if names:
        message = f"the expression of an input depends on the parameter {names[0]}"
        hint = "write the expression into the model, in the place of the input"
        raise UsageError(Diagnostic("A020", message, help=hint))
