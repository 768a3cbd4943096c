"""Mistakes that people make, as rules on the text of a model: each gives mutants of one place.

A mutant knows the lines that were changed (or from which a line was taken away), their old text, and which words a
helpful message must have: this was decided for each rule before any result was looked at (`helps`).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

LEXICAL, NAME, SHAPE, UNIT, STRUCTURE, VALUE, HABIT = "lexical name shape unit structure value habit".split()

Helps = tuple[tuple[str, ...], ...]
"""Of each group one must stand in the message."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """`text` differs from `line` (counted from 1) to `last`, where `was` stood; `rule` made it."""

    rule: str
    kind: str
    text: str
    line: int
    last: int
    was: str
    helps: Helps = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """`change` gives (number of a line from 0, the lines in its place); `helps` what must be told of it."""

    kind: str
    change: Callable[[list[str], Random], Iterator[tuple[int, list[str]]]]
    helps: Callable[[str, list[str]], Helps]


KEYWORDS = frozenset(
    """connect to at submodel parameter local unit if then elseif else discrete node for when elsewhen endwhen endif
    endfor new init ic der sin cos exp sqrt time start fixed true false sample input output integer""".split()
)


def names_of(was: str, _: list[str]) -> Helps:
    """A name of the line: a variable, a parameter, a submodel or its class."""
    words = [w for w in re.findall(r"[A-Za-z_]\w*", re.sub(r'"[^"]*"', "", was)) if w not in KEYWORDS]
    return (tuple(dict.fromkeys(words)),)


def correct_word(was: str, new: list[str]) -> Helps:
    """The word that was written right before."""
    changed = "\n".join(new)
    at = next((i for i, (a, b) in enumerate(zip(was, changed, strict=False)) if a != b), min(len(was), len(changed)))
    return (tuple([w[0] for w in re.finditer(r"\w+", was) if w.end() >= at][:1]),)


def words(*said: str) -> Callable[[str, list[str]], Helps]:
    """One of these."""
    return lambda _was, _new: (said,)


def names_and(*said: str) -> Callable[[str, list[str]], Helps]:
    """A name of the line and one of these."""
    return lambda was, new: (*names_of(was, new), said)


def both_sources(was: str, new: list[str]) -> Helps:
    """The new one, or the one that it stands beside."""
    return ((*re.findall(r"\) (\w+)", was)[:1], "Extra"),)


def token(was: str, new: list[str]) -> Helps:
    """The sign that is too much or missing, or what is told in its place: its kind, or the sign beside it."""
    before, after = [re.findall(r"\w+|[^\w\s]", text) for text in (was, "\n".join(new))]
    at = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
    longer = before if len(before) > len(after) else after
    near = [t for t in (longer[at : at + 2]) if t]
    kinds = {"(": "bracket", ")": "bracket", "]": "bracket", ",": "comma", "=": "equation"}
    return ((*near, *(kinds[t] for t in near if t in kinds), "a name", "a number", "an expression", "operator"),)


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


def _doubled(line: str) -> str:
    """The line with twice the first number."""
    return re.sub(r"=([\d.]+)", lambda m: f"={2 * float(m[1]):g}", line, count=1)


def double_source(lines: list[str], _: Random) -> Iterator[tuple[int, list[str]]]:
    """A second source of the same kind and another value beside, or in series with, the first.

    (With the same value it is redundant, which is legal, and told by a note.)
    """
    for i in _matching(lines, r"\s+submodel \((source|sinevoltage|stepvoltage)\)"):
        name = re.findall(r"\) (\w+)", lines[i])[0]
        copy = _doubled(lines[i].replace(f") {name}", ") Extra", 1))
        yield i, [lines[i], copy, f"  connect Extra:A at {name}:A", f"  connect Extra:B at {name}:B"]
    for i in _matching(lines, r"\s+submodel \((currentsource|torquesource|sinespeed)\)"):
        name = re.findall(r"\) (\w+)", lines[i])[0]
        copy = _doubled(lines[i].replace(f") {name}", ") Extra", 1))
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


RULES: dict[str, Rule] = {
    "drop an equation": Rule(STRUCTURE, drop_equation, names_of),
    "write an equation twice": Rule(STRUCTURE, double_equation, names_of),
    "drop a connect": Rule(STRUCTURE, drop_connect, names_of),
    "drop a ground": Rule(STRUCTURE, drop_ground, words("ground")),
    "double a source": Rule(STRUCTURE, double_source, both_sources),
    "short-circuit a source": Rule(STRUCTURE, short_circuit, names_of),
    "swap a cut": Rule(STRUCTURE, swap_cut, names_of),
    "misspell a class": Rule(NAME, misspell_class, correct_word),
    "misspell a parameter": Rule(NAME, misspell_parameter, correct_word),
    "misspell a name": Rule(NAME, misspell_name, correct_word),
    "misspell a variable": Rule(NAME, misspell_variable, correct_word),
    "leave out a parameter": Rule(NAME, missing_parameter, names_of),
    "wrong shape": Rule(SHAPE, wrong_shape, words("shape", "array", "scalar", "vector", "one number")),
    "wrong unit": Rule(UNIT, wrong_unit, words("kg", "mA", "furlong")),
    "delete a token": Rule(LEXICAL, delete_token, token),
    "insert a token": Rule(LEXICAL, insert_token, token),
}
