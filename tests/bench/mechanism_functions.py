"""Inverse and forward dynamics of robots: microseconds of the processor for one evaluation, beside Pinocchio.

    python -m tests.bench.mechanism_functions          needs `pip install pin example-robot-data`

Pinocchio and `single` are calls from Python, `batch` is one call for many rows.
"""

from collections.abc import Callable, Sequence
from time import process_time

import numpy as np

from tests.long.pinocchio_robots import ROBOTS, robot

ROWS, CALLS = 20_000, 3000


def _microseconds(function: Callable[..., object], calls: Sequence[tuple[object, ...]], evaluations: int = 1) -> float:
    best = np.inf
    for _ in range(3):
        begin = process_time()
        for arguments in calls:
            function(*arguments)
        best = min(best, process_time() - begin)
    return best / (len(calls) * evaluations) * 1e6


def main() -> None:
    """A line for each robot and function."""
    import pinocchio as pin

    print(f"{'robot':12} {'function':18} {'Pinocchio':>10} {'single':>8} {'batch':>8} {'Pinocchio/batch':>16}")
    for name in ROBOTS:
        r = robot(name)
        q, v, x = np.random.default_rng(0).normal(size=(3, ROWS, len(r.order)))
        own = [(q[k], v[k], x[k]) for k in range(CALLS)]
        theirs = [(r.model, r.data, r.configuration(a), r.in_pinocchio(b), r.in_pinocchio(c)) for a, b, c in own]
        for function, peer in ((r.functions.inverse_dynamics, pin.rnea), (r.functions.forward_dynamics, pin.aba)):
            function.batch(q[:8], v[:8], x[:8])
            first, single = _microseconds(peer, theirs), _microseconds(function, own)
            batch = _microseconds(function.batch, [(q, v, x)], ROWS)
            print(f"{name:12} {function.name:18} {first:10.2f} {single:8.2f} {batch:8.3f} {first / batch:16.1f}")


if __name__ == "__main__":
    main()
