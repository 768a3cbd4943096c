"""The generated program: straight-line code, every register written once.

A routine is a tuple of instructions; instruction number k gives register k. All
back ends translate the same program, so they compute the same numbers.

    0  state 0            what is loaded: state, input, parameter, memory, time, const
    1  parameter 3
    2  mul %0 %1          operators and functions of `ir/ops.py`, two arguments at most,
    3  store 0 %2         and `sub`, `div`; `store` writes the routine's result

Arrays of a compiled routine, all float64 (`int32 f(t, y, u, p, m, out)`):
y states, u held values and behind them inputs, p parameters and behind them hoisted values, m memory (start values of
nonlinear blocks, behind them the record of their branches and a work area), out the results.

| routine | out | remarks |
| --- | --- | --- |
| setup | p | u[i] is not 0 where parameter i is given; computes the other bindings, then the hoisted values |
| initial | states, then results as of choices | fills the start values in m |
| derivatives | dy/dt | |
| variables | all stored variables, then the conditions (1 or 0) | |
| events | what the held values are to become, restarts and announcements | as their slots say |
| crossings | values whose change of sign is an event | |
| choices | what a change of states needs | values of `ChoiceTable.values`, then the matrices |

A routine returns 0, or k if `blocks[k-1]` could not be solved.
"""

from typing import NamedTuple

from acausal.base.frozen import record
from acausal.ir.flat import Experiment
from acausal.ir.kinds import (
    BlockKind,
    ConditionKind,
    HeldKind,
    InstructionOp,
    NoRelation,
    RelationOp,
    RunConditionKind,
    SlotKind,
    ValueType,
)
from acausal.ir.least_norm import LeastNorm
from acausal.ir.names import Name
from acausal.ir.origin import Origin

Symbol = tuple[Name, int]
"""A variable: its name and the order of the derivative."""

LOADS = ("state", "input", "parameter", "memory", "captured", "unknown")
"""Loads with a position; `captured` and `unknown` only in the residuals of a nonlinear block."""

EFFECTS = ("store", "keep")
"""Instructions without a register of their own: `store` to out, `keep` to memory."""

ROUTINES = ("setup", "initial", "derivatives", "variables", "events", "crossings", "choices", "delayed")


@record(frozen=True, slots=True)
class Operations:
    """Operations of a routine: `mul` without `div`, `functions` all others that cost time."""

    mul: int = 0
    add: int = 0
    div: int = 0
    neg: int = 0
    functions: int = 0


@record(frozen=True, slots=True)
class LinearSolve:
    """A x = b; the arguments of the instruction are A row by row, then b.

    With a `norm` reactions have minimum norm where A is singular (`runtime/blocks/least_norm`); a solution that is
    `refined` is accurate where A is badly scaled (`runtime/blocks/refined`).
    """

    size: int
    block: int
    norm: LeastNorm | None = None
    refined: bool = False


@record(frozen=True, slots=True)
class LinearFactor:
    """A = P L U in `setup`, kept in p from `position` on: L and U row by row, pivots, then 0 (nan if singular).

    The arguments of the instruction are A row by row.
    """

    size: int
    position: int


@record(frozen=True, slots=True)
class FactoredSolve:
    """A x = b where `setup` has factored A; the arguments of the instruction are b."""

    size: int
    block: int
    position: int


@record(frozen=True, slots=True)
class LinearColumns:
    """A X = B with so many `columns`, in the code of a Jacobian; the arguments are A row by row, then B by columns."""

    size: int
    block: int
    columns: int


@record(frozen=True, slots=True)
class NewtonSolve:
    """residuals(x) = 0; the arguments are what is captured, then the start values of x.

    The routine `residuals` loads `captured` and `unknown` and stores the residuals, then
    their Jacobian row by row. `nominals` scale the unknowns.
    """

    size: int
    block: int
    nominals: tuple[float, ...]
    residuals: "Routine"


