"""The progress of the sweep in a folder, from its files alone: no model is needed, and no process is asked."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from time import time
from typing import Any

from acausal.base.arguments import as_path
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.sweep.storage.folder import PARTS, TABLE, shard_of_part
from acausal.sweep.storage.manifest import read_manifest
from acausal.sweep.storage.rows import OK, complete_rows
from acausal.sweep.storage.shard import WHOLE, Shard


@dataclass(frozen=True, slots=True)
class ShardStatus:
    """Runs of a shard that are done, of all of it, and the age of its last row in seconds, None without any."""

    shard: str
    done: int
    count: int
    age: float | None

    def __str__(self) -> str:
        last = "" if self.age is None or self.done == self.count else f", last row {self.age:.0f} s ago"
        return f"shard {self.shard}: {self.done} of {self.count}{last}"


@dataclass(frozen=True, slots=True)
class SweepStatus:
    """Runs of the sweep of a model that are done; how many of them failed, by code; its shards, if any began."""

    model: str
    done: int
    count: int
    failures: dict[str, int]
    shards: tuple[ShardStatus, ...]

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def __str__(self) -> str:
        codes = ", ".join(f"{code}: {count}" for code, count in self.failures.items())
        failed = f", {sum(self.failures.values())} of them failed ({codes})" if codes else ""
        return "\n".join([f"{self.model}: {self.done} of {self.count} runs are done{failed}", *map(str, self.shards)])


def sweep_status(folder: str | Path) -> SweepStatus:
    """The status of the folder of a sweep; UsageError W004 where it is none, F001 where it cannot be read."""
    path = as_path("folder", folder)
    try:
        manifest: Any = read_manifest(path)
        name, count = str(manifest["model"]["name"]), int(manifest["runs"]["count"])
        parts = sorted(path.joinpath(PARTS).glob("*.csv"))
        statuses = {row[0]: row[-1] for file in (*parts, path / TABLE) for row in complete_rows(file) if len(row) > 1}
        ages = _ages(parts)
    except OSError as error:
        hint = "name the folder that --folder named"
        raise UsageError(
            Diagnostic("F001", f"{path} is not a folder of a sweep: {error.strerror}", help=hint)
        ) from None
    except (KeyError, TypeError, ValueError):
        raise UsageError(Diagnostic("W004", f"{path} was not written by a sweep", help="name another folder")) from None
    failures = Counter(status.partition(":")[0] for status in statuses.values() if status != OK)
    done = {int(run) for run in statuses if run.isdecimal()}
    shards = tuple([_of_shard(shard, count, done, ages.get(shard)) for shard in _shards(list(ages))])
    return SweepStatus(name, len(done), count, dict(sorted(failures.items())), shards)


def _ages(parts: list[Path]) -> dict[Shard, float]:
    """Seconds since the last row of each shard that has begun."""
    now, ages = time(), dict[Shard, float]()
    for part in parts:
        shard = shard_of_part(part.name)
        if shard is not None:
            age = max(0.0, now - part.stat().st_mtime)
            ages[shard] = min(age, ages.get(shard, age))
    return ages


def _shards(begun: list[Shard]) -> list[Shard]:
    """All shards where those that began are of one number, also such as have not begun."""
    counts = {shard.count: None for shard in begun if shard != WHOLE}
    if len(counts) != 1:
        return [shard for shard in begun if shard != WHOLE]
    (count,) = counts
    return [Shard(number, count) for number in range(1, count + 1)]


def _of_shard(shard: Shard, count: int, done: set[int], age: float | None) -> ShardStatus:
    own = shard.runs(count)
    return ShardStatus(str(shard), sum(run in done for run in own), len(own), age)
