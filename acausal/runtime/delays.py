"""The history of delayed expressions: polynomials over the steps that a solver has accepted.

Within a step the solver's own interpolation gives the states, at five times what is delayed, and a polynomial of degree
four goes through these. At an event a piece ends; a delay later the model sees the jump, so that this is an event too.
(L. F. Shampine, S. Thompson, Solving DDEs in MATLAB, Appl. Numer. Math. 37 (2001): steps no longer than the shortest
delay, breaking points met exactly.)
"""

from math import inf

from acausal.runtime.kernel.language import Bool, Int, Ints, Real, Reals, Struct, kernel

NODES = 5
"""Times in a step, at equal distances, both ends included."""
LEVEL = 0.25
SAME = 1e-14
"""Values before the start that differ by this share of the largest one that there was are equal."""


class DelayHistory(Struct):
    """Delay k at node j of piece i is `nodes[(i*NODES + j)*count + k]`.

    A piece goes from `ends[i]` to `ends[i + 1]`.
    """

    count: Int
    late: Int
    """So many of the first ones are delays; the others are only recorded, from the start of the run on."""
    reported: Int
    """1 where another program integrates (`events/reported_steps`): it may look behind events that are to come."""
    times: Reals
    """Time of each delay."""
    before: Reals
    """Delayed values before the start; known if `has_begun`."""
    has_begun: Int
    start: Real
    near: Real
    """Times that differ by less are one time."""
    seen: Real
    """The time whose event has been treated: at that time the model sees what came after the jump."""
    pieces: Int
    piece_room: Int
    ends: Reals
    nodes: Reals
    at: Ints
    """The piece in which each delay was looked up last."""
    break_count: Int
    breaks: Reals
    """Times of events: the delays bring them again."""
    largest: Real
    """Of all values before the start, in all passes."""


@kernel
def delayed_value(h: DelayHistory, delay: Int, order: Int, t: Real) -> Real:
    """Value of the delayed expression, or its derivative, a delay before t."""
    if h.has_begun == 0:
        return 0.0
    ago = t - h.times[delay]
    if h.reported != 0 and ago > first_unseen(h, delay) + h.near:
        return continued_value(h, delay, order, ago)
    if ago <= h.start - h.near or h.pieces == 0:
        return 0.0 if order != 0 else h.before[delay]
    piece = find_piece(h, delay, ago)
    if h.ends[piece + 1] - ago <= h.near and piece + 1 < h.pieces and is_seen(h, h.ends[piece + 1], delay):
        piece += 1
    elif ago - h.ends[piece] <= h.near and not is_seen(h, h.ends[piece], delay):
        if piece == 0:
            return 0.0 if order != 0 else h.before[delay]
        piece -= 1
    begin = h.ends[piece]
    length = h.ends[piece + 1] - begin
    return polynomial(h, piece, delay, order, (ago - begin) / length, length)


@kernel
def first_unseen(h: DelayHistory, delay: Int) -> Real:
    """The time of the first event that has not come through a delay."""
    number = first_behind(h.breaks, h.break_count, h.seen - h.times[delay] + h.near, True)
    return h.breaks[number] if number < h.break_count else inf


@kernel
def continued_value(h: DelayHistory, delay: Int, order: Int, ago: Real) -> Real:
    """The value at a time behind an event that has not come through the delay: that before the event, continued."""
    unseen = first_unseen(h, delay)
    if unseen <= h.start + h.near or h.pieces == 0:
        return 0.0 if order != 0 else h.before[delay]
    piece = find_piece(h, delay, unseen)
    begin = h.ends[piece]
    length = h.ends[piece + 1] - begin
    return polynomial(h, piece, delay, order, min((ago - begin) / length, 2.0), length)


@kernel
def is_seen(h: DelayHistory, event: Real, delay: Int) -> Bool:
    """True if an event has come through a delay."""
    return event + h.times[delay] <= h.seen + h.near


@kernel
def find_piece(h: DelayHistory, delay: Int, ago: Real) -> Int:
    """The piece of a time, the earlier one where two meet; mostly that of the last call."""
    at = h.at[delay]
    is_there = at < h.pieces and h.ends[at] < ago
    if not is_there or ago > h.ends[at + 1]:
        at = min(max(first_behind(h.ends, h.pieces + 1, ago, False) - 1, 0), h.pieces - 1)
    h.at[delay] = at
    return at


