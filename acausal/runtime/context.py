"""The structure that kernels of events work on."""

from typing import Protocol

from acausal.runtime.kernel.language import Address, CInt, CInts, Int, Ints, Real, Reals, Struct
from acausal.runtime.kernel.routines import ModelRoutine
from acausal.runtime.phase_checks import PhaseChecks

RELATION, STEP, SAMPLE, BEFORE, DISCRETE, INITIAL = range(6)
KINDS = ("relation", "step", "sample", "before", "discrete", "initial")
"""Kinds of frozen values, in this order."""
DONE, LEFT, CONTRADICTORY, RESTLESS, INCONSISTENT, UNREACHABLE = range(6)
"""Results of kernels: success; out of the ordinary, left to the caller; relations have no fixed point; event
iteration does not converge; a frozen value does not agree with what it stands for, which is a bug of ours; no states
have the values that `init` gives."""


class Restarter(Protocol):
    """`events/restart_others.restart_others`, which is compiled for models with such restarts only."""

    def __call__(self, context: Address, t: Real, /) -> CInt:
        """Status."""
        ...


class RestartRoom(Struct):
    """Room for `events/restart_others`, with matrices of order `size`."""

    size: Int
    positions: Ints
    """1: a state whose rate is another state."""
    begin: Reals
    now: Reals
    """The values of the variables that start again, by the states as they are moved so far."""
    right: Reals
    step: Reals
    matrix: Reals
    s: Reals
    u: Reals
    v: Reals
    integers: CInts


class SearchRoom(Struct):
    """Room for `events/relations/relation_search`."""

    begin: Reals
    """Frozen values where the search begins."""
    noise: Reals
    """By how much rounding errors of states move each result."""
    relations: Ints
    count: Int
    """The relations that may be changed."""
    chosen: Ints
    distance: Int
    """The combination of them that is changed: so many, in increasing order."""


class Searcher(Protocol):
    """`events/relations/relation_search.search_relations`, where passes over relations go in circles."""

    def __call__(self, context: Address, t: Real, y: Reals, /) -> CInt:
        """DONE or CONTRADICTORY."""
        ...


class SolverRecord(Struct):
    """Statistics and failures of the functions that a solver calls."""

    calls: Real
    """Evaluations of the derivatives."""
    failed_block: Real
    """The number of the block that failed last; 0: none."""
    failed_time: Real
    last_time: Real
    """The time of the last call, and how many calls in a row were for it."""
    repeated: Real


