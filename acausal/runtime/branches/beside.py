"""The nearest regular point beside a dead center: where Jacobians are evaluated in place of a point next to it.

At a distance d from a dead center rounding errors of an exact Jacobian are about 1e-16/d^3. Solvers believe it: with
entries of 1e16 for 1, Newton's method of an implicit solver takes any point for the solution. The nodes through which
the derivatives are interpolated (`singular_point`) have solutions of their own. A Jacobian only leads Newton's method:
that of the nearest node serves all points which lie between the two inner ones.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.branches.branch_record import BranchRecord
from acausal.runtime.branches.moved_routine import Motion, last_nodes_at, move, time_from_center
from acausal.runtime.branches.polynomial import HALF, offset_of
from acausal.runtime.branches.singular_point import are_around
from acausal.runtime.kernel.language import Real, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay


@kernel
def take_regular_point(c: Motion, t: Real, y: Reals, m: Reals, work: Reals, states: Reals, starts: Reals) -> Real:
    """The time of the node, its states and, in `starts`, its solutions; t and the states as given where none is near.

    `work` is the workspace of interpolation, with the last nodes.
    """
    if c.followed == 0 or c.moving == 0 or not are_around(c, t, y, m, work):
        copy_numbers(c.states, y, states)
        return t
    passed = time_from_center(c, t, y, m, work)
    node = HALF if passed >= 0.0 else HALF - 1
    shift = offset_of(node) * overlay(BranchRecord, m, c.base).width - passed
    move(c, shift, y, m, states)
    last_nodes = tail(work, last_nodes_at(c))
    copy_numbers(c.followed, tail(last_nodes, node * c.followed), starts)
    return t + shift
