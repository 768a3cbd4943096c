"""A run without states: time alone goes on, and relations cross; in place of CVODE for the loop over events.

Crossings are searched for in parts of the way to the next output time, and with delays in parts of the shortest one,
each of which becomes part of the history.
"""

from math import nan
from typing import Protocol

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.crossings.hidden_crossings import end_time
from acausal.runtime.crossings.hidden_search import HiddenSearch
from acausal.runtime.crossings.root_search import RootSearch, are_violated, locate_root
from acausal.runtime.cvode.callbacks import TOO_MUCH_WORK
from acausal.runtime.cvode.cvode_context import SearchStep
from acausal.runtime.events.between_events import ROOT
from acausal.runtime.kernel.language import Address, Bool, CInt, Int, Real, Reals, Struct, floor, kernel
from acausal.runtime.steps.followed_time import UNFINISHED

STALLED, NOT_EVALUATED = -6, -8
"""Statuses of CVODE where steps fall below the resolution of time, and where a function of the host fails."""
PARTS = 16.0
"""Crossings are searched for in so many parts of the way to the next output time."""


class Begin(Protocol):
    """Root functions where a run begins, or goes on from an event."""

    def __call__(self, context: Address, t: Real, out: Reals, /) -> None:
        """Root functions into `out`."""
        ...


class Extend(Protocol):
    """The history of delays goes on to a time."""

    def __call__(self, context: Address, t: Real, /) -> CInt:
        """Status: 0, or that of CVODE."""
        ...


class Follow(Protocol):
    """Nonlinear blocks at a time, or through time up to there (`runtime/steps/followed_time`)."""

    def __call__(self, context: Address, t: Real, /) -> CInt:
        """0, the number of a block that is not solved, or below 0 UNFINISHED or that a function of the host fails."""
        ...


class TimeSolver(Struct):
    """Where a run is, with what crosses in the part of the way that comes."""

    time: Real
    stop: Real
    """Where the run is not to go on."""
    is_begin: Int
    """1 where root functions are those at the begin."""
    way_begin: Real
    way_end: Real
    parts: Real
    part: Real
    """The way to a goal, and how many of its parts are done; `way_end` is NaN without one."""
    has_followed: Int
    followed: Address
    begin_followed: Follow
    follow: Follow
    shortest: Real
    """The shortest delay; infinite without delays."""
    has_delays: Int
    search: RootSearch
    sides: Reals
    seen: Reals
    """Root functions where it has stopped, and the time."""
    begin: Begin
    extend: Extend
    has_hidden: Int
    hidden: HiddenSearch
    hidden_address: Address
    search_step: SearchStep


@kernel
def advance_time(c: TimeSolver, goal: Real) -> CInt:
    """To the goal, to a crossing before (ROOT), or where a frozen value does not agree with its side."""
    s = c.search
    status = begin_part(c) if c.is_begin != 0 else 0
    if status != 0:
        return status
    if s.count == 0 and c.has_delays == 0:
        status = follow(c, goal)
        if status == 0:
            c.time = goal
        return status
    if c.way_end != goal or c.has_delays == 0:
        c.way_begin = c.time
        c.way_end = goal
        c.parts = PARTS * (max(1.0, -floor(-(goal - c.time) / c.shortest)) if c.has_delays != 0 else 1.0)
        c.part = 0.0
    while c.part < c.parts:
        share = (c.part + 1.0) * ((goal - c.way_begin) / c.parts)
        end = goal if c.part + 1.0 == c.parts else share + c.way_begin
        status = follow(c, end)
        if status != 0:
            return status
        c.part += 1.0
        is_found = cross_part(c, end)
        if is_found or are_violated(c.search.count, c.seen, c.sides):
            c.way_end = nan
        status = c.extend(s.context, c.time) if c.has_delays != 0 else 0
        if status != 0 and not (is_found and status == TOO_MUCH_WORK):
            return status
        if is_found:
            return ROOT
        if c.way_end != goal:
            return 0
    return 0


@kernel
def begin_part(c: TimeSolver) -> Int:
    """Where the run begins, or goes on from an event; status as that of CVODE."""
    s = c.search
    c.is_begin = 0
    c.way_end = nan
    status = follow_status(c.begin_followed(c.followed, c.time)) if c.has_followed != 0 else 0
    if status == 0:
        c.begin(s.context, c.time, s.first)
        if c.has_hidden != 0:
            c.search_step(c.hidden_address, c.time, 1, s.first)
    return status


@kernel
def follow(c: TimeSolver, end: Real) -> Int:
    """Nonlinear blocks up to `end`; status as that of CVODE."""
    return follow_status(c.follow(c.followed, end)) if c.has_followed != 0 else 0


@kernel
def follow_status(status: Int) -> Int:
    """Status of CVODE where following nonlinear blocks ends with this one."""
    if status > 0:
        return STALLED
    return status if status == 0 else (TOO_MUCH_WORK if status == UNFINISHED else NOT_EVALUATED)


@kernel
def cross_part(c: TimeSolver, end: Real) -> Bool:
    """On to `end`, or to the first crossing before; True if there is one."""
    s = c.search
    begin = c.time
    until = end
    s.watch(s.context, end, 1.0, s.above)
    if c.has_hidden != 0:
        if end_time(c.hidden) != begin:
            c.search_step(c.hidden_address, begin, 1, s.first)
        copy_numbers(s.count, s.above, s.values)
        c.search_step(c.hidden_address, end, 0, s.values)
        if c.hidden.found_time < end:
            until = c.hidden.found_time
            s.watch(s.context, until, 1.0, s.above)
    is_found = locate_root(s, begin, until)
    c.time = s.time
    if is_found:
        s.watch(s.context, c.time, 1.0, s.above)
    copy_numbers(s.count, s.above, s.first)
    copy_numbers(s.count, s.above, c.seen)
    c.seen[s.count] = c.time
    return is_found
