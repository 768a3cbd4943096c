"""Layout of an FMU as a class: its scalars, and the functions by which equations ask for values (`ir.external`).

| function | arguments behind the unit | value |
| --- | --- | --- |
| start | parameters, inputs where these matter | a continuous state in the first instant |
| rate, output, indicator | instant, time, what it depends on | derivative, continuous output, event indicator |
| event | instant, time, states, inputs, conditions | the instant after an event |
| next, ends | instant | next event in time; 1 if the FMU ends the simulation |
| jump | instant, state | change of the state at the event |
| discrete | instant | discrete output behind the event |
| step | time of communication, inputs, parameters | an output of Co-Simulation |

An instant numbers the discrete state of the FMU: it changes at events only. So every function is pure.
"""

import re
from enum import Enum
from typing import NamedTuple

from acausal.base.frozen import record
from acausal.imports.fmu.archive import FmuError
from acausal.imports.fmu.description import SCALARS, FmuVariable, Interface, ModelDescription, Unknown
from acausal.imports.fmu.structure import state_of
from acausal.imports.text.identifiers import identifier


class Kind(Enum):
    """Kinds of functions."""

    START = "start"
    RATE = "rate"
    OUTPUT = "output"
    INDICATOR = "indicator"
    EVENT = "event"
    NEXT = "next"
    ENDS = "ends"
    JUMP = "jump"
    DISCRETE = "discrete"
    STEP = "step"


class Scalar(NamedTuple):
    """An element of a variable, numbered from 0, row by row."""

    variable: FmuVariable
    element: int


@record(frozen=True, slots=True)
class Function:
    """A function: `item` is the position of its value among those of its kind, `depends` positions in `known`."""

    kind: Kind
    item: int
    depends: tuple[int, ...] = ()


@record(frozen=True, slots=True)
class Layout:
    """Scalars by their roles.

    `known` are the continuous states, behind them the continuous inputs; `inputs` are all of them. `discrete` are the
    outputs that change at events only. An FMU that `has_events` has instants. If `starts_by_inputs`, states in the
    first instant depend on inputs.
    """

    description: ModelDescription
    interface: Interface
    cosimulation: bool
    names: dict[int, str]
    parameters: tuple[Scalar, ...]
    inputs: tuple[Scalar, ...]
    known: tuple[Scalar, ...]
    states: tuple[Scalar, ...]
    rates: tuple[Scalar, ...]
    outputs: tuple[Scalar, ...]
    discrete: tuple[Scalar, ...]
    functions: tuple[Function, ...]
    has_events: bool
    starts_by_inputs: bool

    def code(self, kind: Kind, item: int = 0) -> int:
        """The number of a function."""
        return next(i for i, f in enumerate(self.functions) if f.kind is kind and f.item == item)


WAYS = {"fmu": None, "fmu_me": False, "fmu_cs": True}
"""Words before the name of a file, and whether they ask for Co-Simulation; None: only if there is nothing else."""


def layout_of(description: ModelDescription, cosimulation: bool | None) -> Layout:
    """The layout for Model Exchange or Co-Simulation; FmuError for what cannot be imported."""
    exchange = description.exchange
    chosen = exchange is None if cosimulation is None else cosimulation
    interface = description.cosimulation if chosen else exchange
    if interface is None:
        other = "Model Exchange: write fmu_me" if chosen else "Co-Simulation: write fmu_cs"
        raise FmuError(f"it has no {'Co-Simulation' if chosen else 'Model Exchange'}", f"it has {other}")
    parameters = _scalars([v for v in description.with_causality("parameter") if v.starts])
    inputs = [v for v in description.with_causality("input") if not v.clocked]
    outputs = [u for u in description.outputs if u.variable.type in SCALARS and not u.variable.clocked]
    if chosen:
        return _of_steps(description, interface, parameters, _scalars(inputs), outputs)
    return _of_exchange(description, interface, parameters, inputs, outputs)


def _of_steps(
    description: ModelDescription,
    interface: Interface,
    parameters: tuple[Scalar, ...],
    inputs: tuple[Scalar, ...],
    outputs: list[Unknown],
) -> Layout:
    found = _scalars([u.variable for u in outputs])
    names = _names([s.variable for s in (*parameters, *inputs, *found)])
    steps = (*[Function(Kind.STEP, i) for i in range(len(found))], Function(Kind.ENDS, 0))
    roles = (parameters, inputs, (), (), (), (), found)
    return Layout(description, interface, True, names, *roles, steps, has_events=False, starts_by_inputs=False)


