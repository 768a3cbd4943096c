"""A function of arrays at one set of arguments by calls from Python that take little more time than the machine code.

Arguments are copied to where the code reads them, through views of memory, which take arrays of floats of their own
length and nothing else.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from acausal.base.frozen import record
from acausal.codegen.address import view_of

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

    Bind = Callable[[Array, Array], Callable[[float], Array]]
    """From inputs and results to the function of the time that computes these."""

ALL = slice(None)


@record(frozen=True, slots=True)
class _Arrays:
    """Arrays of a call, for one thread at a time."""

    inputs: tuple[memoryview, ...]
    evaluate: "Callable[[float], Array]"
    result: "Array"


class SingleCall:
    """A function of arguments with `lengths` and a result of a `shape`, for several threads."""

    def __init__(self, bind: "Bind", lengths: Sequence[int], shape: tuple[int, ...]) -> None:
        self._bind, self._lengths, self._shape = bind, tuple(lengths), shape
        self._free: list[_Arrays] = []

    def __call__(self, arguments: Sequence[object]) -> "Array | None":
        """The result; None unless all arguments are arrays of floats of the right lengths."""
        try:
            arrays = self._free.pop()
        except IndexError:  # the first call, or others are under way
            arrays = self._made()
        inputs, is_quick = arrays.inputs, len(arguments) == len(self._lengths)
        try:
            if is_quick:
                for view, argument in zip(inputs, arguments):  # noqa: B905  # as many, at less cost
                    view[ALL] = argument  # type: ignore[call-overload]  # where it is a buffer
        except (TypeError, ValueError):
            is_quick = False
        found = None
        if is_quick:
            arrays.evaluate(0.0)
            found = arrays.result.copy() if self._shape else arrays.result[()]
        self._free.append(arrays)
        return found

    def bound(self, arguments: "Sequence[Array]", out: "Array") -> "Callable[[], Array]":
        """A function that computes the result for what contiguous arrays hold when it is called, into `out`."""
        import numpy as np

        inputs = np.zeros(sum(self._lengths))
        places = self._views(inputs)
        evaluate = self._bind(inputs, out.reshape(-1))
        pairs = tuple(zip(places, map(view_of, arguments), strict=True))

        def call() -> "Array":
            for place, given in pairs:
                place[ALL] = given
            evaluate(0.0)
            return out

        return call

    def _views(self, inputs: "Array") -> tuple[memoryview, ...]:
        import numpy as np

        return tuple([view_of(part) for part in np.split(inputs, np.cumsum(self._lengths)[:-1])])

    def _made(self) -> _Arrays:
        import numpy as np

        inputs, result = np.zeros(sum(self._lengths)), np.zeros(self._shape)
        return _Arrays(self._views(inputs), self._bind(inputs, result.reshape(-1)), result)
