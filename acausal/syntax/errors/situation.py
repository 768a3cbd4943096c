"""Situation of a syntax error: the tokens around the position, open blocks, expected tokens."""

from acausal.base.caches import once
from acausal.base.diagnostics import Edit
from acausal.base.frozen import dataclass
from acausal.base.source import SourceFile, Span
from acausal.syntax.automaton.automaton import UNFIT, Stuck
from acausal.syntax.automaton.lexer import STRAY, Tokens
from acausal.syntax.automaton.symbols import END_OF_TEXT, QUANTITY
from acausal.syntax.automaton.tables import Tables

_CLOSES = {
    "RPAR": frozenset(["LPAR"]),
    "RSQB": frozenset(["LSQB"]),
    "ENDIF": frozenset(["IF", "if_branch"]),
    "ENDWHEN": frozenset(["WHEN", "when_branch"]),
    "ENDFOR": frozenset(["FOR"]),
}
BRACKETS = {"LPAR": ")", "LSQB": "]"}
CONTROL = frozenset("THEN ELSE ELSEIF ENDIF ELSEWHEN ENDWHEN ENDFOR END AND OR NOT TO AT PAR TRUE FALSE IF".split())
"""Words that cannot begin or be a value where a name is missing."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The parser cannot take the token at `at`; `expected` are the names of the terminals it could."""

    source: SourceFile
    tables: Tables
    tokens: Tokens
    at: int
    stack: tuple[tuple[str, int], ...]
    """Symbols on the stack from the bottom with the offsets where they begin."""
    expected: frozenset[str]

    def kind(self, step: int = 0) -> str:
        """The terminal of the token `step` after this one; "" outside the text, "STRAY" for no token at all.

        A number with a unit is a NUMBER here.
        """
        index = self.at + step
        if not 0 <= index < len(self.tokens.kinds):
            return ""
        kind = self.tokens.kinds[index]
        name = "STRAY" if kind == STRAY else self.tables.symbols[kind]
        return "NUMBER" if name == QUANTITY else name

    def text(self, step: int = 0) -> str:
        """The text of that token."""
        index = self.at + step
        return self.tokens.texts[index] if 0 <= index < len(self.tokens.kinds) else ""

    def span(self, step: int = 0) -> Span:
        """Span of the token; at the end of a statement or the text, the position after the previous token."""
        index = self.at + step
        start, text = self.tokens.starts[index], self.text(step)
        if self.kind(step) in ("_END", END_OF_TEXT) and text != ";":
            start, text = self.tokens.ends[index], ""
        return Span(self.source, start, start + len(text))

    def replaced(self, text: str, step: int = 0, last: int | None = None) -> tuple[Edit, ...]:
        """The correction that puts a text in place of the token `step`, or of those up to `last`."""
        return (Edit(self.span(step).to(self.span(step if last is None else last)), text),)

    def inserted(self, text: str, step: int = 0) -> tuple[Edit, ...]:
        """The correction that puts a text behind the token before the token `step`."""
        at = self.tokens.ends[self.at + step - 1]
        return (Edit(Span(self.source, at, at), text),)

    def statement(self) -> int:
        """Offset of the beginning of the statement (0 or negative)."""
        step = 0
        while self.kind(step - 1) not in ("", "_END"):
            step -= 1
        return step

    def first_of_line(self) -> bool:
        """True if nothing stands before the token on its line."""
        start = self.tokens.starts[self.at]
        return self.at == 0 or "\n" in self.source.text[self.tokens.ends[self.at - 1] : start]

    def glued(self) -> bool:
        """True if the token follows the one before it without blank."""
        return self.at > 0 and self.tokens.ends[self.at - 1] == self.tokens.starts[self.at]

    def is_word(self, step: int = 0) -> bool:
        """True if the token is a reserved word."""
        return self.kind(step) not in ("NAME", "STRAY") and self.text(step).isidentifier()

    def unclosed_bracket(self) -> tuple[str, Span] | None:
        """The innermost bracket that is open here and that no later one closes."""
        open_ = self.opened(*BRACKETS)
        if open_ is None:
            return None
        depth = 0
        for text in self.tokens.texts[self.at :]:
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if depth < 0:
                return None
        return open_

    def opened(self, *symbols: str) -> tuple[str, Span] | None:
        """The innermost of these symbols that is open, with its first token's place."""
        for symbol, begin in reversed(self.stack):
            if symbol in symbols:
                index = self.tokens.starts.index(begin)
                return symbol, Span(self.source, begin, self.tokens.ends[index])
        return None


def situation(source: SourceFile, tables: Tables, tokens: Tokens, stuck: Stuck) -> Situation:
    """Situation at the position where the parser stopped."""
    entered = _entered_by(tables)
    symbols = [tables.symbols[entered[state]] for state in stuck.states[1:]]
    stack = _still_open(list(zip(symbols, stuck.begins, strict=True)))
    kinds = tables.rows[stuck.states[-1]]
    expected = frozenset(tables.symbols[kind] for kind in kinds if _fits(tables, stuck.states, kind))
    return Situation(source, tables, tokens, stuck.position, stack, expected)


def _still_open(stack: list[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """The stack without what is closed already and only waits for the next token to be reduced."""
    kept: list[tuple[str, int]] = []
    for symbol, begin in stack:
        openers = _CLOSES.get(symbol)
        if symbol == "_END" and ("END" in [name for name, _ in kept[-2:]]):
            openers = frozenset(["MODEL"])
        if openers is None:
            kept.append((symbol, begin))
            continue
        while kept and kept.pop()[0] not in openers:
            pass
    return tuple(kept)


def _fits(tables: Tables, states: list[int], kind: int) -> bool:
    """True if a token of this kind could be shifted, after the reductions that it asks for."""
    stack = list(states)
    while True:
        action = tables.rows[stack[-1]].get(kind, UNFIT)
        if action >= 0 or action == UNFIT:
            return action >= 0
        rule = tables.rules[-1 - action]
        if rule.size:
            del stack[-rule.size :]
        stack.append(tables.gotos[stack[-1]][rule.origin])


@once
def _entered_by(tables: Tables) -> dict[int, int]:
    """The symbol by which each state is entered."""
    return {target: symbol for row in (*tables.rows, *tables.gotos) for symbol, target in row.items() if target >= 0}
