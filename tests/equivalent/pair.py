"""Two texts of one model, and the comparison of their results."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import acausal

TOLERANCE = 1e-8
ROWS = 20
NEAR = 2e-5
"""Difference of two results in units of the range of a quantity; both are within 1e-6 or so of the solution."""
SMALL = 1e-3
"""A quantity whose range is less than this share of the greatest of its kind is compared with that share."""

Terms = tuple[tuple[float, str], ...]
"""A sum of variables with factors; the empty name is the number 1."""


@dataclass(frozen=True, slots=True)
class Pair:
    """`same` gives each variable of the first text as a sum of variables of the second one."""

    first: str
    second: str
    same: Mapping[str, Terms]
    stop: float


def compare(pair: Pair) -> None:
    """AssertionError where the results differ; any error of the translator or the run goes on."""
    with TemporaryDirectory() as folder:
        one, two = (
            _run(Path(folder) / name, text, pair.stop) for name, text in (("a.mdl", pair.first), ("b.mdl", pair.second))
        )
    kinds: dict[str, float] = {}
    ours = {name: np.asarray(one[name]) for name in pair.same}
    for name, values in ours.items():
        kinds[_kind(name)] = max(kinds.get(_kind(name), 0.0), float(np.abs(values).max()))
    for name, terms in pair.same.items():
        theirs = sum(factor * (np.asarray(two[other]) if other else 1.0) for factor, other in terms)
        scale = max(float(np.abs(ours[name]).max()), SMALL * kinds[_kind(name)], 1e-12)
        worst = float(np.abs(ours[name] - theirs).max()) / scale
        assert worst < NEAR, (
            f"{name} differs from {terms} by {worst:.2g} of its range\n{pair.first}\n---\n{pair.second}"
        )


def _kind(name: str) -> str:
    return name.rsplit(".", 1)[-1] if "." in name else ""


def _run(file: Path, text: str, stop: float) -> "acausal.Result":
    file.write_text(text, encoding="utf-8")
    try:
        translation = acausal.translate(file, cache=False)
        return translation.simulate(stop=stop, interval=stop / ROWS, tolerance=TOLERANCE)
    except acausal.ModelError as error:
        raise AssertionError(f"rejected: {error}\n{text}") from error
