"""Context of an offset, from the tokens before it: they are of the present text, a tree may not be.

submodel (resistor) R1(R=5, |      statement `submodel`, innermost bracket `(` behind R1, argument 1
"""

from collections.abc import Sequence
from dataclasses import field

from acausal.base.frozen import dataclass
from acausal.editor.text.document import Document, Token

_GLUE = ("NAME", "DOT", "COLON")


@dataclass(frozen=True, slots=True)
class Bracket:
    """An open bracket: the tokens of its statement before it and inside it, up to the offset."""

    sign: str
    before: tuple[Token, ...]
    inside: tuple[Token, ...]

    @property
    def argument(self) -> int:
        """Number of the argument at the offset, from 0."""
        depth = count = 0
        for token in self.inside:
            depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
            count += token.text == "," and depth == 0
        return count

    @property
    def names(self) -> tuple[str, ...]:
        """Names before an `=` inside: arguments that are given."""
        pairs = zip(self.inside, self.inside[1:], strict=False)
        return tuple([first.text for first, second in pairs if second.text == "="])


@dataclass(frozen=True, slots=True)
class Context:
    """The statement around an offset: its tokens before it, open brackets (outermost first), the word being written.

    `within` is COMMENT, STRING or INCLUDE where the offset is inside such a token. `path` are the names before the
    word in a reference, `colon` says that the last of them ends in a colon.
    """

    statement: tuple[Token, ...] = ()
    brackets: tuple[Bracket, ...] = ()
    word: str = ""
    start: int = 0
    within: str = ""
    path: tuple[str, ...] = ()
    colon: bool = False
    token: Token | None = field(default=None, compare=False)

    @property
    def keyword(self) -> str:
        """The first word of the statement."""
        return self.statement[0].text if self.statement else ""


def context_at(document: Document, offset: int) -> Context:
    """The context of an offset."""
    tokens: list[Token] = []
    for token in document.tokens_of_statement(offset):
        if token.start >= offset:
            break
        if token.kind == "_END":
            tokens = []
        elif token.kind == "COMMENT":
            if offset < token.end or not token.text.endswith("}"):
                return Context(within="COMMENT", token=token)
        else:
            tokens.append(token)
    tokens = _after_last_line(document.text, tokens, offset)
    if not tokens:
        return Context(start=offset)
    last = tokens[-1]
    kind = "STRING" if last.text.startswith('"') else last.kind
    if kind == "INCLUDE" or last.text == "@":
        return Context(
            tuple(tokens),
            within="INCLUDE",
            token=last,
            start=last.start + 1,
            word=document.text[last.start + 1 : offset],
        )
    if kind == "STRING" and (offset < last.end or not last.text.endswith('"') or len(last.text) == 1):
        word = document.text[last.start + 1 : offset]
        return Context(tuple(tokens[:-1]), _brackets(tokens[:-1]), word, last.start + 1, "STRING", token=last)
    is_word = last.end >= offset and (last.kind == "NAME" or last.text.isidentifier())
    word, before = (document.text[last.start : offset], tokens[:-1]) if is_word else ("", tokens)
    path, colon = _path(before)
    start = last.start if is_word else offset
    return Context(tuple(before), _brackets(before), word, start, "", path, colon)


def _after_last_line(text: str, tokens: list[Token], offset: int) -> list[Token]:
    """Without tokens of statements that run on only because a bracket before is not closed."""
    words = ("submodel", "connect", "parameter", "local", "model", "terminal", "cut", "node", "end")
    for number in range(len(tokens) - 1, 0, -1):
        token = tokens[number]
        gap = text[tokens[number - 1].end : token.start]
        if "\n" in gap and token.text in words:
            return tokens[number:]
    last_gap = text[tokens[-1].end : offset] if tokens else ""
    goes_on = tokens and (tokens[-1].text in (",", "=", "+", "-", "*", "/", "(", "[", "to", "at", "par", "and", "or"))
    return [] if "\n" in last_gap and not goes_on and not _brackets(tokens) else tokens


def _brackets(tokens: Sequence[Token]) -> tuple[Bracket, ...]:
    """The brackets that are open at the end of the tokens."""
    stack: list[int] = []
    for number, token in enumerate(tokens):
        if token.text in ("(", "["):
            stack.append(number)
        elif token.text in (")", "]") and stack:
            stack.pop()
    return tuple([Bracket(tokens[n].text, tuple(tokens[:n]), tuple(tokens[n + 1 :])) for n in stack])


def _path(tokens: Sequence[Token]) -> tuple[tuple[str, ...], bool]:
    """The names before a dot or colon that the word continues: `a.b.` and `a.b:`."""
    names: list[str] = []
    rest = list(tokens)
    colon = bool(rest) and rest[-1].text == ":"
    while len(rest) > 1 and rest[-1].text in (".", ":"):
        rest.pop()
        if rest[-1].text == "]":
            depth = 0
            while rest:
                text = rest.pop().text
                depth += (text == "]") - (text == "[")
                if not depth:
                    break
        if not rest or not rest[-1].text.isidentifier():
            break
        names.append(rest.pop().text)
    return tuple(reversed(names)), colon and bool(names)
