"""Slots of a program: where the values of parameters, states, variables and events stand in its arrays."""

from acausal.base.frozen import record
from acausal.ir.external import FmuFile
from acausal.ir.kinds import ConditionKind, FrozenKind, NoRelation, RelationOp, RunConditionKind, SlotKind, ValueType
from acausal.ir.names import Name, Symbol
from acausal.ir.origin import Origin


@record(frozen=True, slots=True)
class ParameterSlot:
    """p[i]: `value` is that of the translation; `bound` if `setup` computes it unless it is given.

    `low` and `high` are its limits, where these are numbers.
    """

    name: Name
    value: float
    type: str
    bound: bool = False
    constant: bool = False
    unit: str | None = None
    description: str | None = None
    low: float | None = None
    high: float | None = None


@record(frozen=True, slots=True)
class TextSlot:
    """A string parameter of a submodel; `folder` is that of the file in which the submodel is declared."""

    name: Name
    value: str
    folder: str


@record(frozen=True, slots=True)
class StateSlot:
    """y[i]; its nominal value is p[nominal], if it has one; `origin` is that of the equation for its derivative."""

    symbol: Symbol
    nominal: int | None = None
    origin: Origin | None = None


@record(frozen=True, slots=True)
class VariableSlot:
    """Slot of a variable's value.

    `kind` is `stored` (the results of `variables`), `parameter` (p, hoisted values
    included), `constant` (`value`) or `time`; the value found is multiplied by `sign`.
    A `visible` one is written to result files by default. One that is not `unique` is a reaction of redundant
    constraints: one of many that give the same motion, at all times or in some mode.
    """

    symbol: Symbol
    kind: SlotKind
    position: int = 0
    sign: float = 1.0
    value: float = 0.0
    type: str = "real"
    unit: str | None = None
    description: str | None = None
    visible: bool = False
    unique: bool = True


@record(frozen=True, slots=True)
class ConditionSlot:
    """An `assert` or `terminate`: its truth is at `position` of the results of `variables`."""

    kind: RunConditionKind
    text: str
    position: int
    origin: Origin


@record(frozen=True, slots=True)
class FrozenSlot:
    """u[i]: a value that changes at events only; `kind` and `relation` as in `ir.events.Frozen`.

    `now` is the first of its results of `events`; `clock` that of its (rate, rest), if time alone
    changes it; `crossing` its position in the results of `crossings`; `start` that of the first value in p.
    `text` is the relation or condition as the model has it; `interval` is where p has that of a sample, if parameters
    determine it. What is `internal` the model does not name. `continuous` as in `ir.events.Frozen`. `reads` has bit k
    for the frozen value `reads_first` + k that what crosses is computed from, `reads_states` tells whether states are
    among it. Exported programs know which relations `may_rest` (`causalize/events/rest`).
    """

    name: Name
    kind: FrozenKind
    type: ValueType
    origin: Origin
    now: int
    relation: RelationOp | NoRelation = ""
    clock: int | None = None
    crossing: int | None = None
    start: int | None = None
    text: str = ""
    interval: int | None = None
    internal: bool = False
    continuous: bool = False
    reads_first: int = 0
    reads: int = 0
    reads_states: bool = False
    may_rest: bool = False


@record(frozen=True, slots=True)
class RestartSlot:
    """`init`: results `position` of `events` are whether it fires, the new value, and the value now.

    `state` is where the variable is in y, with `sign`; None for one that is no state.
    """

    text: str
    position: int
    origin: Origin
    state: int | None = None
    sign: float = 1.0
    order: int = 0


@record(frozen=True, slots=True)
class AnnouncementSlot:
    """`assert` or `terminate` in a `when`: results from `position` are whether it is examined, and its truth."""

    kind: ConditionKind
    text: str
    position: int
    origin: Origin


@record(frozen=True, slots=True)
class EventTable:
    """Slots of all that events need; `results` and `crossings` are the lengths of the routines' results.

    The first `watched` crossings are events; those behind are turning points of these, so that no double crossing
    is missed. Those of `hidden` have no turning points known by formula; for them the last crossing of all is. The last
    `jumps` of them are zero where others jump or have poles. The one at `phase` is the largest square of an angular
    velocity (`runtime/phase_checks`), None without sines; those of `angles` are angles whose velocities no formula
    gives.
    """

    frozen: tuple[FrozenSlot, ...] = ()
    restarts: tuple[RestartSlot, ...] = ()
    announcements: tuple[AnnouncementSlot, ...] = ()
    results: int = 0
    crossings: int = 0
    watched: int = 0
    hidden: tuple[int, ...] = ()
    phase: int | None = None
    angles: tuple[int, ...] = ()
    jumps: int = 0


@record(frozen=True, slots=True)
class ChoiceSlot:
    """A choice of states (`ir.dae.Choice`): its matrix is at `position` of the results of `choices`, row by row.

    `dummies` are positions in `candidates`; `weights` are how much the columns count.
    """

    candidates: tuple[Symbol, ...]
    dummies: tuple[int, ...]
    weights: tuple[float, ...]
    position: int


@record(frozen=True, slots=True)
class ChoiceTable:
    """All choices; `values` are the variables that may become states, first among the results of `choices`."""

    slots: tuple[ChoiceSlot, ...] = ()
    values: tuple[Symbol, ...] = ()
    results: int = 0


@record(frozen=True, slots=True)
class DelaySlot:
    """A delay, the input `name`: results 2k and 2k + 1 of the routine `delayed` are its argument and its length."""

    name: Name
    origin: Origin


@record(frozen=True, slots=True)
class UnitSlot:
    """A functional mock-up unit: the input `name` is the number of the running unit."""

    name: Name
    file: FmuFile
    origin: Origin


@record(frozen=True, slots=True)
class WaveSlot:
    """Positions in p of what `ir.plan.Wave` says of a sine of time."""

    rate: int
    conditions: tuple[tuple[int, int], ...] = ()
    decay: tuple[int, int] | None = None


NO_CHOICES = ChoiceTable()
NO_TABLE = EventTable()
