"""Tokens -> the builder's value, by running the LALR tables in one loop.

No recursion: a text nested a hundred thousand deep meets the limit of nesting.
"""

from collections.abc import Callable, Sequence
from enum import IntEnum
from operator import itemgetter

from acausal.base.caches import once
from acausal.syntax.automaton.lexer import Tokens
from acausal.syntax.automaton.tables import Rule, Tables

Child = object
Method = Callable[[object, Sequence[Child], int, int], Child]
Gather = Callable[[list[Child]], Sequence[Child]]
UNFIT = -1_000_000_000  # no action: far below the number of any rule


class Stuck(Exception):  # noqa: N818  (not an error yet: `mistakes` makes one of it)
    """No row accepts the token at `position`.

    `states` is the stack before it, `begins[i]` the offset where the symbol of `states[i + 1]` begins.
    """

    def __init__(self, position: int, states: list[int], begins: list[int]) -> None:
        super().__init__(position)
        self.position = position
        self.states = states
        self.begins = begins


class TooDeep(Exception):  # noqa: N818
    """The token at `position` opens this level exceeds the limit."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class _Sort(IntEnum):
    """Action of a reduction on the values of the right side."""

    RENAME = 0
    BUILD = 1
    APPEND = 2
    PASS = 3
    LIST = 4


_Step = tuple[int, int, int, Method, Gather]  # sort, size, origin, what builds, what picks the children


def run(tables: Tables, start: str, tokens: Tokens, builder: object, nesting: int) -> Child:
    """Run the automaton; the tree that the builder makes of the tokens.

    Raises Stuck at the first token that does not fit, TooDeep where more than
    `nesting` openers are inside each other.
    """
    built_by: type = type(builder)
    steps = _steps(tables, built_by)
    rows, gotos, units, openers = tables.rows, tables.gotos, tables.units, tables.openers
    count, width = len(rows), len(tables.symbols)
    starts, ends, texts = tokens.starts, tokens.ends, tokens.texts
    rename, build, append, passed = _Sort.RENAME, _Sort.BUILD, _Sort.APPEND, _Sort.PASS
    state = tables.starts[start]
    states = [state]
    values: list[Child] = []
    begins: list[int] = []
    opened: list[int] = []
    for position, kind in enumerate(tokens.kinds):
        row = rows[state]
        while (action := row.get(kind, UNFIT)) < 0:
            if action == UNFIT:
                raise Stuck(position, states, begins)
            sort, size, origin, method, gather = steps[-1 - action]
            if sort == rename:
                key = (states[-2] * count + state) * width + kind
                known = units.get(key)
                state = known if known is not None else _rename(tables, steps, states[-2], state, kind)
                states[-1] = state
                row = rows[state]
                continue
            if size:
                begin = begins[-size]
                children = values[-size:]
                del values[-size:], states[-size:], begins[-size:]
            else:
                begin = starts[position]
                children = []
            if sort == build:
                value = method(builder, gather(children), begin, ends[position - 1])
            elif sort == append:
                value = children[0]
                assert isinstance(value, list)
                value += gather(children)
            else:
                value = gather(children)[0] if sort == passed else list(gather(children))
            state = gotos[states[-1]][origin]
            states.append(state)
            values.append(value)
            begins.append(begin)
            row = rows[state]
        if action in openers and _depth(opened, states, openers) > nesting:
            raise TooDeep(position)
        state = action
        states.append(state)
        values.append(texts[position])
        begins.append(starts[position])
    return values[0]


def _depth(opened: list[int], states: list[int], openers: frozenset[int]) -> int:
    """Number of openers on the stack with the one about to be shifted.

    `opened` holds their places on the stack; places left meanwhile are dropped only here.
    """
    while opened and (opened[-1] >= len(states) or states[opened[-1]] not in openers):
        opened.pop()
    opened.append(len(states))
    return len(opened)


def _rename(tables: Tables, steps: list[_Step], below: int, state: int, kind: int) -> int:
    """The state after all reductions of one symbol to another that `kind` asks for, remembered in `units`."""
    key = (below * len(tables.rows) + state) * len(tables.symbols) + kind
    while UNFIT < (action := tables.rows[state].get(kind, UNFIT)) < 0 and steps[-1 - action][0] == _Sort.RENAME:
        state = tables.gotos[below][steps[-1 - action][2]]
    tables.units[key] = state
    return state


@once
def _steps(tables: Tables, builder: type) -> list[_Step]:
    """The rules with the builder's methods."""
    steps = []
    for rule in tables.rules:
        sort, children = _sort(rule), rule.children
        if sort is _Sort.APPEND:
            children = children[1:]
        method = getattr(builder, rule.method) if rule.method else _no_method
        steps.append((int(sort), rule.size, rule.origin, method, _gather(rule.size, children)))
    return steps


def _sort(rule: Rule) -> _Sort:
    if rule.method:
        return _Sort.BUILD
    if rule.listed:
        return _Sort.APPEND if rule.children[:1] == (-1,) else _Sort.LIST
    return _Sort.RENAME if rule.size == 1 else _Sort.PASS


def _gather(size: int, children: tuple[int | None, ...]) -> Gather:
    """Function that picks `children` from the values of a right side of `size` symbols."""
    if children == tuple(range(size)):
        return _all_children
    plain = [child for child in children if child is not None and child >= 0]
    if len(plain) == len(children) >= 2:
        return itemgetter(*plain)
    if len(plain) == len(children) == 1:
        only = plain[0]
        return lambda values: [values[only]]

    def gather(values: list[Child]) -> list[Child]:
        picked: list[Child] = []
        for child in children:
            if child is None:
                picked.append(None)
            elif child >= 0:
                picked.append(values[child])
            else:
                spliced = values[-1 - child]
                assert isinstance(spliced, list)
                picked += spliced
        return picked

    return gather


def _all_children(values: list[Child]) -> list[Child]:
    return values


def _no_method(builder: object, children: Sequence[Child], start: int, end: int) -> Child:
    raise AssertionError((builder, children, start, end))
