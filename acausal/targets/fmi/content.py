"""Contents of a model description, for both versions of FMI."""

from collections.abc import Sequence
from re import sub

from acausal.base.frozen import record
from acausal.ir.experiment import Experiment
from acausal.ir.names import Symbol
from acausal.ir.program.program import Program
from acausal.targets.fmi.elements import elements
from acausal.targets.fmi.grouping import FmuVariable, variables_of
from acausal.targets.fmi.start_values import WithStarts
from acausal.targets.fmi.state_names import with_common_states
from acausal.targets.fmi.structure import Dependencies
from acausal.version import __version__

TOOL = f"acausal {__version__}"
CATEGORIES = (
    ("logEvents", "events and what has changed at them"),
    ("logStatusWarning", "warnings"),
    ("logStatusDiscard", "steps that cannot be done"),
    ("logStatusError", "errors"),
)
"""Categories of messages, in the order of the C code."""


@record(frozen=True, slots=True)
class Unknown:
    """An entry of the model structure: value references of a variable and of what it depends on; None: on all."""

    variable: int
    dependencies: tuple[int, ...] | None = None


@record(frozen=True, slots=True)
class Content:
    """A model as FMI sees it.

    `token` identifies it (empty until all else is known), `state_order` is the position in y of each FMI state,
    `starts` that of its start value in p for each state in y (None: it is calculated).
    """

    name: str
    identifier: str
    token: str
    variables: tuple[FmuVariable, ...]
    outputs: tuple[Unknown, ...]
    derivatives: tuple[Unknown, ...]
    initial: tuple[Unknown, ...]
    indicators: int
    experiment: Experiment
    state_order: tuple[int, ...]
    starts: tuple[int | None, ...]
    reinitializes: bool


def content_of(given: WithStarts, name: str, version: int, others: Sequence[Program] = ()) -> Content:
    """The content for FMI 2 or 3; `others` are programs with other sets of states.

    With these, there is an event indicator more: where it crosses zero other states are selected.
    """
    model = given.model
    sets = (model.program, *others)
    program, flat = with_common_states(sets), model.stages.flat
    indicators = max([one.table.crossings for one in sets]) + (len(sets) > 1)
    found = elements(program, flat, model.folded, given.states)
    variables = variables_of(found, indicators, with_arrays=version > 2)
    owners = {symbol: v.reference for v in variables for symbol in v.symbols}
    states = [slot.symbol for slot in program.state_slots]
    rates = list(dict.fromkeys([owners[rate_of(symbol)] for symbol in states]))
    positions = program.state_positions
    order = tuple([positions[state_of(symbol)] for r in rates for symbol in variables[r].symbols])
    structure = _Structure(sets, variables, owners, [owners[symbol] for symbol in states])
    return Content(
        program.name,
        identifier_of(name),
        "",
        variables,
        tuple([structure.unknown(v) for v in variables if v.attributes.causality == "output"]),
        tuple([structure.unknown(variables[r]) for r in rates]),
        structure.initial(rates),
        indicators,
        program.experiment,
        order,
        given.states.starts,
        bool(program.table.restarts) or len(sets) > 1,
    )


def rate_of(symbol: Symbol) -> Symbol:
    """The derivative of a variable."""
    return symbol[0], symbol[1] + 1


def state_of(symbol: Symbol) -> Symbol:
    """The variable of a derivative."""
    return symbol[0], symbol[1] - 1


def identifier_of(name: str) -> str:
    """A name of C made from the name of a file."""
    found = sub(r"[^A-Za-z0-9_]", "_", name)
    return f"_{found}" if found[:1].isdigit() else found or "model"


class _Structure:
    """Unknowns and what they depend on; `states` are references."""

    def __init__(
        self, sets: Sequence[Program], variables: tuple[FmuVariable, ...], owners: dict[Symbol, int], states: list[int]
    ) -> None:
        program = sets[0]
        self._dependencies = Dependencies(sets)
        self._states = states
        self._variables = variables
        frozen = len(program.table.frozen)
        self._known = {("time", 0): 0}
        self._known |= {("state", i): owner for i, owner in enumerate(self._states)}
        inputs = enumerate(program.input_slots, frozen)
        self._known |= {("input", i): owners[symbol] for i, symbol in inputs if symbol in owners}

    def unknown(self, variable: FmuVariable) -> Unknown:
        """A variable with its dependencies."""
        found: set[int] = set()
        for place in variable.places:
            known = self._dependencies.of(place.kind, place.position)
            found.update(self._known[k] for k in known if k in self._known)
        return Unknown(variable.reference, tuple(sorted(found)))

    def initial(self, rates: list[int]) -> tuple[Unknown, ...]:
        """Unknowns of the first instant, in ascending order; they depend on all that is known there."""
        always = {*self._states, *rates}
        found = []
        for v in self._variables:
            a = v.attributes
            wanted = a.causality in ("output", "calculatedParameter") or v.reference in always
            if wanted and a.initial == "calculated":
                found.append(Unknown(v.reference))
        return tuple(found)
