"""A share of the runs of a sweep, for a process of its own: shard 3/16 does every 16th run, from the third on."""

import re

from acausal.base.arguments import as_text
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass

_TEXT = re.compile(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*")
_FORM = "write the number of the shard and of all shards, from 1/16 to 16/16"


@dataclass(frozen=True, slots=True)
class Shard:
    """Shard `number`, from 1 on, of `count`: neighbors are in different shards, which take equally long therefore.

    Shard 0 has no runs: it makes the folder, and everything is checked.
    """

    number: int
    count: int

    def runs(self, count: int) -> range:
        """The numbers of its runs, of `count` runs."""
        return range(self.number - 1, count, self.count) if self.number else range(0)

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


WHOLE = Shard(1, 1)
"""All runs."""


def shard_of(given: object) -> Shard:
    """The shard that a text "3/16" names, all runs for None; UsageError F006 for anything else."""
    if given is None:
        return WHOLE
    text = as_text("shard", given)
    found = _TEXT.fullmatch(text)
    if found is None:
        raise UsageError(Diagnostic("F006", f"{text} is not a shard", help=_FORM))
    number, count = int(found[1]), int(found[2])
    if not number <= count or not count:
        raise UsageError(Diagnostic("F006", f"there is no shard {number} of {count}", help=_FORM))
    return Shard(number, count)
