"""A running FMU as the functions of its class (`imports/fmu/layout`): pure, with the last values at hand."""

import hashlib
import math
import platform
import sys
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, Label, SimulationError
from acausal.base.options import Limits
from acausal.imports.fmu.archive import Archive, FmuError, read_archive
from acausal.imports.fmu.layout import Function, Kind, Layout, Scalar, layout_of
from acausal.imports.fmu.platforms import binary_name, need_binary
from acausal.imports.fmu.read import read_description
from acausal.ir.external import publish
from acausal.ir.names import show_name
from acausal.ir.program.slots import UnitSlot
from acausal.simulate.fmu.child.protocol import (
    COMPLETED,
    DERIVATIVE,
    EVALUATE,
    EVENT,
    INDICATORS,
    OUTPUTS,
    RATES,
    START,
    STEP,
)
from acausal.simulate.fmu.process import FmuFailureError, FmuProcess
from acausal.simulate.fmu.process_description import process_description
from acausal.simulate.system.settings import Settings

Values = tuple[float, ...]
FETCH = {Kind.RATE: RATES, Kind.OUTPUT: OUTPUTS, Kind.INDICATOR: INDICATORS}
KEPT = 64
"""Calls whose values are at hand."""
NEAR = 1e-12
"""Relative difference of values that went through a conversion of units."""


class Instant:
    """A discrete state of the FMU: its next event in time, states and discrete outputs, and where it was settled."""

    __slots__ = ("ends", "inputs", "next", "outputs", "states", "time")

    def __init__(self, time: float, inputs: Values, found: Values, states: int) -> None:
        self.time, self.inputs = time, inputs
        _, self.next, self.ends, *rest = found
        if self.ends:
            self.next = math.inf
        self.states, self.outputs = tuple(rest[:states]), tuple(rest[states:])

    def is_settled(self, time: float, states: Values, inputs: Values) -> bool:
        """True if an event with these values would repeat the one that led here."""
        return self.time == time and _near(self.states, states) and _near(self.inputs, inputs)


