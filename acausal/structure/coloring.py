"""Columns of a sparse matrix in groups: no two columns of a group have an entry in the same row.

    x x .          columns 0 and 2 of this matrix can be distinguished
    . x x          in their sum; two groups do for three columns:
    . x .          {0, 2} and {1}

One difference quotient, or one derivative along a direction, then gives a whole group of columns.
"""

from collections.abc import Sequence


def color_columns(rows_of_column: Sequence[Sequence[int]], rows: int, order: Sequence[int]) -> list[int]:
    """The group of each column, counted from 0; `order` is that in which columns are examined.

    Each column goes into the first group that it fits. O(entries * groups / 64).
    Source: A. R. Curtis, M. J. D. Powell, J. K. Reid, J. Inst. Maths Applics 13, 1974, p. 117.
    """
    taken = [0] * rows
    """For each row the groups that have an entry there, one bit each."""
    group = [0] * len(rows_of_column)
    for column in order:
        used = 0
        for row in rows_of_column[column]:
            used |= taken[row]
        free = ~used & (used + 1)
        group[column] = free.bit_length() - 1
        for row in rows_of_column[column]:
            taken[row] |= free
    return group
