"""Result files with bytes changed: they are read, or it is an ordinary error."""

from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from acausal.base.diagnostics import UsageError
from acausal.results.read import read
from tests.results.made import made

KINDS = ("csv", "npz", "mat", *(["parquet"] if find_spec("pyarrow") else []))


@cache
def good(kind: str) -> bytes:
    """A result as a file of this kind."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"good.{kind}"
        made(40).write(path)
        return path.read_bytes()


def damaged(content: bytes, rng: Random) -> bytes:
    """Bytes changed, inserted, removed, or the end cut off; most of them near the beginning or the end."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        if not data:
            break
        at = rng.choice((rng.randrange(len(data)), rng.randrange(min(400, len(data))), -rng.randrange(400) - 1))
        at %= len(data)
        kind = rng.randrange(8)
        if kind < 3:
            data[at] = rng.choice((0, 255, data[at] ^ (1 << rng.randrange(8)), rng.randrange(256)))
        elif kind < 5:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice((1, 4, 8))))
        elif kind < 7:
            del data[at : at + rng.choice((1, 4, 100))]
        else:
            del data[at:]
    return bytes(data)


def damaged_results(rng: Random) -> None:
    """One file of each kind."""
    with TemporaryDirectory() as folder:
        for path in _damaged(Path(folder), rng):
            try:
                result = read(path)
            except UsageError as error:
                (told,) = error.report.diagnostics
                assert told.code == "F001"
                assert len(told.message) < 400
            else:
                assert all(len(result[name]) == len(result.time) for name in result.names)


def _damaged(folder: Path, rng: Random) -> Iterator[Path]:
    for kind in KINDS:
        path = folder / f"bad.{kind}"
        path.write_bytes(damaged(good(kind), rng))
        yield path