class RunningUnit:
    """See `ir.external.Unit`; called as a signal at every evaluation of the model, it raises what has failed."""

    def __init__(self, slot: UnitSlot, settings: Settings) -> None:
        self.slot = slot
        self._failure: SimulationError | None = None
        self._start = settings.start
        self._memo: dict[tuple[object, ...], Values] = {}
        self._events: dict[tuple[object, ...], int] = {}
        self._instants: dict[int, Instant] = {}
        try:
            archive, self.layout = self._read()
            binary = binary_name(self.layout, sys.platform, platform.machine())
            assert binary is not None
            self._process = FmuProcess(archive, binary, Limits().fmu_size)
            self._process.load(process_description(self.layout, self._process.folder, binary, slot, settings))
        except (FmuError, FmuFailureError, OSError) as error:
            raise self._failed(str(error)) from None
        layout = self.layout
        self._known = [0.0] * len(layout.known)
        self._place: Values = (0.0, math.nan)
        self._members: dict[tuple[int, ...], int] = {}
        for f in layout.functions:
            if f.kind in FETCH:
                self._members[f.depends] = self._members.get(f.depends, 0) | FETCH[f.kind]
        self.number = publish(self)

    def _read(self) -> tuple[Archive, Layout]:
        file = self.slot.file
        archive = read_archive(Path(file.path), Limits().fmu_size)
        if hashlib.sha256(archive.data).hexdigest() != file.digest:
            raise FmuError(f"{file.path} has changed since the model was translated", "translate the model again")
        description = read_description(archive, Path(file.path).name, Limits())
        layout = layout_of(description, file.cosimulation)
        need_binary(archive, layout, sys.platform, platform.machine())
        return archive, layout

    def _failed(self, reason: str, time: float | None = None) -> SimulationError:
        when = "" if time is None else f" at t = {time:g}"
        name = show_name(self.slot.name[:-1])
        message = f"the FMU {name} failed{when}: {reason}"
        hint = "run the FMU alone in another tool; ACAUSAL_FMU_TIMEOUT gives it more seconds for one call"
        return SimulationError(Diagnostic("R040", message, Label(self.slot.origin.span), help=hint))

    def __call__(self, _: float) -> float:
        """The number of the unit; what has failed since the last call is raised."""
        if self._failure is not None:
            raise self._failure
        return self.number

    def completed(self, time: float) -> bool:
        """Report a step that the solver has completed, where the model was evaluated last; true to ask for an event."""
        known = self._instants.get(int(self._place[0]))
        if self.layout.cosimulation or not self.layout.interface.needs_steps or self._place[1] != time:
            return False
        if known is not None and known.ends:
            return False
        try:
            (asks,) = self._process.ask(COMPLETED, (*self._place, *self._known))
        except (FmuFailureError, OSError) as error:
            raise self._failed(str(error), time) from None
        return asks > 0.5

    def close(self) -> None:
        """End the process."""
        self._process.close()

    # ------------------------------------------------------------ functions

    def value(self, function: int, arguments: Values) -> float:
        """Value of a function; NaN where the FMU has failed."""
        if self._failure is not None or not all(map(math.isfinite, arguments)):
            return math.nan
        try:
            return self._value(self.layout.functions[function], arguments)
        except (FmuFailureError, OSError) as error:
            asked = self.layout.functions[function].kind
            at = 1 if asked in FETCH or asked is Kind.EVENT else 0 if self.layout.cosimulation else None
            self._failure = self._failed(str(error), None if at is None else arguments[at])
            return math.nan

    def _value(self, function: Function, given: Values) -> float:
        kind, item = function.kind, function.item
        if kind in FETCH:
            return self._evaluated(function, given)
        if kind is Kind.START:
            return self._asked(START, given)[item]
        if self.layout.cosimulation and given[0] < self._start:
            return 0.0  # of a pass over the first instant before its time is known
        if self.layout.cosimulation:
            return self._asked(STEP, given)[0 if kind is Kind.ENDS else 1 + item]
        if kind is Kind.EVENT:
            return self._event(given)
        instant = self._instants.get(int(given[0]))
        if kind is Kind.NEXT:
            return math.inf if instant is None else instant.next
        if kind is Kind.ENDS:
            return 0.0 if instant is None else instant.ends
        if instant is None:
            return 0.0
        if kind is Kind.DISCRETE:
            return instant.outputs[item]
        return 0.0 if _near((given[1],), (instant.states[item],)) else instant.states[item] - given[1]

    def derivative(self, function: int, argument: int, arguments: Values) -> float | None:
        """The derivative of a rate or output by a state or continuous input; None where the FMU offers none."""
        asked = self.layout.functions[function]
        place = None if argument < 2 or asked.kind not in (Kind.RATE, Kind.OUTPUT) else asked.depends[argument - 2]
        if self._failure is not None or place is None or not all(map(math.isfinite, arguments)):
            return None
        unknowns = self._unknowns(asked.depends) if self.layout.interface.has_derivatives else []
        scalars = [*[scalar for _, scalar in unknowns], self.layout.known[place]]
        if any(scalar.variable.size != 1 for scalar in scalars) or len(scalars) == 1:
            return None
        key = DERIVATIVE, asked.depends, place, arguments
        found = self._memo.get(key)
        if found is None:
            for position, value in zip(asked.depends, arguments[2:], strict=True):
                self._known[position] = value
            references = [float(scalar.variable.reference) for scalar in scalars]
            request = (float(len(unknowns)), *references, *arguments[:2], *self._known)
            try:
                found = self._keep(key, self._process.ask(DERIVATIVE, request))
            except (FmuFailureError, OSError) as error:
                self._failure = self._failed(str(error), arguments[1])
                return math.nan
        value = found[[f for f, _ in unknowns].index(asked)]
        return value if math.isfinite(value) else None

    def _unknowns(self, depends: tuple[int, ...]) -> list[tuple[Function, Scalar]]:
        """Rates and outputs that depend on the same variables: their derivatives are asked for together."""
        layout, kinds = self.layout, {Kind.RATE: self.layout.rates, Kind.OUTPUT: self.layout.outputs}
        return [(f, kinds[f.kind][f.item]) for f in layout.functions if f.kind in kinds and f.depends == depends]

    def _asked(self, command: int, given: Values) -> Values:
        key = command, given
        found = self._memo.get(key)
        return self._keep(key, self._process.ask(command, given)) if found is None else found

    def _keep(self, key: tuple[object, ...], values: Values) -> Values:
        if len(self._memo) >= KEPT:
            del self._memo[next(iter(self._memo))]
        self._memo[key] = values
        return values

    def _evaluated(self, function: Function, given: Values) -> float:
        """Functions with the same arguments are evaluated in one call."""
        layout = self.layout
        key = function.depends, given
        found = self._memo.get(key)
        asked = self._members[function.depends]
        self._place = given[:2]
        for place, value in zip(function.depends, given[2:], strict=True):
            self._known[place] = value
        if found is None:
            found = self._keep(key, self._process.ask(EVALUATE, (float(asked), *given[:2], *self._known)))
        first = 0
        if function.kind is not Kind.RATE and asked & FETCH[Kind.RATE]:
            first += len(layout.states)
        if function.kind is Kind.INDICATOR and asked & FETCH[Kind.OUTPUT]:
            first += len(layout.outputs)
        return found[first + function.item]

    def _event(self, given: Values) -> float:
        """The instant behind an event; the same where the FMU is settled."""
        layout = self.layout
        before, time = int(given[0]), given[1]
        states = given[2 : 2 + len(layout.states)]
        inputs = given[2 + len(layout.states) : 2 + len(layout.inputs) + len(layout.states)]
        known = self._instants.get(before)
        if known is not None and (known.ends or known.is_settled(time, states, inputs)):
            return float(before)
        if known is not None and 0.0 < known.next - time < NEAR * max(abs(time), 1.0):
            time = known.next
        key = before, time, states, inputs
        after = self._events.get(key)
        if after is None:
            found = self._process.ask(EVENT, (float(before), time, *states, *inputs))
            after = self._events[key] = int(found[0])
            self._instants[after] = Instant(given[1], inputs, found, len(layout.states))
        return float(after)


def _near(first: Values, second: Values) -> bool:
    return all(abs(a - b) <= NEAR * max(abs(a), abs(b)) for a, b in zip(first, second, strict=True))
