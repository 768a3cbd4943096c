"""Digests of complete results of many models, to compare two versions of acausal to the last bit.

    python -m tests.bench.digests sources > sources.json      all examples, models of tests, 1000 random systems
    python -m tests.bench.digests run sources.json FOLDER     results, as this tree computes them
    python -m tests.bench.digests compare FOLDER FOLDER       models that differ, and by how much

For another version this file runs with its interpreter: `OLD/.venv/bin/python tests/bench/digests.py run ...`. Settings
are those of the models; `--reverse` runs the models in the opposite order, as no result depends on what was translated
before.
"""

import argparse
import hashlib
import json
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

RANDOM_SYSTEMS = 1000
SECONDS = 120
"""A run that takes longer is ended and told."""


class TooLongError(Exception):
    """The time is over."""


def sources() -> list[dict[str, Any]]:
    """All models: name, files, options."""
    from random import Random

    from tests.collection import correct_models
    from tests.random_systems.system import random_system

    found = [{"name": m.name, "files": dict(m.files), "options": dict(m.options)} for m in correct_models()]
    for seed in range(RANDOM_SYSTEMS):
        text = random_system(Random(seed), mild=True).text("experiment (stop=1, interval=0.05, tolerance=1e-8)")
        found.append({"name": f"random {seed}", "files": {"m.mdl": text}, "options": {}})
    return found


def run(models: list[dict[str, Any]], folder: Path) -> None:
    """A file of arrays for each model, and a line with its digest."""
    folder.mkdir(parents=True, exist_ok=True)
    before = signal.signal(signal.SIGALRM, _over)
    for model in models:
        signal.alarm(SECONDS)
        try:
            arrays = _arrays(model)
        except TooLongError:
            arrays = {"$failure": np.array([f"longer than {SECONDS} s"])}
        except Exception as error:  # whatever it is, it is to be the same
            report = getattr(error, "report", None)
            codes = [d.code for d in report.diagnostics] if report is not None else [type(error).__name__]
            arrays = {"$failure": np.array(codes)}
        finally:
            signal.alarm(0)
        np.savez_compressed(folder / f"{_file(model['name'])}.npz", **arrays)
        sha = hashlib.sha256()
        for name in sorted(arrays):
            sha.update(name.encode() + arrays[name].tobytes())
        print(sha.hexdigest()[:20], model["name"], flush=True)
    signal.signal(signal.SIGALRM, before)


def _over(_: int, __: FrameType | None) -> None:
    raise TooLongError


def _arrays(model: dict[str, Any]) -> dict[str, Any]:
    from acausal.pipeline import translate

    options: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in model["options"].items()}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in model["files"].items():
            (Path(folder) / name).write_text(text, encoding="utf-8", newline="")
        result = translate(Path(folder) / next(iter(model["files"])), **options).simulate()
    found = {name: np.ascontiguousarray(result[name], dtype=float) for name in result.names}
    found["$time"] = np.ascontiguousarray(result.time, dtype=float)
    found["$events"] = np.array([event.time for event in result.events], dtype=float)
    return found


def compare(one: Path, other: Path) -> Iterator[str]:
    """A line for each model that differs: the largest deviation as a share of the range of its variable."""
    files = sorted({f.name for f in (*one.glob("*.npz"), *other.glob("*.npz"))})
    same = 0
    for name in files:
        a, b = (_loaded(folder / name) for folder in (one, other))
        told = _difference(a, b)
        if told:
            yield f"{name.removesuffix('.npz')}: {told}"
        else:
            same += 1
    yield f"{same} of {len(files)} are identical"


def _loaded(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {}
    with np.load(file) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _difference(a: dict[str, Any], b: dict[str, Any]) -> str:
    if not a or not b:
        return "only one has it"
    failures = [tuple(x["$failure"]) if "$failure" in x else None for x in (a, b)]
    if any(failures):
        return "" if failures[0] == failures[1] else f"failures {failures[0]} and {failures[1]}"
    told = []
    if a.keys() != b.keys():
        only = sorted(a.keys() ^ b.keys())
        told.append(f"{len(only)} variables only in one, such as {only[0]}")
    both = sorted(a.keys() & b.keys())
    shapes = [name for name in both if a[name].shape != b[name].shape]
    if shapes:
        return "; ".join([*told, f"other lengths: {shapes[0]} {a[shapes[0]].shape} and {b[shapes[0]].shape}"])
    changed = [name for name in both if a[name].tobytes() != b[name].tobytes()]
    if changed:
        worst = max(changed, key=lambda name: _share(a[name], b[name]))
        told.append(f"{len(changed)} of {len(both)} variables, at most {_share(a[worst], b[worst]):.1e} of {worst}")
    return "; ".join(told)


def _share(a: Any, b: Any) -> float:
    scale = max(float(np.nanmax(np.abs(a), initial=0.0)), 1e-300)
    worst = float(np.nanmax(np.abs(a - b), initial=0.0))
    return worst / scale if np.array_equal(np.isnan(a), np.isnan(b)) else np.inf


def _file(name: str) -> str:
    return "".join([c if c.isalnum() or c in "-." else "_" for c in name])


def main() -> None:
    """Do what the first word says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("sources", "run", "compare"))
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--reverse", action="store_true")
    parser.add_argument("--only", default="", help="part of the names of the models to run")
    given = parser.parse_args()
    if given.action == "sources":
        json.dump(sources(), sys.stdout)
    elif given.action == "run":
        models = [m for m in json.loads(given.paths[0].read_text()) if given.only in (m["name"], "")]
        run(models[::-1] if given.reverse else models, given.paths[1])
    else:
        print(*compare(*given.paths), sep="\n")


if __name__ == "__main__":
    main()