class EventContext(PhaseChecks):
    """A system and room for its events.

    Python does all of an event; machine code (`is_ordinary`) leaves it where something is out of the ordinary.
    """

    is_ordinary: Int
    # sizes
    frozen_count: Int
    results_count: Int
    crossing_count: Int
    states: Int
    memory: Int
    restarts: Int
    announcements: Int
    ticks: Int
    """1 where there are clocks or samples."""
    befores: Int
    """1 where there are frozen values of that kind."""
    relations: Int
    """1 where there are relations and steps that equations read and time alone does not change."""
    kinks: Int
    """1 where there are continuous relations."""
    redundancies: Int
    """1 where linear equations are redundant in some mode."""
    most_passes: Int
    """So many passes an event may take."""
    # frozen values: kind, truth of a relation above zero and at zero, positions as in `FrozenSlot` (-1: none)
    kind: Ints
    above: Ints
    at_zero: Ints
    now: Ints
    clock: Ints
    crossing: Ints
    start: Ints
    continuous: Ints
    """1: a relation that no equation reads."""
    read_begin: Ints
    reads: Ints
    """Frozen values that what crosses is computed from: of relation i from `read_begin[i]` on."""
    reads_states: Ints
    """1 where it is computed from states."""
    nominal_at: Ints
    """Of each state: where p has its nominal value (-1: it has none)."""
    restart_at: Ints
    restart_state: Ints
    restart_sign: Reals
    announced_at: Ints
    announced_assert: Ints
    # the system
    initial: ModelRoutine
    initial_ahead: ModelRoutine
    """The same where a failure does not matter."""
    derivatives: ModelRoutine
    events: ModelRoutine
    events_ahead: ModelRoutine
    """The same where a failure does not matter."""
    crossings: ModelRoutine
    u: Reals
    """Arguments of routines: frozen values and inputs; where inputs come from outside an `InputContext`."""
    frozen: Reals
    p: Reals
    m: Reals
    memory_size: Int
    memory_aside: Reals
    """All of m, and room for it while routines are evaluated beside the run."""
    restart_others: Restarter
    restart_context: Address
    """The address of this structure."""
    has_restart_others: Int
    """0 in machine code, and where all restarts are those of states."""
    restart_room: RestartRoom
    search: Searcher
    search_context: Address
    """The address of this structure."""
    search_room: SearchRoom
    has_search: Int
    """0 in machine code, which leaves such events; in exported programs nothing is left to a caller."""
    begins: Int
    """1 where `search` is to find values with which the first instant can be solved."""
    undefined: Int
    """So many relations compare what is no number, whatever the values of relations are."""
    offset: Reals
    sides: Reals
    """1 or -1: the sign of each crossing as long as its value is frozen; 0 of turning points."""
    starts: Reals
    """Crossings as the solver is given them where it begins, and the time."""
    next_sample: Reals
    """Of each frozen value that is a sample: the number of its next instant."""
    widening: Reals
    """Of each relation at rest whose branches agree at zero: crossings are seen so many errors beyond zero; else 0."""
    band: Reals
    """The same as a distance from zero, with the present frozen values."""
    may_rest: Ints
    """1: a relation that may get a band (`causalize/events/rest`)."""
    touched: Ints
    event_number: Int
    """The number of events, and of the last one that each frozen value has to do with; 0: it is forgotten."""
    record: SolverRecord
    ahead: Real
    """Look-ahead time to determine the direction of a crossing."""
    tolerance: Real
    """The relative error of a step."""
    looks_ahead: Int
    """1 where relations at zero go by where they are heading."""
    is_ahead: Int
    """True if `later` is known, as in `fixed_point`."""
    # results of `events` now and a little later
    results: Reals
    later: Reals
    earlier: Reals
    """The same a little earlier, where a jump is searched for."""
    roots: CInts
    """Crossings that the solver has located, with their directions."""
    watched_values: Reals
    """Crossings as the solver has them where it stopped, and the time."""
    # of each frozen value
    fresh: Reals
    """New values; those before the last pass where event iteration does not converge."""
    direction: Reals
    """In which direction a crossing was located (0: it was not)."""
    was: Reals
    """Crossings found there."""
    agrees_later: Int
    """1 where values were found that agree a little later only."""
    located_time: Real
    located_frozen: Reals
    located_states: Reals
    """Where crossings were located: the time, frozen values before these, and states."""
    flag: Reals
    """1: a sample that is due, or the first instant."""
    anchor: Reals
    """An earlier combination of values, to find cycles; `cycle_turn` passes ago, `cycle_length` at most."""
    frozen_at_first: Reals
    """Before the first instant was solved again."""
    # crossings now and a little later, twice
    values: Reals
    values_later: Reals
    values_last: Reals
    # states: of the event, behind which `initial` leaves the results of `choices`; moved ones, which `init` has given,
    # and the slope
    y: Reals
    moved: Reals
    taken: Reals
    rate: Reals
    # results of kernels
    found: Real
    limit: Real
    """The time of the next event that is known."""
    first_step: Real
    usual_first: Real
    """The first step where nothing else is known; 0 leaves it to the solver."""
    wrong: Int
    """So many relations are to change."""
    cycle_turn: Int
    cycle_length: Int
    restarted: Real
    """1 where the last pass has changed a state."""
    inconsistent: Int
    """The frozen value that does not agree with what it stands for."""
    announced: Int
    """The `assert` or `terminate` that has to be reported, -1: none."""
