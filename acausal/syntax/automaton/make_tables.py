"""Grammar text -> parse tables as JSON text, through lark.

Example in: `a: b "x"` with `b: "y"`. Example out: symbols, rules with their
children, and two tables of integers, numbered in an order that does not depend
on hashing.
"""

import json
from keyword import iskeyword
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from acausal.base.frozen import dataclass
from acausal.syntax.automaton.symbols import END_OF_TEXT, QUANTITY, STARTS

OPENERS = frozenset("LPAR LSQB IF ELSEIF WHEN ELSEWHEN FOR MODEL NOT CIRCUMFLEX REVERSED BACKSLASH".split())

# lark's serialized form: nested dictionaries, lists, strings and integers
Json = Any


@dataclass(frozen=True, slots=True)
class _LarkTables:
    """Tables computed by lark: token names, rules by memo number, and states."""

    tokens: dict[int, str]
    memo: dict[int, Json]
    states: dict[int, dict[int, tuple[int, Json]]]
    starts: dict[str, int]
    ends: dict[str, int]


def make_tables(grammar: str, key: str) -> str:
    """The tables of `grammar` as canonical JSON that carries `key`."""
    lark = make_lark(grammar)
    data, memo = lark.memo_serialize([TerminalDef, Rule])
    table = data["parser"]["parser"]
    made = _LarkTables(table["tokens"], memo, table["states"], table["start_states"], table["end_states"])
    return json.dumps({"key": key, **_renumber(made)}, separators=(",", ":"), sort_keys=True)


def make_lark(grammar: str, strict: bool = False) -> Lark:
    """Lark's own parser of the grammar; `strict` also refuses terminals that collide."""
    return Lark(grammar, parser="lalr", lexer="contextual", start=list(STARTS), maybe_placeholders=True, strict=strict)


def _renumber(made: _LarkTables) -> dict[str, Json]:
    """Symbols by name (terminals first), rules by number in lark's order, states by breadth-first search."""
    rules = {number: rule for number, rule in sorted(made.memo.items()) if rule["__type__"] == "Rule"}
    terminals = {entry["name"]: entry["pattern"] for entry in made.memo.values() if entry["__type__"] == "TerminalDef"}
    heads = sorted({rule["origin"]["name"] for rule in rules.values()})
    symbols = [*sorted({*terminals, QUANTITY}), END_OF_TEXT, *heads]
    symbol_number = {name: number for number, name in enumerate(symbols)}
    rule_number = {memo: number for number, memo in enumerate(rules)}
    states = _state_order(made)
    rows: list[list[int]] = []
    gotos: list[list[int]] = []
    for state in states:
        row: list[int] = []
        goto: list[int] = []
        for name, action, argument in _entries(made, state):
            target = -1 - rule_number[argument["@"]] if action else states[argument]
            (goto if name in heads else row).extend((symbol_number[name], target))
        if state in made.ends.values():
            row.extend((symbol_number[END_OF_TEXT], states[state]))
        rows.append(row)
        gotos.append(goto)
    return {
        "symbols": symbols,
        "patterns": {
            name: ("re" if p["__type__"] == "PatternRE" else "str", p["value"]) for name, p in terminals.items()
        },
        "rules": [_rule(rule, symbol_number) for rule in rules.values()],
        "rows": rows,
        "gotos": gotos,
        "openers": sorted(states[state] for state in _openers(made)),
        "starts": {name: states[state] for name, state in made.starts.items()},
        "ends": {name: states[state] for name, state in made.ends.items()},
    }


def _entries(made: _LarkTables, state: int) -> list[tuple[str, int, Json]]:
    """A state's entries by name of symbol: (name, 0 shift or 1 reduce, target)."""
    return sorted((made.tokens[token], *entry) for token, entry in made.states[state].items())


def _state_order(made: _LarkTables) -> dict[int, int]:
    """Lark's number of each state -> ours."""
    order = {made.starts[start]: number for number, start in enumerate(STARTS)}
    queue = list(order)
    for state in queue:
        for _, action, target in _entries(made, state):
            if not action and target not in order:
                order[target] = len(order)
                queue.append(target)
    return order


def _openers(made: _LarkTables) -> set[int]:
    """States in which something nested has just begun: after a bracket, a sign, `if`, `model`, ..."""
    symbols = {state: {made.tokens[token] for token in row} for state, row in made.states.items()}
    opened: set[int] = set()
    for row in made.states.values():
        for token, (action, target) in row.items():
            if not action and _opens(made.tokens[token], symbols[target]):
                opened.add(target)
    return opened


def _opens(name: str, after: set[str]) -> bool:
    """True if shifting the terminal `name` to a state with the symbols `after` begins something nested."""
    if name in ("PLUS", "MINUS"):
        return "signed" in after and "product" not in after
    if name == "LESS":
        return "class_reference" in after
    return name in OPENERS or (name == "ELSE" and "_END" in after)


def _rule(rule: Json, numbers: dict[str, int]) -> list[Json]:
    """Origin, size, method, listed, children; see `tables.Rule`."""
    children = _children(rule)
    name = rule["alias"] or rule["origin"]["name"]
    listed = name.startswith("_")
    passed = rule["options"]["expand1"] and not rule["alias"] and len(children) == 1
    method = None if listed or passed else name + "_" if iskeyword(name) else name
    return [numbers[rule["origin"]["name"]], len(rule["expansion"]), method, listed, children]


def _children(rule: Json) -> list[int | None]:
    """Symbols of the right side that lark would keep, with None for absent optional parts."""
    absent = list(rule["options"]["empty_indices"]) or [False] * len(rule["expansion"])
    children: list[int | None] = []
    index = 0
    for missing in absent:
        if missing:
            children.append(None)
            continue
        symbol = rule["expansion"][index]
        terminal = symbol["__type__"] == "Terminal"
        if not terminal and symbol["name"].startswith("_"):
            children.append(-1 - index)
        elif not terminal or not symbol["filter_out"] or rule["options"]["keep_all_tokens"]:
            children.append(index)
        index += 1
    return children