def _of_exchange(
    description: ModelDescription,
    interface: Interface,
    parameters: tuple[Scalar, ...],
    inputs: list[FmuVariable],
    outputs: list[Unknown],
) -> Layout:
    variables, version = description.variables, description.version
    states = [state_of(u.variable, version, variables) for u in description.states]
    if len({v.reference for v in states}) != len(states):
        raise FmuError("two derivatives in its model description belong to the same state")
    known = _scalars([*states, *[v for v in inputs if v.variability == "continuous"]])
    continuous = [u for u in outputs if u.variable.variability == "continuous"]
    later = [u.variable for u in outputs if u.variable.variability != "continuous"]
    has_events = interface.has_state
    if not has_events and (description.indicators or later or any(v.variability != "continuous" for v in inputs)):
        message = "it has events, but its state cannot be saved and restored (canGetAndSetFMUState)"
        raise FmuError(message, "export it with this capability, or write fmu_cs for Co-Simulation")
    functions = [Function(Kind.START, i) for i in range(len(_scalars(states)))]
    for kind, unknowns in ((Kind.RATE, description.states), (Kind.OUTPUT, continuous)):
        places = [_depends(u, known) for u in unknowns for _ in range(u.variable.size)]
        functions += [Function(kind, i, depends) for i, depends in enumerate(places)]
    if interface.needs_steps:
        functions = _with_all_known(functions, len(known))
    functions += [Function(Kind.INDICATOR, i, tuple(range(len(known)))) for i in range(description.indicators)]
    found = _scalars(later)
    if has_events:
        functions += [Function(kind, 0) for kind in (Kind.EVENT, Kind.NEXT, Kind.ENDS)]
        functions += [Function(Kind.JUMP, i) for i in range(len(_scalars(states)))]
        functions += [Function(Kind.DISCRETE, i) for i in range(len(found))]
    given = [
        v
        for u in description.initial
        if u.variable in states
        for v in (inputs if u.dependencies is None else u.dependencies)
    ]
    return Layout(
        description,
        interface,
        False,
        _names([*[s.variable for s in (*parameters, *known)], *inputs, *[u.variable for u in outputs]]),
        parameters,
        _scalars(inputs),
        known,
        _scalars(states),
        _scalars([u.variable for u in description.states]),
        _scalars([u.variable for u in continuous]),
        found,
        tuple(functions),
        has_events,
        any(v.causality == "input" for v in given),
    )


def _with_all_known(functions: list[Function], count: int) -> list[Function]:
    """States and inputs that nothing depends on as arguments of the first rate or output, so that steps report them.

    Their values before count where the FMU has delays.
    """
    used = {i for f in functions for i in f.depends}
    unused = tuple([i for i in range(count) if i not in used])
    asked = next((f for f in functions if f.kind in (Kind.RATE, Kind.OUTPUT)), None)
    if asked is None or not unused:
        return functions
    first = Function(asked.kind, asked.item, tuple(sorted((*asked.depends, *unused))))
    return [first if f is asked else f for f in functions]


def _scalars(variables: list[FmuVariable]) -> tuple[Scalar, ...]:
    return tuple([Scalar(v, i) for v in variables for i in range(v.size)])


def _depends(unknown: Unknown, known: tuple[Scalar, ...]) -> tuple[int, ...]:
    if unknown.dependencies is None:
        return tuple(range(len(known)))
    named = {v.reference for v in unknown.dependencies}
    return tuple([i for i, s in enumerate(known) if s.variable.reference in named])


def excluded(layout: Layout) -> tuple[tuple[str, str], ...]:
    """Names that variables of the FMU would have in the class, which has not got them, and why."""
    found = []
    for v in layout.description.variables:
        if v.number not in layout.names:
            if v.type not in SCALARS:
                why = f"{v.name!r} is a {v.type} of the FMU: only numbers and truth values are exchanged"
            elif v.causality == "structuralParameter":
                size = f"{v.starts[0]:g}" if v.starts else "the value of the FMU"
                why = f"{v.name!r} is a structural parameter of the FMU, which cannot be changed: it remains {size}"
            elif v.clocked:
                why = f"{v.name!r} belongs to a clock of the FMU: clocks are not supported"
            else:
                why = f"{v.name!r} is inside the FMU ({v.causality}): name an input, output, parameter or state"
            found.append((_class_name(v), why))
    return tuple(found)


def _class_name(v: FmuVariable) -> str:
    return identifier(re.sub(r"[^A-Za-z0-9_]+", "_", v.name).rstrip("_"))


def _names(variables: list[FmuVariable]) -> dict[int, str]:
    """Names in the class by the numbers of variables; FmuError where two become the same."""
    names: dict[int, str] = {}
    owners: dict[str, FmuVariable] = {}
    for v in variables:
        name = _class_name(v)
        other = owners.setdefault(name, v)
        if other.number != v.number or name == "fmu_interval" or name.startswith("fmu__"):
            clash = f"{other.name!r} and {v.name!r}" if other.number != v.number else f"{v.name!r}"
            raise FmuError(f"its variables {clash} cannot both be called {name}", "rename one of them in the FMU")
        names[v.number] = name
    return names
