"""Runs in threads: the solver and the machine code run without the interpreter's lock.

Each run has its own parameters, states and memory, so that threads share nothing that changes. Whoever waits gets the
runs in portions, as a word for each would cost more than a short run.
"""

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from time import monotonic

from acausal.sweep.versions import Run

PORTION = 0.05
"""Seconds of work that are told at once."""
Work = Callable[[int, Callable[[], bool]], Run | None]
"""Does the run of a number, asking now and then whether it is to stop; None where it did."""
Tell = Callable[[list[Run]], None]


def in_threads(indices: Sequence[int], jobs: int, work: Work, tell: Tell) -> None:
    """All runs; `tell` is called here with portions of them, in the order in which they are done.

    KeyboardInterrupt halts those under way; what is done by then is told before it goes on.
    """
    if min(jobs, len(indices)) <= 1:
        _alone(indices, work, tell)
        return
    crew = _Crew(indices, min(jobs, len(indices)), work)
    try:
        crew.wait(tell)
    except BaseException:
        crew.halt()
        crew.wait(tell)
        raise


def _alone(indices: Sequence[int], work: Work, tell: Tell) -> None:
    portion: list[Run] = []
    due = monotonic() + PORTION
    try:
        for index in indices:
            run = work(index, _never)
            if run is None:
                raise KeyboardInterrupt
            portion.append(run)
            if monotonic() > due:
                told, portion = portion, []
                tell(told)
                due = monotonic() + PORTION
    finally:
        tell(portion)


def _never() -> bool:
    return False


class _Crew:
    """Threads that take numbers from one list and put what they have done into one queue."""

    def __init__(self, indices: Sequence[int], jobs: int, work: Work) -> None:
        self._work = work
        self._next = iter(indices)
        self._lock = threading.Lock()
        self._halted = threading.Event()
        self._done: SimpleQueue[list[Run] | BaseException | None] = SimpleQueue()
        self._busy = jobs
        for _ in range(jobs):
            threading.Thread(target=self._serve, daemon=True).start()

    def halt(self) -> None:
        """No further run begins, and those under way end soon."""
        self._halted.set()

    def wait(self, tell: Tell) -> None:
        """Tells what is done until nobody is busy; an error of a thread is raised here."""
        while self._busy:
            try:
                found = self._done.get(timeout=0.5)
            except Empty:
                continue
            if isinstance(found, list):
                tell(found)
            else:
                self._busy -= 1
            if isinstance(found, BaseException):
                raise found

    def _serve(self) -> None:
        portion: list[Run] = []
        due = monotonic() + PORTION
        try:
            while (index := self._take()) is not None:
                run = self._work(index, self._halted.is_set)
                if run is not None:
                    portion.append(run)
                if monotonic() > due:
                    self._done.put(portion)
                    portion, due = [], monotonic() + PORTION
        except BaseException as error:
            self._done.put(portion)
            self._done.put(error)
        else:
            self._done.put(portion)
            self._done.put(None)

    def _take(self) -> int | None:
        with self._lock:
            return None if self._halted.is_set() else next(self._next, None)
