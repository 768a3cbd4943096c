"""A model that advances step by step, with inputs that the host sets and outputs that it reads.

    s = t.stepper(inputs={"u": 0})
    while s.time < 10:
        s.inputs["u"] = controller(s["y"])
        s.step(0.01)

Each step continues from the state that the last one left: a state that is kept can be returned to at any time.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.base.arguments import as_number, wrong_type
from acausal.base.diagnostics import Diagnostic, ModelError, UsageError
from acausal.base.near_names import unknown_name
from acausal.begun_run import BegunRun
from acausal.ir.names import listed, show_name
from acausal.simulate.state.state import State, require_no_units

if TYPE_CHECKING:
    from acausal.results.result import Result
    from acausal.simulate.inputs.inputs import InputValue

SHOWN = 6


class StepperInputs(MutableMapping[str, float]):
    """Inputs of a model by name: numbers, constant during a step. UsageError F005 for an unknown name."""

    def __init__(self, names: tuple[str, ...], values: Mapping[str, float]) -> None:
        self._names = names
        self._values = dict(values)
        self.changed = False

    def __getitem__(self, name: str) -> float:
        self._require(name)
        return self._values[name]

    def __setitem__(self, name: str, value: float) -> None:
        self._require(name)
        number = as_number(name, value)
        if number is None:
            raise wrong_type(name, "a number", value)
        self.changed = self.changed or self._values.get(name) != number
        self._values[name] = number

    def __delitem__(self, name: str) -> None:
        hint = f"set it to another value: inputs[{name!r}] = 0"
        raise UsageError(Diagnostic("F006", f"the input {name} cannot be removed", help=hint))

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def _require(self, name: str) -> None:
        if name in self._names:
            return
        known = f"the inputs are {listed(self._names, SHOWN)}" if self._names else "the model has no inputs"
        raise unknown_name("input", str(name), self._names, known)


class Stepper:
    """See `acausal.stepper`; `inputs` are constant during a step, `s["y"]` is a variable or parameter at `time`."""

    def __init__(self, begun: BegunRun) -> None:
        program = begun.model.program
        require_no_units(program)
        names = tuple(dict.fromkeys([show_name(name) for name, _ in program.input_slots]))
        given = begun.inputs or {}
        numbers = {name: float(x) for name, x in given.items() if isinstance(x, int | float) and name in names}
        self.inputs = StepperInputs(names, numbers)
        self._others: dict[str, InputValue] = {name: x for name, x in given.items() if name not in numbers}
        self._first = program.experiment.start
        self.is_finished = False
        self._begun, self._given = begun, begun.given
        self._result = self._run(self._first if begun.state is None else begun.state.time)

    @property
    def time(self) -> float:
        """The time that it has come to."""
        return float(self._result.time[-1])

    @property
    def state(self) -> State:
        """The state there; `restore` returns to it."""
        return self._result.end or self._result.state()

    def __getitem__(self, name: str) -> float:
        return float(self._result[name][-1])

    def step(self, dt: float) -> float:
        """Advance by `dt` seconds, over all events on the way; the time that it has come to.

        Inputs keep their values. UsageError F006 for a time that is not positive, and where the model has terminated;
        where a step fails with RunError, the stepper stays where it was.
        """
        number = as_number("dt", dt)
        if number is None or not number > 0.0:
            raise UsageError(Diagnostic("F006", f"step({dt}): the step size must be positive"))
        if self.is_finished:
            hint = "restore an earlier state: s.restore(state)"
            raise UsageError(Diagnostic("F006", f"the model has terminated at t = {self.time:g}", help=hint))
        found = self._run(self.time + number, self.state)
        self.is_finished = any(note.code == "R011" for note in found.notes)
        self._result = found
        return self.time

    def restore(self, state: State) -> None:
        """Return to a state, or go to one of another run, with its parameters where the stepper was given none.

        UsageError A011 for a state of another model.
        """
        earlier = self._begun
        self._begun = replace(earlier, given={**state.parameters, **self._given})
        try:
            self._result = self._run(state.time, state)
        except ModelError:
            self._begun = earlier
            raise
        self.is_finished = False

    def _run(self, stop: float, state: State | None = None) -> "Result":
        """To `stop`, from a state on; relations follow inputs that have changed."""
        begun = self._begun
        state = state or begun.state
        if state is not None and self.inputs.changed:
            state = replace(state, is_changed=True)
        interval = max(stop - self._first, 1.0)
        options = replace(begun.options, stop=stop, interval=interval)
        inputs = {**self._others, **self.inputs}
        run = replace(begun, options=options, inputs=inputs, state=state, kept=True)
        made, found = run.served_run()
        if made.model is not begun.model:
            self._begun = replace(begun, model=made.model)
        self.inputs.changed = False
        return found

    def __repr__(self) -> str:
        return f"<Stepper {self._begun.model.name} at t = {self.time:g} s>"
