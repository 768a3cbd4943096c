"""The last step of causalization: sorted systems become the plan of the run and of the first instant."""

from collections.abc import Sequence

from acausal.causalize.blocks.merge_blocks import merge_blocks
from acausal.causalize.events.source_periods import waves
from acausal.causalize.initial.start_values import with_guesses
from acausal.causalize.solve.coefficient_sampling import trial_values
from acausal.causalize.solve.solve import Solved, solve
from acausal.ir.dae import SortedSystem, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.plan import SolvePlan


def make_plan(
    selection: StateSelection, run: SortedSystem, initial: SortedSystem, outputs: Sequence[Expr] = ()
) -> SolvePlan:
    """The plan; `outputs` restrict what is computed and stored (empty: everything)."""
    reduced = selection.reduced
    dae = reduced.dae
    attributes = {v.symbol: v.attributes for v in dae.variables}
    trial = trial_values(dae.parameters)
    derivatives = reduced.index.var_derivative
    moving = frozenset([x for x, d in zip(reduced.unknowns, derivatives, strict=True) if d is not None])
    solved = Solved()
    known = trial, moving, solved, dae.redundancies
    for redundancy in dae.redundancies:
        run = merge_blocks(run, redundancy.unknowns) or run
        initial = merge_blocks(initial, redundancy.unknowns) or initial
    steps, blocks = solve(run, with_guesses(run, attributes, moving), *known)
    initial_steps, _ = solve(initial, with_guesses(initial, attributes, moving), *known)
    plan = SolvePlan(
        name=dae.name,
        pool=dae.pool,
        parameters=dae.parameters,
        folded=dae.folded,
        inputs=dae.inputs,
        variables=dae.variables,
        aliases=dae.aliases,
        states=selection.states,
        steps=steps,
        initial_steps=initial_steps,
        conditions=dae.conditions,
        outputs=tuple(outputs),
        experiment=dae.experiment,
        blocks=blocks,
        events=dae.events,
        choices=tuple([c for c in selection.choices if c.varies]),
        delays=dae.delays,
        units=dae.units,
        waves=waves(dae, steps),
        undetermined=(*dae.undetermined, *[x for r in dae.redundancies for x in r.reactions]),
    )
    if not dae.events.frozen:
        return plan
    from acausal.causalize.events.unfreeze import unfreeze

    return unfreeze(plan)
