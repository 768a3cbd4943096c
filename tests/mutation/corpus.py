"""All models, all mutants, and how many of the messages are good."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.mutation.judge import Verdict, judge
from tests.mutation.more_rules import MORE_RULES
from tests.mutation.rules import RULES, STRUCTURE, Mutant

ALL = RULES | MORE_RULES

MODELS = sorted((Path(__file__).parent / "models").glob("*.mdl"))


def mutants(text: str, seed: str, each: int = 2) -> list[Mutant]:
    """At most `each` mutants by every rule, chosen by the seed."""
    lines = text.split("\n")
    made: list[Mutant] = []
    for rule, of in ALL.items():
        chance = Random(f"{seed} {rule}")
        found = list(of.change(lines, chance))
        for i, new in chance.sample(found, min(each, len(found))):
            mutated = "\n".join([*lines[:i], *new, *lines[i + 1 :]])
            helps = of.helps(lines[i], new)
            made.append(Mutant(rule, of.kind, mutated, i + 1, i + max(len(new), 1), lines[i], helps))
    return made


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


def helpful(judged: list[Judged]) -> tuple[int, int]:
    """How many messages have the words that their rule asks for, and all."""
    return sum(item.verdict.helps for item in judged), len(judged)


def misses(judged: list[Judged]) -> list[str]:
    """Every mutant whose message is not good."""
    return [
        f"{j.model}, {j.mutant.rule}, line {j.mutant.line} `{j.mutant.was.strip()}`:"
        + ("" if j.verdict.good else " NOT LOCATED")
        + ("" if j.verdict.helps else f" NOT HELPFUL, wanted {j.mutant.helps}")
        + "\n    "
        + j.verdict.head.replace("\n", "\n    ")
        for j in judged
        if not (j.verdict.good and j.verdict.helps)
    ]


def table(judged: list[Judged]) -> str:
    """Shares as text."""
    lines = [f"{key:12}{good:5} of {count:5}{good / count:8.1%}" for key, (good, count) in shares(judged).items()]
    good, count = helpful(judged)
    lines.append(f"{'helpful':12}{good:5} of {count:5}{good / count:8.1%}")
    by_rule: dict[str, list[bool]] = {}
    for item in judged:
        by_rule.setdefault(item.mutant.rule, []).append(item.verdict.helps)
    lines += [f"  {rule}: {sum(found)} of {len(found)}" for rule, found in by_rule.items()]
    return "\n".join(lines)