@kernel
def first_behind(times: Reals, count: Int, t: Real, is_later: Bool) -> Int:
    """The first of so many ascending times that is later than t, or not earlier; `count` if there is none."""
    low = 0
    high = count
    while low < high:
        middle = int(0.5 * float(low + high))
        if times[middle] < t or (is_later and times[middle] == t):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def polynomial(h: DelayHistory, piece: Int, delay: Int, order: Int, s: Real, length: Real) -> Real:
    """The polynomial of a piece (Newton's divided differences) at a share of its length, or its derivative by time."""
    first = piece * NODES * h.count + delay
    a = h.nodes[first]
    b = h.nodes[first + h.count]
    c = h.nodes[first + 2 * h.count]
    d = h.nodes[first + 3 * h.count]
    e = h.nodes[first + 4 * h.count]
    e = (e - d) / LEVEL
    d = (d - c) / LEVEL
    c = (c - b) / LEVEL
    b = (b - a) / LEVEL
    e = (e - d) / (2.0 * LEVEL)
    d = (d - c) / (2.0 * LEVEL)
    c = (c - b) / (2.0 * LEVEL)
    e = (e - d) / (3.0 * LEVEL)
    d = (d - c) / (3.0 * LEVEL)
    e = (e - d) / (4.0 * LEVEL)
    value = e
    slope = value
    value = value * (s - 3.0 * LEVEL) + d
    slope = slope * (s - 2.0 * LEVEL) + value
    value = value * (s - 2.0 * LEVEL) + c
    slope = slope * (s - LEVEL) + value
    value = value * (s - LEVEL) + b
    slope = slope * s + value
    value = value * s + a
    return slope / length if order != 0 else value


@kernel
def node_time(h: DelayHistory, node: Int, end: Real) -> Real:
    """The time of a node of the next piece, which goes on to `end`."""
    begin = h.ends[h.pieces]
    return begin + float(node) / float(NODES - 1) * (end - begin)


@kernel
def store_node(h: DelayHistory, node: Int, results: Reals) -> None:
    """Delayed values at a node of the next piece; `results` are those of the routine `delayed`."""
    first = (h.pieces * NODES + node) * h.count
    for k in range(h.count):
        h.nodes[first + k] = results[2 * k]


@kernel
def repeat_node(h: DelayHistory) -> Bool:
    """True if the first node of the next piece is the last one of the piece before, without an event between."""
    if h.late != 0 or h.pieces == 0 or h.breaks[h.break_count - 1] == h.ends[h.pieces]:
        return False
    first = h.pieces * NODES * h.count
    for k in range(h.count):
        h.nodes[first + k] = h.nodes[first - h.count + k]
    return True


@kernel
def end_piece(h: DelayHistory, end: Real) -> None:
    """The next piece is complete."""
    h.ends[h.pieces + 1] = end
    h.pieces += 1


@kernel
def start_history(h: DelayHistory, t: Real, near: Real) -> None:
    """Nothing is known: a run begins at t, where times that differ by less than `near` are one."""
    h.has_begun = 0
    h.reported = 0
    h.start = t
    h.near = near
    h.seen = -inf
    h.largest = 0.0
    h.pieces = 0
    h.ends[0] = t
    h.breaks[0] = t
    h.break_count = 1


@kernel
def begin_history(h: DelayHistory, results: Reals) -> Bool:
    """Values before the start and lengths of delays, by `results` of `delayed`; True if they are as assumed."""
    is_known = h.has_begun != 0 or h.late == 0
    for k in range(h.late):
        h.largest = max(h.largest, abs(results[2 * k]))
    for k in range(h.late):
        is_known = is_known and abs(results[2 * k] - h.before[k]) <= SAME * h.largest
        h.before[k] = results[2 * k]
        h.times[k] = results[2 * k + 1]
    h.has_begun = 1
    return is_known


@kernel
def drop_pieces(h: DelayHistory, t: Real) -> None:
    """Forgets pieces and events, but for one each, that no delay brings again from t on: the room is used again."""
    if h.late < h.count:
        return
    since = t - h.near
    for k in range(h.late):
        since = min(since, t - h.times[k] - h.near)
    first = 0
    while first + 2 < h.pieces and h.ends[first + 2] < since:
        first += 1
    if first > 0:
        h.pieces -= first
        for i in range(h.pieces + 1):
            h.ends[i] = h.ends[i + first]
        for i in range(h.pieces * NODES * h.count):
            h.nodes[i] = h.nodes[i + first * NODES * h.count]
        for k in range(h.count):
            h.at[k] = h.at[k] - first if h.at[k] > first else 0
    first = 0
    while first + 1 < h.break_count and h.breaks[first] < since:
        first += 1
    h.break_count -= first
    for i in range(h.break_count if first > 0 else 0):
        h.breaks[i] = h.breaks[i + first]
