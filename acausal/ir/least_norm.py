"""Reactions among the unknowns of a linear block that may be singular."""

from acausal.base.frozen import record


@record(frozen=True, slots=True)
class LeastNorm:
    """Positions of the reactions, and of those that have minimum norm where the block is singular.

    A reaction of several elements is repeated, and counts as often.
    """

    reactions: tuple[int, ...]
    measured: tuple[int, ...]
