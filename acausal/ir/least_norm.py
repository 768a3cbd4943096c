"""Minimum norm: which unknowns of a linear block have it, where the block is singular."""

from acausal.base.frozen import record


@record(frozen=True, slots=True)
class LeastNorm:
    """Positions of reactions among the unknowns of a block, and of those that have minimum norm where it is singular.

    A reaction of several elements is repeated, and counts as often.
    """

    reactions: tuple[int, ...]
    measured: tuple[int, ...]
