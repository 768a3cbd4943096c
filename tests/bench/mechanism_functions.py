"""Inverse and forward dynamics of robots: microseconds of the processor for one evaluation, beside Pinocchio.

    python -m tests.bench.mechanism_functions          needs `pip install pin example-robot-data`

Pinocchio and `single` are calls from Python, `bound` are calls of `bind`, with arrays of the caller, `batch` is one
call for many rows. Times are the least of many short rounds, so that others on the same machine do not count.
"""

from collections.abc import Callable, Sequence
from time import process_time

import numpy as np

from tests.long.pinocchio_robots import ROBOTS, robot

ROWS, CALLS, ROUNDS = 20_000, 200, 40


def _microseconds(function: Callable[..., object], calls: Sequence[tuple[object, ...]], evaluations: int = 1) -> float:
    best = np.inf
    for _ in range(ROUNDS):
        begin = process_time()
        for arguments in calls:
            function(*arguments)
        best = min(best, process_time() - begin)
    return best / (len(calls) * evaluations) * 1e6


def main() -> None:
    """A line for each robot and function."""
    import pinocchio as pin

    columns = f"{'Pinocchio':>10} {'single':>8} {'bound':>8} {'batch':>8}"
    print(f"{'robot':12} {'function':18} {columns} {'single/Pin.':>12} {'Pin./bound':>12} {'Pin./batch':>12}")
    for name in ROBOTS:
        r = robot(name)
        q, v, x = np.random.default_rng(0).normal(size=(3, ROWS, len(r.order)))
        own = [(q[k], v[k], x[k]) for k in range(CALLS)]
        theirs = [(r.model, r.data, r.configuration(a), r.in_pinocchio(b), r.in_pinocchio(c)) for a, b, c in own]
        f = r.functions
        pairs = (
            (f.inverse_dynamics, pin.rnea, 3),
            (f.forward_dynamics, pin.aba, 3),
            (f.mass_matrix, pin.crba, 1),
            (f.gravity, pin.computeGeneralizedGravity, 1),
        )
        for function, peer, count in pairs:
            rows = (q, v, x)[:count]
            function.batch(*[a[:8] for a in rows])
            first = _microseconds(peer, [arguments[: 2 + count] for arguments in theirs])
            single = _microseconds(function, [arguments[:count] for arguments in own])
            bound = _microseconds(function.bind(*own[0][:count]), [()] * CALLS)
            batch = _microseconds(function.batch, [rows], ROWS)
            times = f"{first:10.2f} {single:8.2f} {bound:8.2f} {batch:8.3f}"
            ratios = f"{single / first:12.2f} {first / bound:12.1f} {first / batch:12.1f}"
            print(f"{name:12} {function.name:18} {times} {ratios}")


if __name__ == "__main__":
    main()
