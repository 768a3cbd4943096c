"""On which side of a dead center a loop is: who passes one changes branch unless its determinants change their signs.

The determinant of a loop vanishes in a dead center. On either branch it changes its sign where the state that moves the
loop passes it, and keeps it where this turns back: the other branch has the opposite sign on each side. Where it only
comes near to zero and nothing crosses, it keeps its sign. So points on both sides tell whether a branch was kept, in
one step or slowly, or behind an impact that has left no speed to predict anything from. (The exchange of signs at a
simple bifurcation: M. G. Crandall, P. H. Rabinowitz, Bifurcation, perturbation of simple eigenvalues, and linearized
stability, Archive for Rational Mechanics and Analysis 52, 1973, 161-180.)

The line through the last two points that are not next to the center tells the side. It needs one state that moves all
blocks, and one pivot that vanishes: where those of two loops do, nothing changes its sign.
"""

from acausal.runtime.branches.branch_record import BranchRecord
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel
from acausal.runtime.kernel.overlay import overlay

CLOSE = 5e-6
"""Below that pivot the sign says nothing."""
NEAR = 0.05
"""From that pivot on another branch is far, or other pivots may vanish with it."""
FAR = 0.5
"""Of the last point of the line."""
APART = 1e-9
"""Points nearer to each other, in units of the state, tell no slope."""


@kernel
def note_side(m: Reals, base: Int, side: Real, place: Real) -> None:
    """The side of the pending point."""
    record = overlay(BranchRecord, m, base)
    record.pending_side = side
    record.pending_place = place


@kernel
def is_line_known(m: Reals, base: Int) -> Bool:
    """True if the last points tell a line near a dead center."""
    record = overlay(BranchRecord, m, base)
    return record.side != 0.0 and record.side_slope != 0.0 and abs(record.side) <= FAR


@kernel
def is_beside_center(m: Reals, base: Int, place: Real) -> Bool:
    """True if the last points tell that a dead center is near to this place: solutions alone do not tell the branch."""
    record = overlay(BranchRecord, m, base)
    return is_line_known(m, base) and abs(record.side + record.side_slope * (place - record.place)) < NEAR


@kernel
def commit_side(m: Reals, base: Int) -> None:
    """The pending point becomes one of the points: that of the line, unless nothing tells its branch."""
    record = overlay(BranchRecord, m, base)
    side = record.pending_side
    way = record.pending_place - record.place
    if abs(side) < CLOSE or (is_line_known(m, base) and abs(side) < record.side * record.side):
        return
    if record.side != 0.0 and abs(way) > APART:
        record.side_slope = (side - record.side) / way
    record.side = side
    record.place = record.pending_place


@kernel
def forget_side(m: Reals, base: Int) -> None:
    """The branch is another one: nothing is known of its sides."""
    record = overlay(BranchRecord, m, base)
    record.pending_side = 0.0
    record.side = 0.0
    record.side_slope = 0.0


@kernel
def is_other_branch(m: Reals, base: Int) -> Bool:
    """True if the determinants have the sign of the other branch at the pending point.

    Both points are so near to the center that they lie on a line, and the new one is not so much nearer that the error
    of this line is larger than its distance.
    """
    record = overlay(BranchRecord, m, base)
    side = record.pending_side
    if not is_line_known(m, base) or abs(side) > NEAR:
        return False
    expected = record.side + record.side_slope * (record.pending_place - record.place)
    if abs(side) < CLOSE or abs(side) < record.side * record.side or expected * side > 0.0:
        return False
    return abs(expected) > 0.5 * abs(side) and abs(expected) < 2.0 * abs(side)
