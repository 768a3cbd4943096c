"""The singular value decomposition of a square matrix, by LAPACK or by what stands for it (`singular_values`)."""

from typing import Protocol

from acausal.runtime.kernel.language import Bool, CInts, Int, Reals, kernel, tail

ALL = 65
"""The letter A, for LAPACK."""


class Dgesvd(Protocol):
    """LAPACK's dgesvd: A = U S V'; all matrices column by column."""

    def __call__(
        self,
        job_u: CInts,
        job_v: CInts,
        rows: CInts,
        columns: CInts,
        a: Reals,
        a_stride: CInts,
        s: Reals,
        u: Reals,
        u_stride: CInts,
        v: Reals,
        v_stride: CInts,
        work: Reals,
        work_size: CInts,
        info: CInts,
        /,
    ) -> None:
        """Replaces A by work numbers, stores S, U and V'."""


@kernel
def decompose_square(n: Int, a: Reals, s: Reals, room: Reals, integers: CInts, svd: Dgesvd) -> Bool:
    """Stores U and V' behind A, which is lost; False where there is no decomposition.

    `room` has 8 n numbers, `integers` has 6.
    """
    integers[0] = ALL
    integers[1] = n
    integers[2] = 8 * n
    svd(
        integers,
        integers,
        tail(integers, 1),
        tail(integers, 1),
        a,
        tail(integers, 1),
        s,
        tail(a, n * n),
        tail(integers, 1),
        tail(a, 2 * n * n),
        tail(integers, 1),
        room,
        tail(integers, 2),
        tail(integers, 3),
    )
    return integers[3] == 0
