"""Nonlinear blocks followed along a straight way to a point where they are not solved in one step."""

from collections.abc import Callable

SHORTEST = 2.0**-14
"""A share of the way: where a step as short leaves the branch, it ends."""


def follow(solve: Callable[[float], bool]) -> bool:
    """True if blocks are solved at the end of the way; `solve` goes on to a share of it, or stays where it was.

    Steps are halved where they fail, and doubled where they do not.
    """
    done, step = 0.0, 0.5
    while done < 1.0:
        goal = min(1.0, done + step)
        if solve(goal):
            done, step = goal, 2.0 * step
        else:
            step /= 2.0
            if step < SHORTEST:
                return False
    return True
