"""The instance of an FMU: requests as calls of its functions, in an order that the standard allows."""

from collections.abc import Sequence
from ctypes import byref, c_double, c_size_t, c_void_p

from acausal.simulate.fmu.child.access import Access
from acausal.simulate.fmu.child.api import Api, Api2, FailureError
from acausal.simulate.fmu.child.protocol import INDICATORS, OUTPUTS, RATES, About

NEAR = 1e-12
"""Relative difference of states that went through a conversion of units."""
Values = Sequence[float]


class Instance:
    """An FMU with its instants; `current` is the one it is in, None where it is in none of them."""

    def __init__(self, about: About) -> None:
        self.about = about
        self.api: Api = (Api2 if about["version"] == 2 else Api)(about)
        self.parameters, self.inputs = Access(self.api, about["parameters"]), Access(self.api, about["inputs"])
        self.continuous, self.events = Access(self.api, about["continuous"]), Access(self.api, about["events"])
        self.outputs, self.discrete = Access(self.api, about["outputs"]), Access(self.api, about["discrete"])
        self.states = about["states"]
        self._x, self._rates = [(c_double * max(self.states, 1))() for _ in range(2)]
        self._above = (c_double * max(about["indicators"], 1))()
        self._saved: list[c_void_p] = []
        self._current: int | None = None
        self._time: float | None = None
        self._given: Values = ()

    # ------------------------------------------------------------ initialization

    def _begin(self, parameters: Values, inputs: Values) -> None:
        """Instantiate, set parameters and inputs; in initialization mode then."""
        for state in self._saved:
            self._free(state)
        self._saved, self._current = [], None
        self.api.free()
        self.api.instantiate()
        self.parameters.set(parameters)
        self.api.initialize()
        self.inputs.set(inputs)

    def start(self, values: Values) -> list[float]:
        """Continuous states in the first instant, behind its event: some FMUs compute them no earlier."""
        count = self.parameters.size
        self._begin(values[:count], values[count:])
        self._leave_initialization()
        if self.about["has_state"]:
            self.api.update()
            self.api.call("EnterContinuousTimeMode")
        return self._continuous_states()

    def _leave_initialization(self) -> None:
        """To instant 0; without saved states, directly to continuous-time mode."""
        self.api.call("ExitInitializationMode")
        if self.about["has_state"]:
            self._saved.append(self._save())
        else:
            self.api.update()
            self.api.call("EnterContinuousTimeMode")
            self._current = 0

    def _continuous_states(self) -> list[float]:
        if not self.states:
            return []
        self.api.call("GetContinuousStates", self._x, c_size_t(self.states))
        return list(self._x)

    # ------------------------------------------------------------ model exchange

    def _enter(self, instant: int) -> None:
        """The FMU is in an instant."""
        if self.api.component is None:
            self._begin(self.about["defaults"], ())
            self._leave_initialization()
        if self.about["has_state"] and self._current != instant:
            self.api.call(f"Set{self.api.state_name}", self._saved[instant])
            self._current = instant

    def _place(self, time: float, known: Values) -> None:
        """Time, states and continuous inputs, in continuous-time mode."""
        self.api.call("SetTime", c_double(time))
        if self.states:
            self._x[:] = list(known[: self.states])
            self.api.call("SetContinuousStates", self._x, c_size_t(self.states))
        self.continuous.set(known[self.states :])

    def evaluate(self, values: Values) -> list[float]:
        """The parts that are asked for, at an instant and a time."""
        asked, *place = values
        parts, api = int(asked), self.api
        self._go(place)
        found: list[float] = []
        if parts & RATES and self.states:
            api.call(api.rates_name, self._rates, c_size_t(self.states))
            found += self._rates
        if parts & OUTPUTS:
            found += self.outputs.get()
        if parts & INDICATORS:
            api.call("GetEventIndicators", self._above, c_size_t(self.about["indicators"]))
            found += self._above
        return found

    def derivative(self, values: Values) -> list[float]:
        """Derivatives of so many variables, by their references, with respect to one, at an instant and a time."""
        count = int(values[0])
        references = [int(x) for x in values[1 : count + 2]]
        self._go(values[count + 2 :])
        return self.api.derivatives(references[:-1], references[-1])

    def completed(self, values: Values) -> list[float]:
        """A step that the solver has completed: 1 if the FMU asks for an event, or ends the simulation.

        Without saved states the event is here: it may not change the states, as their solver would not know.
        """
        self._go(values)
        asks = self.api.completed()
        if self.about["has_state"] and self._current is not None:  # the instant has this step from now on
            self.api.call(f"Get{self.api.state_name}", byref(self._saved[self._current]))
        if self.about["has_state"] or not (asks or self.api.ends):
            return [float(asks or self.api.ends)]
        before = self._continuous_states()
        if asks:
            self.api.call("EnterEventMode")
            self.api.update()
            self.api.call("EnterContinuousTimeMode")
        if self.api.ends:
            raise FailureError("it ends the simulation")
        if self._continuous_states() != before:
            raise FailureError("it changes its states at an event, but its own state cannot be saved")
        return [0.0]

    def _go(self, place: Values) -> None:
        """To an instant, a time, states and continuous inputs."""
        instant, time, *known = place
        api = self.api
        self._enter(int(instant))
        at_start = instant == 0 and self.about["has_state"]
        if at_start:
            self.continuous.set(known[self.states :])
            api.update()
            api.call("EnterContinuousTimeMode")
            self._current = None
        self._place(time, known)

    def event(self, values: Values) -> list[float]:
        """A new instant: number, next event in time, 1 if the FMU ends the simulation, states, discrete outputs."""
        instant, time, *known = values
        count = self.states + self.continuous.size
        discrete = known[count:]
        del known[count:]
        self._enter(int(instant))
        if instant == 0:
            next_ = self._updated(known, discrete)
            states = zip(self._continuous_states(), known, strict=False)
            is_as_given = all(abs(a - b) <= NEAR * max(abs(a), abs(b)) for a, b in states)
            if not is_as_given:
                self.api.call("EnterContinuousTimeMode")
        if instant != 0 or not is_as_given:
            self._place(time, known)
            if self.about["needs_steps"]:
                self.api.completed()
            self.api.call("EnterEventMode")
            next_ = self._updated(known, discrete)
        found = [next_, float(self.api.ends), *self._continuous_states(), *self.discrete.get()]
        self.api.call("EnterContinuousTimeMode")
        self._saved.append(self._save())
        self._current = len(self._saved) - 1
        return [float(self._current), *found]

    def _updated(self, known: Values, discrete: Values) -> float:
        """Discrete states for these inputs, in event mode; the time of the next event."""
        self.continuous.set(known[self.states :])
        self.events.set(discrete)
        return self.api.update()

    def _save(self) -> c_void_p:
        state = c_void_p()
        self.api.call(f"Get{self.api.state_name}", byref(state))
        return state

    def _free(self, state: c_void_p) -> None:
        self.api.call(f"Free{self.api.state_name}", byref(state))

    # ------------------------------------------------------------ co-simulation

    def step(self, values: Values) -> list[float]:
        """1 if the FMU ends the simulation, and outputs at a time of communication.

        The FMU goes there with the inputs that it had before.
        """
        time, count = values[0], self.inputs.size
        inputs, parameters = values[1 : 1 + count], values[1 + count :]
        if self._time is None or self._given != parameters:
            self._begin(parameters, inputs)
            self.api.call("ExitInitializationMode")
            self._given, self._time = parameters, self.about["start"]
        if time < self._time:
            raise FailureError(f"it cannot go back from t = {self._time:g} to t = {time:g}")
        if time > self._time and not self.api.ends:
            self.api.step(self._time, time)
            self._time = time
        if not self.api.ends:
            self.inputs.set(inputs)
        return [float(self.api.ends), *self.discrete.get()]
