"""Runs in threads: the solver and the machine code run without the interpreter's lock.

Each run has its own parameters, states and memory, so that threads share nothing that changes. Whoever waits gets the
runs in portions, as a word for each would cost more than a short run.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

from acausal.sweep.runs.portion import Portion, Run

Work = Callable[[Sequence[int], Callable[[], bool]], Portion]
"""Does the first of the runs of these numbers, as many as make a portion, asking now and then whether it is to stop."""
OnRuns = Callable[[list[Run]], None]


def in_threads(indices: Sequence[int], jobs: int, work: Work, report: OnRuns) -> None:
    """All runs; `report` is called here with portions of them, in the order in which they are done.

    KeyboardInterrupt halts those under way; what is done by then is handed over before it goes on.
    """
    if min(jobs, len(indices)) <= 1:
        _alone(indices, work, report)
        return
    crew = _Crew(indices, min(jobs, len(indices)), work)
    try:
        crew.wait(report)
    except BaseException:
        crew.halt()
        crew.wait(report)
        raise


def _alone(indices: Sequence[int], work: Work, report: OnRuns) -> None:
    left = _Numbers(indices, 1)
    while numbers := left.take():
        portion = work(numbers, _never)
        left.give_back(numbers, len(portion.runs))
        report(portion.runs)
        if portion.is_halted:
            raise KeyboardInterrupt


def _never() -> bool:
    return False


class _Numbers:
    """The numbers of the runs that are left, for so many threads."""

    def __init__(self, indices: Sequence[int], jobs: int) -> None:
        self._left = deque(indices)
        self._jobs = jobs
        self._lock = threading.Lock()
        self._most = 1

    def take(self) -> list[int]:
        """Some of them, none where there are no more: few towards the end, so that all threads end together."""
        with self._lock:
            share = len(self._left) // (2 * self._jobs)
            return [self._left.popleft() for _ in range(min(self._most, max(share, 1), len(self._left)))]

    def give_back(self, numbers: list[int], done: int) -> None:
        """Only so many of them could be done in a portion; the next one need not be larger than twice that."""
        with self._lock:
            self._left.extendleft(reversed(numbers[done:]))
            self._most = 2 * max(1, done)


class _Crew:
    """Threads that take numbers from one list and put what they have done into one queue."""

    def __init__(self, indices: Sequence[int], jobs: int, work: Work) -> None:
        self._work = work
        self._left = _Numbers(indices, jobs)
        self._halted = threading.Event()
        self._done: SimpleQueue[list[Run] | BaseException | None] = SimpleQueue()
        self._busy = jobs
        for _ in range(jobs):
            threading.Thread(target=self._serve, daemon=True).start()

    def halt(self) -> None:
        """No further run begins, and those under way end soon."""
        self._halted.set()

    def wait(self, report: OnRuns) -> None:
        """Report what is done until no thread is busy; an error of a thread is raised here."""
        while self._busy:
            try:
                found = self._done.get(timeout=0.5)
            except Empty:
                continue
            if isinstance(found, list):
                report(found)
            else:
                self._busy -= 1
            if isinstance(found, BaseException):
                raise found

    def _serve(self) -> None:
        try:
            while not self._halted.is_set() and (numbers := self._left.take()):
                portion = self._work(numbers, self._halted.is_set)
                self._left.give_back(numbers, len(portion.runs))
                self._done.put(portion.runs)
        except BaseException as error:
            self._done.put(error)
        else:
            self._done.put(None)
