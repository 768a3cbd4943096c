"""The solved model: what to compute, in which order, still in expressions.

A plan is a sequence of steps; each step gives values to its targets from what is
known before it: time, parameters, inputs, states, and targets of earlier steps.
"""

from typing import TYPE_CHECKING

from acausal.base.frozen import record
from acausal.ir.dae import Alias, Choice, Delay, UnitInput
from acausal.ir.events import NO_EVENTS, Events
from acausal.ir.experiment import Experiment
from acausal.ir.expr import Expr
from acausal.ir.flat import Parameter, RunCondition, Variable
from acausal.ir.graph import LeastNorm
from acausal.ir.kinds import SolutionKind
from acausal.ir.origin import Origin

if TYPE_CHECKING:
    from acausal.ir.pool import Pool


@record(frozen=True, slots=True)
class Assign:
    """`target = value`."""

    target: Expr
    value: Expr
    origin: Origin


@record(frozen=True, slots=True)
class SolveLinear:
    """`matrix * targets = right`: a linear system left after tearing, square, dense, row by row.

    `size` is the number of equations before tearing. The inner unknowns follow as
    `Assign` steps. A system that may be singular in some mode has a `norm` (`runtime/blocks/least_norm`),
    a badly scaled one is `refined` (`runtime/blocks/refined`).
    """

    targets: tuple[Expr, ...]
    matrix: tuple[tuple[Expr, ...], ...]
    right: tuple[Expr, ...]
    size: int
    origins: tuple[Origin, ...]
    norm: LeastNorm | None = None
    refined: bool = False


@record(frozen=True, slots=True)
class SolveNonlinear:
    """`residuals = 0` for the targets, by Newton from the last solution.

    `inner` are assignments in terms of the targets (the torn part) that residuals and
    jacobian use; `jacobian[i][j]` is d residuals[i] / d targets[j], inner unknowns already
    eliminated by the chain rule. `guesses` (parameter expressions) start the first solution.
    The inner targets get their final values from `Assign` steps that follow.
    """

    targets: tuple[Expr, ...]
    inner: tuple[Assign, ...]
    residuals: tuple[Expr, ...]
    jacobian: tuple[tuple[Expr, ...], ...]
    guesses: tuple[Expr, ...]
    nominals: tuple[float, ...]
    size: int
    origins: tuple[Origin, ...]


Step = Assign | SolveLinear | SolveNonlinear


@record(frozen=True, slots=True)
class BlockSummary:
    """Solution method of one block: `kind` is explicit, linear or nonlinear.

    `inner` are the equations (their positions in the block) that each give an unknown once the tearing
    variables `tears` are known, in order; `residuals` are the positions of those that are left for the tears.
    """

    kind: SolutionKind
    unknowns: tuple[Expr, ...]
    tears: tuple[Expr, ...] = ()
    residuals: tuple[int, ...] = ()
    inner: tuple[tuple[int, Expr], ...] = ()


@record(frozen=True, slots=True)
class Wave:
    """A sine of time with the angular rate `rate` (rad/s), where all `conditions` are positive.

    These, and the exponent `decay` of its amplitude, are rate*time + rest, of parameters alone; None where the
    amplitude is not known to decay.
    """

    rate: Expr
    conditions: tuple[tuple[Expr, Expr], ...] = ()
    decay: tuple[Expr, Expr] | None = None


@record(frozen=True, slots=True)
class SolvePlan:
    """All that code generation needs.

    `states`: leaves x (of any order); the run integrates d x / dt = the leaf of the next
    order. `steps` compute all unknowns from the states, `initial_steps` everything,
    states included, from parameters and time. `outputs` restrict what is computed and stored
    (empty: all variables). Step targets include derivatives and dummy derivatives.
    `blocks` summarises the blocks of `steps` in order. What is `undetermined` has a value of minimum norm, always or
    in some mode: the equations do not determine it.
    """

    name: str
    pool: "Pool"
    parameters: tuple[Parameter, ...]
    folded: tuple[Expr, ...]
    inputs: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    aliases: tuple[Alias, ...]
    states: tuple[Expr, ...]
    steps: tuple[Step, ...]
    initial_steps: tuple[Step, ...]
    conditions: tuple[RunCondition, ...]
    outputs: tuple[Expr, ...]
    experiment: Experiment
    blocks: tuple[BlockSummary, ...] = ()
    events: Events = NO_EVENTS
    choices: tuple[Choice, ...] = ()
    delays: tuple[Delay, ...] = ()
    units: tuple[UnitInput, ...] = ()
    waves: tuple[Wave, ...] = ()
    undetermined: tuple[Expr, ...] = ()
