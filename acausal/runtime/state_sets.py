"""Changes of states in a program that has the routines of several sets of states.

The states of another set are variables of the present one (`simulate/system/state_transfer`). `known` holds the results
of its routines `choices` and `variables`, its parameters, the time and 1.
"""

from typing import Protocol

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.branches.branch_points import activate
from acausal.runtime.branches.branch_record import BranchRecord
from acausal.runtime.kernel.language import Address, Bool, CInt, Int, Ints, Real, Reals, Struct, kernel, tail
from acausal.runtime.kernel.overlay import overlay
from acausal.runtime.kernel.routines import ModelRoutine
from acausal.runtime.limits import ILL_CONDITIONED, WELL_CONDITIONED
from acausal.runtime.state_selection import StateSelections, judge_selections


class BindSet(Protocol):
    """The routines, sizes and arrays of the set with the present number."""

    def __call__(self, model: Address, /) -> None:
        """Set them."""
        ...


class StateTransfer(Struct):
    """Places of the states and start values of one set in `known` of another one, for pairs of sets.

    Those of a pair are behind those of the one before; `first_start` has one number more than there are pairs.
    """

    states: Int
    places: Ints
    factors: Reals
    first_start: Ints
    start_places: Ints
    start_factors: Reals
    targets: Ints
    """Positions of the start values in m."""


class StateSets(Struct):
    """The sets of states of a program, and the present one; pair old*count + new of `transfer` is from old to new."""

    count: Int
    number: Int
    is_due: Int
    """1 where the states may have to change before the run goes on."""
    transfer: StateTransfer
    bind: BindSet
    model: Address
    """The argument of `bind`."""
    states: Int
    memory: Int
    """The place in m of the record of branches; 0: there is none."""
    known: Reals
    given: Reals
    first_parameters: Reals
    """Parameters of the first set, of which the first `own_parameters` are those of the model."""
    own_parameters: Int
    # of the present set
    variables: ModelRoutine
    choices: ModelRoutine
    setup: ModelRoutine
    choice_count: Int
    stored: Int
    parameters: Int
    memory_size: Int
    y: Reals
    u: Reals
    p: Reals
    m: Reals
    choice_results: Reals
    selections: StateSelections
    shown_count: Int
    shown: Ints
    """Places in `known` of the variables that the first set stores."""
    shown_factors: Reals


@kernel
def find_parameters(s: StateSets) -> CInt:
    """Parameters of the present set: those of the model, and what its routines need of them; a block, or 0."""
    if s.number == 0:
        return 0
    copy_numbers(s.own_parameters, s.first_parameters, s.p)
    return s.setup(0.0, s.y, s.given, s.p, s.m, s.p)


@kernel
def find_known(s: StateSets, t: Real, y: Reals) -> CInt:
    """The variables of the present set at t, its parameters, the time, and 1 into `known`; a block, or 0."""
    block = s.variables(t, y, s.u, s.p, s.m, tail(s.known, s.choice_count))
    complete_known(s, t)
    return block


@kernel
def complete_known(s: StateSets, t: Real) -> None:
    """The parameters of the present set, the time, and 1 behind its variables."""
    parameters = tail(s.known, s.choice_count + s.stored)
    copy_numbers(s.parameters, s.p, parameters)
    parameters[s.parameters] = t
    parameters[s.parameters + 1] = 1.0


@kernel
def show_known(s: StateSets, out: Reals) -> None:
    """These variables as the first set stores them."""
    for i in range(s.shown_count):
        out[i] = s.shown_factors[i] * s.known[s.shown[i]]


@kernel
def judge_set(s: StateSets, t: Real) -> CInt:
    """The verdict on the present states at t."""
    if s.choices(t, s.y, s.u, s.p, s.m, s.choice_results) != 0:
        return ILL_CONDITIONED
    return judge_selections(s.choice_results, s.selections)


@kernel
def transfer_states(w: StateTransfer, pair: Int, known: Reals, y: Reals, m: Reals) -> Bool:
    """States and start values of another set; True if the states are finite.

    A start value that cannot be computed stays as it is.
    """
    first = pair * w.states
    total = 0.0
    for i in range(w.states):
        value = w.factors[first + i] * known[w.places[first + i]]
        total += value * 0.0
        y[i] = value
    for i in range(w.first_start[pair], w.first_start[pair + 1]):
        start = w.start_factors[i] * known[w.start_places[i]]
        if start - start == 0.0:
            m[w.targets[i]] = start
    return total == 0.0


@kernel
def enter_set(s: StateSets, old: Int, new: Int) -> Bool:
    """The states of another set, by what is known in the set `old`; True if they are finite."""
    by_steps = overlay(BranchRecord, s.m, s.memory).by_steps if s.memory > 0 else 0.0
    s.number = new
    s.bind(s.model)
    find_parameters(s)
    for i in range(s.memory_size):
        s.m[i] = 0.0
    if s.memory > 0:
        activate(s.m, s.memory)
        record = overlay(BranchRecord, s.m, s.memory)
        record.by_steps = by_steps
    return transfer_states(s.transfer, old * s.count + new, s.known, s.y, s.m)


@kernel
def select_set(s: StateSets, t: Real) -> Bool:
    """The set to go on with from t: the first one that is well-conditioned there, else another one; False: none.

    `choice_results` are those of the present set at t.
    """
    old = s.number
    copy_numbers(s.choice_count, s.choice_results, s.known)
    if find_known(s, t, s.y) != 0:
        return False
    best = -1
    for number in range(s.count):
        if number != old and enter_set(s, old, number):
            verdict = judge_set(s, t)
            if verdict != ILL_CONDITIONED and (best < 0 or verdict == WELL_CONDITIONED):
                best = number
            if verdict == WELL_CONDITIONED:
                break
    if best >= 0:
        enter_set(s, old, best)
    return best >= 0