class Instruction(NamedTuple):
    """`op` with registers `args`; `value` as the operation needs it.

    const: float; boolean: bool; a load: position; store and keep: position;
    linear_solve, factored_solve, linear_columns, newton_solve: the record above, results taken by `extract` (position);
    linear_factor: the record above, only in `setup`.
    """

    op: InstructionOp
    args: tuple[int, ...] = ()
    value: float | bool | int | LinearSolve | LinearFactor | FactoredSolve | LinearColumns | NewtonSolve | None = None


@record(frozen=True, slots=True)
class Routine:
    """Instructions in order; `names` says which variable is in which register."""

    code: tuple[Instruction, ...]
    operations: Operations
    names: tuple[tuple[int, Symbol], ...] = ()


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
    A `visible` one is written to result files by default.
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


@record(frozen=True, slots=True)
class ConditionSlot:
    """An `assert` or `terminate`: its truth is at `position` of the results of `variables`."""

    kind: RunConditionKind
    text: str
    position: int
    origin: Origin


@record(frozen=True, slots=True)
class HeldSlot:
    """u[i]: a value that changes at events only; `kind` and `relation` as in `ir.events.Held`.

    `now` is the first of its results of `events`; `clock` that of its (rate, rest), if time alone
    changes it; `crossing` its position in the results of `crossings`; `start` that of the first value in p.
    `text` is the relation or condition as the model has it; `interval` is where p has that of a sample, if parameters
    determine it. What is `internal` the model does not name. `continuous` as in `ir.events.Held`.
    """

    name: Name
    kind: HeldKind
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
    """`assert` or `terminate` in a `when`: results from `position` are whether it is looked at, and its truth."""

    kind: ConditionKind
    text: str
    position: int
    origin: Origin


@record(frozen=True, slots=True)
class EventTable:
    """Slots of all that events need; `results` and `crossings` are the lengths of the routines' results.

    The first `watched` crossings are events; those behind are turning points of these, so that no double crossing
    is missed.
    """

    held: tuple[HeldSlot, ...] = ()
    restarts: tuple[RestartSlot, ...] = ()
    announcements: tuple[AnnouncementSlot, ...] = ()
    results: int = 0
    crossings: int = 0
    watched: int = 0


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
    """A delay: `name` is the input that it is; the routine `delayed` has what is kept at 2k, how long at 2k + 1."""

    name: Name
    origin: Origin


@record(frozen=True, slots=True)
class WaveSlot:
    """Positions in p of what `ir.plan.Wave` says of a sine of time."""

    rate: int
    conditions: tuple[tuple[int, int], ...] = ()
    decay: tuple[int, int] | None = None


NO_CHOICES = ChoiceTable()
NO_TABLE = EventTable()
NO_CODE = Routine((), Operations())


@record(frozen=True, slots=True)
class Block:
    """A block solved numerically; `kind` linear or nonlinear, `size` before tearing, `routine` initial or run.

    `redundant`: its equations depend on each other in some mode.
    """

    kind: BlockKind
    routine: str
    size: int
    targets: tuple[Symbol, ...]
    origins: tuple[Origin, ...]
    redundant: bool = False


