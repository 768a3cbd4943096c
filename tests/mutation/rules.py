"""Mistakes that people make, as rules on the text of a model: each gives mutants of one line.

A mutant knows the line that was changed (or from which a line was taken away) and its old text.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

LEXICAL, NAME, SHAPE, UNIT, STRUCTURE = "lexical", "name", "shape", "unit", "structure"


@dataclass(frozen=True, slots=True)
class Mutant:
    """`text` differs from `line` (counted from 1) to `last`, where `was` stood; `rule` made it."""

    rule: str
    kind: str
    text: str
    line: int
    last: int
    was: str


Rule = Callable[[list[str], Random], Iterator[tuple[int, list[str]]]]
"""Gives (number of a line from 0, the lines in its place)."""


def _model_lines(lines: list[str]) -> range:
    begin = max(i for i, line in enumerate(lines) if re.match(r"model (?!class)", line))
    return range(begin + 1, len(lines) - 1)


def _matching(lines: list[str], pattern: str) -> list[int]:
    return [i for i in _model_lines(lines) if re.match(pattern, lines[i])]


def drop_equation(lines: list[str], _: Random) -> Iterator[tuple[int, list[str]]]:
    for i in _matching(lines, r"\s+(?!submodel|parameter|local|discrete|node|connect|experiment|for|when|new)\S.*="):
        yield i, []


def drop_connect(lines: list[str], _: Random) -> Iterator[tuple[int, list[str]]]:
    for i in _matching(lines, r"\s+connect"):
        yield i, []


def drop_ground(lines: list[str], _: Random) -> Iterator[tuple[int, list[str]]]:
    """The ground is no longer connected: one statement after the other loses it."""
    for i in _matching(lines, r"\s+connect.*\bG\b"):
        without = re.sub(r"\bG - | - G\b", "", lines[i])
        yield i, [] if without == lines[i] else [without]


def double_source(lines: list[str], _: Random) -> Iterator[tuple[int, list[str]]]:
    """A second source of the same kind beside, or in series with, the first."""
    for i in _matching(lines, r"\s+submodel \((source|sinevoltage|stepvoltage)\)"):
        name = re.findall(r"\) (\w+)", lines[i])[0]
        copy = lines[i].replace(f") {name}", ") Extra", 1)
        yield i, [lines[i], copy, f"  connect Extra:A at {name}:A", f"  connect Extra:B at {name}:B"]
    for i in _matching(lines, r"\s+submodel \((currentsource|torquesource|sinespeed)\)"):
        name = re.findall(r"\) (\w+)", lines[i])[0]
        copy = lines[i].replace(f") {name}", ") Extra", 1)
        yield i, [lines[i], copy, f"  connect Extra at {name}"]


def double_equation(lines: list[str], _: Random) -> Iterator[tuple[int, list[str]]]:
    for i in _matching(lines, r"\s+(?!submodel|parameter|local|discrete|node|connect|experiment|for|when|new)\S.*="):
        yield i, [lines[i], lines[i]]


def swap_cut(lines: list[str], _: Random) -> Iterator[tuple[int, list[str]]]:
    for i in _matching(lines, r"\s+connect.*:"):
        for cut, other in (("A", "B"), ("B", "A"), ("minus", "plus"), ("plus", "minus"), ("out", "plus")):
            changed = re.sub(rf":{cut}\b", f":{other}", lines[i], count=1)
            if changed != lines[i]:
                yield i, [changed]


def short_circuit(lines: list[str], _: Random) -> Iterator[tuple[int, list[str]]]:
    """Both ends of a source are connected."""
    for i in _matching(lines, r"\s+submodel \((source|sinevoltage|stepvoltage)\)"):
        name = re.findall(r"\) (\w+)", lines[i])[0]
        yield i, [lines[i], f"  connect {name}:A at {name}:B"]


def _misspelled(word: str, chance: Random) -> str:
    if len(word) < 3:
        return word + chance.choice("xyz")
    at = chance.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1 :] if chance.random() < 0.5 else word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _replaced(lines: list[str], pattern: str, chance: Random) -> Iterator[tuple[int, list[str]]]:
    """Group 1 of the pattern misspelled, where this changes it."""
    for i in _model_lines(lines):
        for found in re.finditer(pattern, lines[i]):
            wrong = _misspelled(found[1], chance)
            if wrong != found[1]:
                yield i, [lines[i][: found.start(1)] + wrong + lines[i][found.end(1) :]]


def misspell_class(lines: list[str], chance: Random) -> Iterator[tuple[int, list[str]]]:
    yield from _replaced(lines, r"submodel \((\w+)\)", chance)


def misspell_parameter(lines: list[str], chance: Random) -> Iterator[tuple[int, list[str]]]:
    yield from _replaced(lines, r"[(,]\s?(\w+)=(?!.*\bic\b)", chance)


def misspell_name(lines: list[str], chance: Random) -> Iterator[tuple[int, list[str]]]:
    yield from _replaced(lines, r"connect.*?\b(?!at\b|to\b|connect\b)(\w{2,})", chance)


def misspell_variable(lines: list[str], chance: Random) -> Iterator[tuple[int, list[str]]]:
    yield from _replaced(lines, r"^  (?!submodel|connect|parameter|local|node).*=.*?\b(\w{2,})\b(?!\()", chance)


def missing_parameter(lines: list[str], _: Random) -> Iterator[tuple[int, list[str]]]:
    for i in _matching(lines, r"\s+submodel"):
        without = re.sub(r"\((?:R|C|L|V|k|J|m|c|ratio|P|I|T)=[^()]*\)", "", lines[i], count=1)
        if without != lines[i]:
            yield i, [without]


def wrong_shape(lines: list[str], _: Random) -> Iterator[tuple[int, list[str]]]:
    for i in _matching(lines, r"\s+submodel \(\w+\) \w+\(\w+=[\d.e-]+"):
        yield i, [re.sub(r"=([\d.e-]+)", r"=[\1, 2]", lines[i], count=1)]
    for i in _matching(lines, r"\s+(?!submodel|parameter|local|discrete|node|connect|experiment|for|when|new)\S.* = "):
        yield i, [lines[i].replace(" = ", " = [1, 2] + ", 1)]


def wrong_unit(lines: list[str], chance: Random) -> Iterator[tuple[int, list[str]]]:
    for i in _matching(lines, r'.*unit="'):
        for unit in ("kg", "mA", "furlong"):
            yield i, [re.sub(r'unit="[^"]*"', f'unit="{unit}"', lines[i], count=1)]


_TOKEN = re.compile(r"\w+|[^\w\s]")


def delete_token(lines: list[str], chance: Random) -> Iterator[tuple[int, list[str]]]:
    for i in chance.sample(list(_model_lines(lines)), min(8, len(_model_lines(lines)))):
        tokens = list(_TOKEN.finditer(lines[i]))
        if len(tokens) > 1:
            found = chance.choice(tokens)
            yield i, [lines[i][: found.start()] + lines[i][found.end() :]]


def insert_token(lines: list[str], chance: Random) -> Iterator[tuple[int, list[str]]]:
    for i in chance.sample(list(_model_lines(lines)), min(8, len(_model_lines(lines)))):
        tokens = list(_TOKEN.finditer(lines[i]))
        if tokens:
            at = chance.choice(tokens).start()
            wrong = chance.choice([")", "(", "=", ",", "+ *", "end", "7 ", "]", "if"])
            yield i, [lines[i][:at] + wrong + lines[i][at:]]


RULES: dict[str, tuple[str, Rule]] = {
    "drop an equation": (STRUCTURE, drop_equation),
    "write an equation twice": (STRUCTURE, double_equation),
    "drop a connect": (STRUCTURE, drop_connect),
    "drop a ground": (STRUCTURE, drop_ground),
    "double a source": (STRUCTURE, double_source),
    "short-circuit a source": (STRUCTURE, short_circuit),
    "swap a cut": (STRUCTURE, swap_cut),
    "misspell a class": (NAME, misspell_class),
    "misspell a parameter": (NAME, misspell_parameter),
    "misspell a name": (NAME, misspell_name),
    "misspell a variable": (NAME, misspell_variable),
    "leave out a parameter": (NAME, missing_parameter),
    "wrong shape": (SHAPE, wrong_shape),
    "wrong unit": (UNIT, wrong_unit),
    "delete a token": (LEXICAL, delete_token),
    "insert a token": (LEXICAL, insert_token),
}


def mutants(text: str, seed: str, each: int = 2) -> list[Mutant]:
    """At most `each` mutants by every rule, chosen by the seed."""
    lines = text.split("\n")
    made: list[Mutant] = []
    for rule, (kind, function) in RULES.items():
        chance = Random(f"{seed} {rule}")
        found = list(function(lines, chance))
        for i, new in chance.sample(found, min(each, len(found))):
            mutated = "\n".join([*lines[:i], *new, *lines[i + 1 :]])
            made.append(Mutant(rule, kind, mutated, i + 1, i + max(len(new), 1), lines[i]))
    return made
