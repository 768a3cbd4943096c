"""Texts before and after a change: offsets of one in the other."""

from collections.abc import Callable

from acausal.base.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """Between two texts: `prefix` characters are common at the begin, `suffix` at the end."""

    prefix: int
    suffix: int
    before: int
    after: int

    def forward(self, start: int, end: int) -> tuple[int, int] | None:
        """The place in the text after the change; None if the change touches its inside."""
        if end <= self.prefix:
            return start, end
        if start >= self.before - self.suffix:
            shift = self.after - self.before
            return start + shift, end + shift
        return None

    def backward(self, offset: int) -> int:
        """The offset in the text before the change; within the change its begin."""
        if offset <= self.prefix:
            return offset
        return max(self.prefix, offset + self.before - self.after)


def change(before: str, after: str) -> Change:
    """The difference between two texts, as one piece."""
    short = min(len(before), len(after))
    prefix = _longest(short, lambda n: before.startswith(after[:n]))
    suffix = _longest(short - prefix, lambda n: before.endswith(after[len(after) - n :]))
    return Change(prefix, suffix, len(before), len(after))


def _longest(most: int, fits: Callable[[int], bool]) -> int:
    """The greatest number up to `most` that fits, where all below one that fits do."""
    low = 0
    while low < most:
        middle = (low + most + 1) // 2
        if fits(middle):
            low = middle
        else:
            most = middle - 1
    return low