@record(frozen=True, slots=True)
class Program:
    """Everything a back end and a run need; no expressions.

    `variables` begins with the first `shared` instructions of `derivatives`.
    m: start values of nonlinear blocks (first the `followed` ones, whose blocks the derivatives solve, and last the
    rates of these, with the time between points), the record of their branches (`tracking` numbers,
    `runtime/blocks/branch`), their work area, the `frame` of routines cut into parts, and where routines are
    interpolated (`runtime/blocks/removable`) the `interpolation` from `interpolation_start` on.
    `waves` are the sines of time that limit the steps of a solver.
    Lengths: y `len(state_slots)`, u `input_size`, p `parameter_size`, m `memory_size`,
    results as `result_size` says.
    """

    name: str
    parameter_slots: tuple[ParameterSlot, ...]
    hoisted: int
    state_slots: tuple[StateSlot, ...]
    input_slots: tuple[Symbol, ...]
    variable_slots: tuple[VariableSlot, ...]
    conditions: tuple[ConditionSlot, ...]
    stored: int
    memory: int
    workspace: int
    shared: int
    blocks: tuple[Block, ...]
    setup: Routine
    initial: Routine
    derivatives: Routine
    variables: Routine
    experiment: Experiment
    table: EventTable = NO_TABLE
    events: Routine = NO_CODE
    crossings: Routine = NO_CODE
    choice_table: ChoiceTable = NO_CHOICES
    choices: Routine = NO_CODE
    memory_slots: tuple[Symbol, ...] = ()
    delays: tuple[DelaySlot, ...] = ()
    delayed: Routine = NO_CODE
    waves: tuple[WaveSlot, ...] = ()
    frame: int = 0
    tracking: int = 0
    followed: int = 0
    interpolation: int = 0

    @property
    def input_size(self) -> int:
        """Length of u: held values, then inputs."""
        return len(self.table.held) + len(self.input_slots)

    def result_size(self, routine: str) -> int:
        """Length of out."""
        sizes = {
            "setup": self.parameter_size,
            "variables": self.stored_size,
            "events": self.table.results,
            "crossings": self.table.crossings,
            "choices": self.choice_table.results,
            "delayed": 2 * len(self.delays),
            "initial": len(self.state_slots) + self.choice_table.results,
        }
        return sizes.get(routine, len(self.state_slots))

    @property
    def parameter_size(self) -> int:
        """Length of p."""
        return len(self.parameter_slots) + self.hoisted

    @property
    def memory_size(self) -> int:
        """Length of m."""
        return self.interpolation_start + self.interpolation

    @property
    def interpolation_start(self) -> int:
        """Position in m of the numbers for interpolation."""
        return self.work + self.workspace + self.frame

    @property
    def moving(self) -> tuple[tuple[int, int], ...]:
        """The states whose rate is another state, with that one."""
        code = self.derivatives.code
        stores = [(i.value, code[i.args[0]]) for i in code if i.op == "store"]
        return tuple(
            [(i, s.value) for i, s in stores if s.op == "state" and isinstance(i, int) and isinstance(s.value, int)]
        )

    @property
    def near_singular(self) -> tuple[str, ...]:
        """Routines whose results are interpolated next to singular blocks (`runtime/blocks/near_singular`).

        All but rows compare pivots with those of the derivatives, whose blocks they have to begin with.
        """
        if not self.followed or not self.moving:
            return ()
        of_rates = _newton_blocks(self.derivatives)
        others = {"events": self.events, "crossings": self.crossings, "choices": self.choices}
        found = {name: _newton_blocks(routine) for name, routine in others.items()}
        names = [name for name, blocks in found.items() if blocks and blocks == of_rates[: len(blocks)]]
        return ("variables", *names) if _newton_blocks(self.variables) else tuple(names)

    @property
    def follows_rows(self) -> bool:
        """True if there are nonlinear blocks that the derivatives do not solve: their branches go from row to row."""
        return _newton_solves(self.variables) > _newton_solves(self.derivatives)

    @property
    def work(self) -> int:
        """Position of the workspace in m."""
        return self.memory + self.tracking

    @property
    def stored_size(self) -> int:
        """Length of the results of `variables`: stored variables and conditions."""
        return self.stored + len(self.conditions)

    @property
    def parameter_positions(self) -> dict[Name, int]:
        """Position of each parameter in p."""
        return {slot.name: i for i, slot in enumerate(self.parameter_slots)}

    @property
    def state_positions(self) -> dict[Symbol, int]:
        """Position of each state in y."""
        return {slot.symbol: i for i, slot in enumerate(self.state_slots)}


def _newton_solves(routine: Routine) -> int:
    return len(_newton_blocks(routine))


def _newton_blocks(routine: Routine) -> list[int]:
    return [i.value.block for i in routine.code if i.op == "newton_solve" and isinstance(i.value, NewtonSolve)]
