"""All models, all mutants, and how many of the messages are good."""

from dataclasses import dataclass
from pathlib import Path

from tests.mutation.judge import Verdict, judge
from tests.mutation.rules import STRUCTURE, Mutant, mutants

MODELS = sorted((Path(__file__).parent / "models").glob("*.mdl"))


@dataclass(frozen=True, slots=True)
class Judged:
    """A mutant of a model that counts, with its verdict."""

    model: str
    mutant: Mutant
    verdict: Verdict


def score(each: int, folder: Path, models: list[Path] = MODELS) -> list[Judged]:
    """The mutants that count."""
    judged = []
    for model in models:
        for mutant in mutants(model.read_text(encoding="utf-8"), model.stem, each):
            verdict = judge(mutant, folder)
            if verdict.counts:
                judged.append(Judged(model.stem, mutant, verdict))
    return judged


def shares(judged: list[Judged]) -> dict[str, tuple[int, int]]:
    """Good ones and all, by kind, and together for `structural`, `others` and `all`."""
    found: dict[str, tuple[int, int]] = {}
    for item in judged:
        kind = item.mutant.kind
        for key in (kind, "structural" if kind == STRUCTURE else "others", "all"):
            if key != kind or kind != STRUCTURE:
                good, count = found.get(key, (0, 0))
                found[key] = good + item.verdict.good, count + 1
    return found


def misses(judged: list[Judged]) -> list[str]:
    """Every mutant whose message is not good."""
    return [
        f"{j.model}, {j.mutant.rule}, line {j.mutant.line} `{j.mutant.was.strip()}`:\n    "
        + j.verdict.head.replace("\n", "\n    ")
        for j in judged
        if not j.verdict.good
    ]


def table(judged: list[Judged]) -> str:
    """Shares as text."""
    lines = [f"{key:12}{good:5} of {count:5}{good / count:8.1%}" for key, (good, count) in shares(judged).items()]
    return "\n".join(lines)
