"""The generated program: straight-line code (`ir/program/instructions`), every register written once, and its slots.

All back ends translate the same program, so they compute the same numbers.

Arrays of a compiled routine, all float64 (`int32 f(t, y, u, p, m, out)`):
y states, u frozen values and behind them inputs, p parameters and behind them hoisted values, m memory (start values of
nonlinear blocks, behind them the record of their branches and a work area), out the results.

| routine | out | remarks |
| --- | --- | --- |
| setup | p | u[i] is not 0 where parameter i is given; computes the other bindings, then the hoisted values |
| initial | states, then results as of choices | fills the start values in m |
| derivatives | dy/dt | |
| variables | all stored variables, then the conditions (1 or 0) | |
| events | what the frozen values are to become, restarts and announcements | as their slots say |
| crossings | values whose change of sign is an event | |
| choices | what a change of states needs | values of `ChoiceTable.values`, then the matrices |

A routine returns 0, or k if `blocks[k-1]` could not be solved.
"""

from acausal.base.frozen import record
from acausal.ir.experiment import Experiment
from acausal.ir.kinds import BlockKind
from acausal.ir.names import Name, Symbol
from acausal.ir.origin import Origin
from acausal.ir.program.instructions import NO_CODE, Routine, newton_blocks
from acausal.ir.program.slots import (
    NO_CHOICES,
    NO_TABLE,
    ChoiceTable,
    ConditionSlot,
    DelaySlot,
    EventTable,
    ParameterSlot,
    StateSlot,
    TextSlot,
    UnitSlot,
    VariableSlot,
    WaveSlot,
)

ROUTINES = ("setup", "initial", "derivatives", "variables", "events", "crossings", "choices", "delayed")


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
    m: start values of nonlinear blocks (first the `followed` ones: unknowns of blocks that the derivatives solve, and
    behind them rates of `driven` states; last these rates again, rates of all that is followed, and the time between
    points), the record of their branches (`tracking` numbers, `runtime/branches/branch_record`), their work area, the
    `frame` of routines cut into parts, and where routines are interpolated (`runtime/branches/removable`) the
    `interpolation` from `interpolation_start` on.
    Rates do not need the last `beside` of the followed ones; `is_timed` if time moves blocks with several solutions,
    `driven` are the states that move such blocks and whose rate is no state.
    Behind the states come `slopes` times as many, each with the Jacobian of the states, if that is taken for both.
    The last `recorded` of the `delays` have no length: runs record them, nothing reads them.
    `waves` are the sines of time that limit the steps of a solver, `texts` the string parameters,
    `units` functional mock-up units, and
    `unit_calls` how many arguments calls of their functions have.
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
    recorded: int = 0
    slopes: int = 0
    waves: tuple[WaveSlot, ...] = ()
    frame: int = 0
    tracking: int = 0
    followed: int = 0
    beside: int = 0
    is_timed: bool = False
    driven: tuple[int, ...] = ()
    interpolation: int = 0
    texts: tuple[TextSlot, ...] = ()
    units: tuple[UnitSlot, ...] = ()
    unit_calls: tuple[int, ...] = ()

    @property
    def input_size(self) -> int:
        """Length of u: frozen values, then inputs."""
        return len(self.table.frozen) + len(self.input_slots)

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
        stores = [(store.value, code[store.args[0]]) for store in code if store.op == "store"]
        return tuple(
            [(i, s.value) for i, s in stores if s.op == "state" and isinstance(i, int) and isinstance(s.value, int)]
        )

    @property
    def turning(self) -> tuple[int, ...]:
        """The places in `moving` of states whose position moves nonlinear blocks of the derivatives."""
        code = self.derivatives.code
        stack = [a for i in code if i.op == "newton_solve" for a in i.args]
        seen = bytearray(len(code))
        positions = set[int]()
        while stack:
            register = stack.pop()
            if not seen[register]:
                seen[register] = 1
                stack += code[register].args
                state = code[register].value
                if code[register].op == "state" and isinstance(state, int):
                    positions.add(state)
        return tuple([k for k, (position, _) in enumerate(self.moving) if position in positions])

    @property
    def moving_inputs(self) -> tuple[tuple[int, int], ...]:
        """The places in u of the inputs that move blocks and whose derivative is an input, with that one's."""
        at = {symbol: i for i, symbol in enumerate(self.input_slots, len(self.table.frozen))}
        pairs = [(i, at.get((name, order + 1))) for (name, order), i in at.items()]
        is_moved = self.followed and (self.is_timed or not self.state_slots)
        return tuple([(i, rate) for i, rate in pairs if rate is not None]) if is_moved else ()

    @property
    def near_singular(self) -> tuple[str, ...]:
        """Routines whose results are interpolated next to singular blocks (`runtime/branches/near_singular`).

        All but rows compare pivots with those of the derivatives, whose blocks they have to begin with.
        """
        if not self.followed or not (self.moving or self.driven or self.is_timed or not self.state_slots):
            return ()
        of_rates = newton_blocks(self.derivatives)
        others = {"events": self.events, "crossings": self.crossings, "choices": self.choices}
        found = {name: newton_blocks(routine) for name, routine in others.items()}
        names = [name for name, blocks in found.items() if blocks and blocks == of_rates[: len(blocks)]]
        return ("variables", *names) if newton_blocks(self.variables) else tuple(names)

    @property
    def is_judged(self) -> bool:
        """True if blocks may move fast while the states, whose errors limit the steps of a solver, do not."""
        return bool(self.state_slots) and (self.is_timed or self.beside > 0)

    @property
    def block_of_followed(self) -> list[int]:
        """The number of the block of each of the followed unknowns, which stand before rates of states."""
        number_of = {t: i for i, b in enumerate(self.blocks, 1) if b.routine == "run" for t in b.targets}
        last = self.followed - len(self.driven)
        return [number_of[symbol] for symbol in self.memory_slots[:last]]

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


def routine_of(program: Program, name: str) -> Routine:
    """The routine of that name, one of `ROUTINES`."""
    return {
        "setup": program.setup,
        "initial": program.initial,
        "derivatives": program.derivatives,
        "variables": program.variables,
        "events": program.events,
        "crossings": program.crossings,
        "choices": program.choices,
        "delayed": program.delayed,
    }[name]
