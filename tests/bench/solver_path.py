"""Around the steps of CVODE: threads, linear solvers, growth.

    python -m tests.bench.solver_path [ROUNDS]

Each pair of times is taken one after the other in each round; times are user CPU time (threads: elapsed), ratios the
medians of the rounds.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from statistics import median
from threading import Thread
from time import perf_counter, process_time
from weakref import WeakKeyDictionary

from acausal.codegen.executable import Executable
from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.simulate.jacobian import storage as newton_matrix
from acausal.simulate.jacobian.exact_jacobian import exact_jacobian
from acausal.simulate.jacobian.storage import NewtonMatrix, choose_matrix
from acausal.simulate.run import solver_pool as kept
from acausal.translation import Translation
from tests.bench.ladder import ladder_text
from tests.bench.ngspice import Case, line, ours, ring
from tests.simulate.networks import Network, tree
from tests.simulate.runs import go

EXAMPLES = Path(__file__).parents[2] / "examples"


def seconds(work: Callable[[], object], clock: Callable[[], float] = process_time) -> float:
    """How long it takes."""
    begin = clock()
    work()
    return clock() - begin


def pairs(rounds: int, first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float, float]:
    """The medians of both and of their ratio first to second."""
    first(), second()
    times = [(seconds(first), seconds(second)) for _ in range(rounds)]
    a, b = zip(*times, strict=True)
    return median(a), median(b), median(x / y for x, y in times)


def row(name: str, a: str, b: str, rounds: int, first: Callable[[], object], second: Callable[[], object]) -> None:
    """A line of the table."""
    x, y, ratio = pairs(rounds, first, second)
    print(f"{name:44}{a:>20} {1e3 * x:9.2f}{b:>20} {1e3 * y:9.2f} {ratio:9.2f}")


def threads(rounds: int) -> None:
    """Two runs one after the other and in two threads, elapsed; with the lock held it would be 1.

    Digests, of which everyone knows that they release it, tell what the machine has to give at this moment.
    """
    made = translate(EXAMPLES / "double_pendulum.mdl")
    data = bytes(50_000_000)
    threaded("two digests of 50 MB, elapsed", rounds, lambda: sha256(data))
    threaded("double pendulum, two runs, elapsed", rounds, lambda: made.simulate(stop=200.0, interval=1.0))


def threaded(name: str, rounds: int, work: Callable[[], object]) -> None:
    """A line of the table."""

    def both() -> None:
        each = [Thread(target=work) for _ in range(2)]
        for thread in each:
            thread.start()
        for thread in each:
            thread.join()

    both()
    times = [(seconds(lambda: (work(), work()), perf_counter), seconds(both, perf_counter)) for _ in range(rounds)]
    ratio = median(a / b for a, b in times)
    a, b = (1e3 * median(column) for column in zip(*times, strict=True))
    print(f"{name:44}{'one by one':>20} {a:9.2f}{'two threads':>20} {b:9.2f} {ratio:9.2f}")


_DENSE: WeakKeyDictionary[Executable, NewtonMatrix] = WeakKeyDictionary()
"""The matrices of runs without choice."""


@contextmanager
def without_choice() -> Iterator[None]:
    """Every matrix dense and filled by CVODE."""
    before = newton_matrix.BAND_FROM, newton_matrix._CHOSEN
    try:
        newton_matrix.BAND_FROM, newton_matrix._CHOSEN = 10**9, _DENSE
        yield
    finally:
        newton_matrix.BAND_FROM, newton_matrix._CHOSEN = before


@contextmanager
def each_anew() -> Iterator[None]:
    """No run leaves its solver to the next one, which is to have another matrix."""
    before, kept.MOST_STATES = kept.MOST_STATES, 0
    try:
        yield
    finally:
        kept.MOST_STATES = before


def translated(case: Case) -> Translation:
    """A circuit ready to run."""
    with tempfile.TemporaryDirectory() as folder:
        return ours(case, Path(folder))[0]


def matrices(rounds: int) -> None:
    """The choice of matrix and of groups against a dense matrix filled by CVODE, each column alone."""
    robot = translate(EXAMPLES / "robot" / "robot.mdl")
    column = translate(EXAMPLES / "distillation.mdl")
    line_made, ring_made = translated(line(300)), translated(ring(51, gates=True))
    network = Network(500, tree(500)).executable()
    works: tuple[tuple[str, Callable[[], object]], ...] = (
        ("robot", robot.simulate),
        ("distillation", column.simulate),
        ("line of 300 sections", lambda: line_made.simulate(stop=3e-6, interval=3e-8, tolerance=1e-4)),
        ("ring of 51, all capacitances", lambda: ring_made.simulate(stop=5e-9, interval=1e-10, tolerance=1e-5)),
        ("tree of 500 heat capacities", lambda: go(network, stop=20.0, interval=20.0)),
    )
    for name, work in works:

        def plain(work: Callable[[], object] = work) -> None:
            with without_choice():
                work()

        with each_anew():
            row(name, "dense, by columns", "chosen, by groups", rounds, plain, work)


def jacobians() -> None:
    """The share of evaluations that go into differences: what an exact Jacobian would save at most."""
    print(f"\n{'':44}{'states':>9}{'matrix':>16}{'groups':>8}{'steps':>8}{'calls':>8}{'Jacobians':>10}{'share':>8}")
    files = [*sorted(EXAMPLES.glob("*.mdl")), EXAMPLES / "robot" / "robot.mdl"]
    for file in files:
        made = translate(file)
        size = len(made.program.state_slots)
        if size:
            share_of(file.stem, made, made.simulate())
    made = translated(ring(51, gates=True))
    share_of("ring of 51, all capacitances", made, made.simulate(stop=5e-9, interval=1e-10, tolerance=1e-5))


def share_of(name: str, made: Translation, result: Result) -> None:
    """A line of that table."""
    plan, s = choose_matrix(made.executable, lambda: True), result.stats
    groups = 0 if exact_jacobian(made.executable) else plan.groups or plan.size
    told = f"{plan.size:9}{plan.text:>16}{groups:8}{s.steps:8}{s.rhs_calls:8}{s.jacobians:10}"
    print(f"{name:44}{told}{groups * s.jacobians / s.rhs_calls:8.1%}")


def growth(rounds: int) -> None:
    """Ladders of more and more cells: time for a step and a cell."""
    print(f"\n{'':44}{'steps':>9}{'calls':>9}{'ms':>9}{'ns a step and cell':>20}")
    with tempfile.TemporaryDirectory() as folder:
        for cells in (100, 1000, 10_000):
            file = Path(folder) / "m.mdl"
            file.write_text(ladder_text(cells))
            made = translate(file)
            work = lambda made=made: made.simulate(stop=1000.0, interval=500.0)  # noqa: E731
            stats = work().stats
            spent = min(seconds(work) for _ in range(rounds))
            assert stats.steps
            print(
                f"{f'ladder of {cells} cells':44}{stats.steps:9}{stats.rhs_calls:9}{1e3 * spent:9.2f}"
                f"{1e9 * spent / stats.steps / cells:20.1f}"
            )


def main() -> None:
    """Prints the tables."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"{'':44}{'':>20} {'ms':>9}{'':>20} {'ms':>9} {'ratio':>9}")
    threads(rounds)
    matrices(rounds)
    jacobians()
    growth(rounds)


if __name__ == "__main__":
    main()
