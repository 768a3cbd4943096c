"""The scalar system between flattening and solving, one type a stage.

`Dae` (scalar equations) -> `Dae` without aliases -> `ReducedDae` (index 1) ->
`StateSelection` -> `SortedDae`. Unknowns are variable leaves; the derivative of an
unknown is the leaf of the next order.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import record
from acausal.ir.events import NO_EVENTS, Events, When
from acausal.ir.experiment import Experiment
from acausal.ir.expr import Expr
from acausal.ir.external import FmuFile
from acausal.ir.flat import Equation, Parameter, RunCondition, Variable
from acausal.ir.graph import Block, Incidence, Reduction
from acausal.ir.origin import Origin

if TYPE_CHECKING:
    from acausal.ir.pool import Pool


@record(frozen=True, slots=True)
class Alias:
    """A variable that is plus or minus another one, or a parameter expression.

    `because` are the equations that say so, from the variable to its value.
    """

    variable: Variable
    value: Expr
    origin: Origin
    because: tuple[Equation, ...] = ()


@record(frozen=True, slots=True)
class Delay:
    """`symbol` is known: what `value` was `time` (seconds, of parameters alone) ago."""

    symbol: Expr
    value: Expr
    time: Expr
    origin: Origin


@record(frozen=True, slots=True)
class UnitInput:
    """`symbol` is known: the number of the running unit (`ir.external`)."""

    symbol: Expr
    file: FmuFile
    origin: Origin


@record(frozen=True, slots=True)
class Redundancy:
    """A block of these `unknowns` that is singular in some mode, where only `reactions` are undetermined.

    Those that are `measured` have minimum norm then; reactions of two elements stand there twice.
    """

    reactions: tuple[Expr, ...]
    measured: tuple[Expr, ...]
    unknowns: tuple[Expr, ...]


@record(frozen=True, slots=True)
class Dae:
    """Scalar equations in the unknown `variables`; `inputs` are known signals.

    `whens` are as written until `lift_events` makes `events` of them.
    `folded` lists parameters whose value 0, 1 or -1 went into the equations: another
    value needs another translation. `undetermined` are reactions of redundant constraints that were removed: their
    values, of minimum norm, are not unique. Those that are `measured` count in this norm, of two elements twice.
    """

    name: str
    pool: "Pool"
    parameters: tuple[Parameter, ...]
    folded: tuple[Expr, ...]
    inputs: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    equations: tuple[Equation, ...]
    initial_equations: tuple[Equation, ...]
    conditions: tuple[RunCondition, ...]
    aliases: tuple[Alias, ...]
    experiment: Experiment
    notes: tuple[Diagnostic, ...] = ()
    whens: tuple[When, ...] = ()
    events: Events = NO_EVENTS
    delays: tuple[Delay, ...] = ()
    units: tuple[UnitInput, ...] = ()
    redundancies: tuple[Redundancy, ...] = ()
    undetermined: tuple[Expr, ...] = ()
    measured: tuple[Expr, ...] = ()


@record(frozen=True, slots=True)
class ReducedDae:
    """The system after index reduction.

    `equations` holds the equations of `dae` and behind them the differentiated ones;
    `unknowns` lists every leaf that occurs, derivatives included, `incidence` which of them each
    equation has. `index` says which of them is the derivative of which.
    """

    dae: Dae
    equations: tuple[Equation, ...]
    unknowns: tuple[Expr, ...]
    incidence: Incidence
    index: Reduction


@record(frozen=True, slots=True)
class Choice:
    """A place where the states could be others: of the `candidates` as many are `dummies` as `matrix` has rows.

    matrix[i][j] is the derivative of the i-th differentiated equation with respect to candidate j. The
    choice is good as long as its columns of the dummies are well conditioned; `wanted[j]` is how much the
    variable of candidate j is wanted as a state (`structure.dummy`: NEVER to ALWAYS).
    """

    candidates: tuple[Expr, ...]
    dummies: tuple[Expr, ...]
    matrix: tuple[tuple[Expr, ...], ...]
    wanted: tuple[float, ...]

    @property
    def varies(self) -> bool:
        """True if a run may come to where the choice is a bad one."""
        return any(entry.varies for row in self.matrix for entry in row)


@record(frozen=True, slots=True)
class StateSelection:
    """A choice of states; derivatives in `dummies` are ordinary unknowns.

    `unknowns` are what the equations of `reduced` are solved for when the states are
    known: as many as there are equations. `choices` may change during a run.
    """

    reduced: ReducedDae
    states: tuple[Expr, ...]
    dummies: tuple[Expr, ...]
    unknowns: tuple[Expr, ...]
    choices: tuple[Choice, ...] = ()

    def with_redundancies(self, found: Iterable[Redundancy], notes: Iterable[Diagnostic]) -> "StateSelection":
        """The same with what was found of its blocks."""
        dae = self.reduced.dae
        dae = replace(dae, redundancies=tuple(found), notes=(*dae.notes, *notes))
        return replace(self, reduced=replace(self.reduced, dae=dae))

    def with_folded(self, parameters: tuple[Expr, ...]) -> "StateSelection":
        """The same for these values of further parameters only."""
        dae = replace(self.reduced.dae, folded=(*self.reduced.dae.folded, *parameters))
        return replace(self, reduced=replace(self.reduced, dae=dae))


@record(frozen=True, slots=True)
class SortedSystem:
    """Equations and unknowns in solvable order; used for the run and for the first instant alike."""

    pool: "Pool"
    equations: tuple[Equation, ...]
    unknowns: tuple[Expr, ...]
    blocks: tuple[Block, ...]
