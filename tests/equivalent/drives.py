"""Random drives: inertias, springs, dampers and gears in a row, and the same drive in other words."""

from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from tests.equivalent.pair import Pair, Terms
from tests.equivalent.words import Numbers, new_name, shuffled

STOP = 0.5
PARAMETER = {"inertia": "J", "spring": "c", "damper": "d", "gear": "ratio"}


@dataclass(frozen=True, slots=True)
class Part:
    """A component in the row; `beside` is a damper parallel to a spring."""

    id: str
    kind: str
    value: float
    start: tuple[float, float] = (0.0, 0.0)
    beside: float | None = None
    turned: bool = False


def random_drive(rng: Random) -> list[Part]:
    """Inertias with springs between, some with a damper beside, some with a gear before."""
    parts = [_inertia(rng, 0)]
    for k in range(1, rng.randint(2, 4)):
        if rng.random() < 0.4:
            parts.append(Part(f"g{k}", "gear", rng.choice((2.0, -1.5, 3.0, 0.4))))
        beside = round(rng.uniform(0.1, 1), 3) if rng.random() < 0.6 else None
        parts.append(Part(f"s{k}", "spring", round(rng.uniform(5, 50), 2), beside=beside))
        parts.append(_inertia(rng, k))
    return parts


def _inertia(rng: Random, number: int) -> Part:
    start = round(rng.uniform(-1, 1), 3), round(rng.uniform(-2, 2), 3)
    return Part(f"J{number}", "inertia", round(rng.uniform(0.1, 2), 3), start)


def text(rng: Random, parts: list[Part], *, other: bool) -> tuple[str, dict[str, str]]:
    """The model, and the names of its parts."""
    used = {"M", "wall", "load"}
    numbers = Numbers(rng, used, rng.choice((0.0, 0.5)) if other else 0.0)
    names = {p.id: new_name(rng, used) if other else p.id for p in parts}
    declared: list[str] = []
    row: list[str] = []
    for part in parts:
        name = names[part.id]
        start = (
            f" (ic phi={numbers.text(part.start[0])}, w={numbers.text(part.start[1])})"
            if part.kind == "inertia"
            else ""
        )
        declared.append(f"submodel ({part.kind}) {name}({PARAMETER[part.kind]}={numbers.text(part.value)}){start}")
        item = f"\\{name}" if part.turned else name
        if part.beside is not None:
            damper = new_name(rng, used) if other else f"d_{name}"
            declared.append(f"submodel (damper) {damper}(d={numbers.text(part.beside)})")
            item = f"({item} // {damper})" if not (other and rng.random() < 0.5) else f"({damper} // {item})"
        row.append(item)
    connects = [f"connect {' - '.join(row)}"]
    if other and rng.random() < 0.5 and all(p.beside is None for p in parts):
        connects = [f"connect {a} - {b}" for a, b in pairwise(row)]
    if other and rng.random() < 0.3:
        connects = [f"connect \\({' - '.join(row)})"]
    lines = shuffled(rng, numbers.lines + declared + connects, other)
    return "@rotational.lib\nmodel M\n" + "".join(f"  {line}\n" for line in lines) + "end\n", names


def a_drive(rng: Random) -> Pair:
    """A drive, and the same one with springs and inertias split and in other words."""
    parts = random_drive(rng)
    made: list[Part] = []
    same: dict[str, list[tuple[float, str]]] = {}
    for part in parts:
        if part.kind == "inertia":
            same |= {f"{part.id}.{x}": [(1.0, f"{part.id}.{x}")] for x in ("phi", "w")}
        if part.kind == "spring" and part.beside is None and rng.random() < 0.4:
            share = rng.uniform(0.2, 0.8)
            made += [
                replace(part, id=f"{part.id}{x}", value=part.value / s) for x, s in (("p", share), ("q", 1 - share))
            ]
        elif part.kind in ("spring", "inertia") and rng.random() < 0.3:
            made.append(replace(part, turned=True))
        else:
            made.append(part)
    first, ours = text(rng, parts, other=False)
    second, theirs = text(rng, made, other=True)
    terms: dict[str, Terms] = {}
    for quantity, sums in same.items():
        id_, x = quantity.split(".")
        terms[f"{ours[id_]}.{x}"] = tuple([(f, f"{theirs[n.split('.')[0]]}.{n.split('.')[1]}") for f, n in sums])
    return Pair(first, second, terms, STOP)
