"""The parse tables: made by lark from the grammar, kept as JSON, run by our own loop.

Lark proves the grammar LALR and computes the tables; it is imported only when
they are made. They are plain integers and strings and do not depend on the
installed lark, so the key of a saved file is the hash of the grammar's text and
of the layout below.
"""

import hashlib
import json
import os
from pathlib import Path

from acausal.base.caches import once
from acausal.base.files.paths import cache_folder, grammar_folder
from acausal.base.frozen import dataclass

LAYOUT = "1"
SHIPPED = Path(__file__).with_name("tables.json")


@dataclass(frozen=True, slots=True)
class Rule:
    """One production of the grammar and which of its symbols become children.

    `children` holds for each child the index of a symbol, `-1 - index` for one whose
    list of children takes its place, or None where an optional part is missing.
    `method` names what the builder calls; None passes on the single child, and
    `listed` collects the children in a list.
    """

    origin: int
    size: int
    method: str | None
    listed: bool
    children: tuple[int | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """LALR(1) tables: symbols are numbered, terminals first. Equal only to itself, so that it can be a key.

    `rows[state][terminal]` is a state to shift to, or `-1 - rule` to reduce by;
    `gotos[state][symbol]` the state after a reduction. `starts` and `ends` give the first
    and last state of each start symbol, `patterns` the text ("str") or the regular
    expression ("re") of each terminal, `openers` the states that begin a nested thing.
    `units` remembers chains of reductions that only rename: it grows while parsing.
    """

    symbols: tuple[str, ...]
    patterns: dict[str, tuple[str, str]]
    rules: tuple[Rule, ...]
    rows: tuple[dict[int, int], ...]
    gotos: tuple[dict[int, int], ...]
    starts: dict[str, int]
    ends: dict[str, int]
    openers: frozenset[int]
    units: dict[int, int]


@once
def load_tables() -> Tables:
    """The tables of the grammar as it is: shipped, cached for the user, or made now."""
    grammar = _grammar_text()
    key = grammar_key(grammar)
    cached = cache_folder() / f"tables-{key[:16]}.json"
    for path in (SHIPPED, cached):
        data = _read(path, key)
        if data is not None:
            return _from_json(data)
    from acausal.syntax.automaton.make_tables import make_tables

    text = make_tables(grammar, key)
    _write_quietly(cached, text)
    return _from_json(json.loads(text))


def build_tables(folder: Path, target: Path = SHIPPED) -> Path:
    """Write the tables of the grammar in `folder` to `target`: called when a wheel is built."""
    from acausal.syntax.automaton.make_tables import make_tables

    grammar = (folder / "acausal.lark").read_text(encoding="utf-8")
    target.write_text(make_tables(grammar, grammar_key(grammar)), encoding="utf-8")
    return target


def grammar_key(grammar: str) -> str:
    """Key that a saved file of tables must have to be used with this grammar."""
    return hashlib.sha256((LAYOUT + "\n" + grammar).encode()).hexdigest()


def _grammar_text() -> str:
    return (grammar_folder() / "acausal.lark").read_text(encoding="utf-8")


def _read(path: Path, key: str) -> dict[str, object] | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) and data.get("key") == key else None


def _write_quietly(path: Path, text: str) -> None:
    """Write whole or not at all; a folder that cannot be written only costs time."""
    import tempfile

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        return


def _from_json(data: dict[str, object]) -> Tables:
    def pairs(rows: object) -> tuple[dict[int, int], ...]:
        assert isinstance(rows, list)
        return tuple(dict(zip(row[::2], row[1::2], strict=True)) for row in rows)

    symbols, patterns, rules = data["symbols"], data["patterns"], data["rules"]
    starts, ends, openers = data["starts"], data["ends"], data["openers"]
    assert isinstance(symbols, list) and isinstance(rules, list) and isinstance(openers, list)
    assert isinstance(patterns, dict) and isinstance(starts, dict) and isinstance(ends, dict)
    return Tables(
        symbols=tuple(symbols),
        patterns={name: (kind, text) for name, (kind, text) in patterns.items()},
        rules=tuple(Rule(origin, size, method, listed, tuple(kids)) for origin, size, method, listed, kids in rules),
        rows=pairs(data["rows"]),
        gotos=pairs(data["gotos"]),
        starts=starts,
        ends=ends,
        openers=frozenset(openers),
        units={},
    )
