"""`fmt`: the same text with regular indents and blanks.

Lines stay lines and comments stay where they are; only blanks, surplus empty lines
and surplus semicolons change. Formatting a second time changes nothing.
"""

from collections.abc import Iterator
from enum import Enum, auto
from itertools import groupby

from acausal.base.diagnostics import InternalError
from acausal.base.frozen import dataclass
from acausal.base.options import Limits
from acausal.base.source import SourceFile
from acausal.syntax.automaton.lexer import Tokens, tokenize
from acausal.syntax.automaton.tables import load_tables
from acausal.syntax.parser import parse
from acausal.syntax.spacing import Word, spaced, statement_words

_DEFAULT_LIMITS = Limits()
_INDENT = 2
_CLOSERS = frozenset(["end", "endif", "endwhen", "endfor"])
_MIDDLES = frozenset(["else", "elseif", "elsewhen"])
_OPENERS = frozenset(["model", "when", "for"])


class _Role(Enum):
    """Role of an atom on a line that begins with it."""

    BEGINS = auto()
    GOES_ON = auto()
    STANDS_ALONE = auto()


@dataclass(frozen=True, slots=True)
class _Atom:
    """A token or a comment (then without `word`), where it stands, and the column of a line that begins with it."""

    text: str
    start: int
    role: _Role
    column: int
    word: Word | None


def fmt(source: SourceFile, limits: Limits = _DEFAULT_LIMITS) -> str:
    """The text in regular form; errors as `parse`."""
    parse(source, limits)
    tokens = tokenize(source, load_tables())
    text = "".join(f"{line}\n" for line in _aligned(_lines(source, _atoms(tokens))))
    after = tokenize(SourceFile(source.name, text), load_tables())
    if after.kinds != tokens.kinds or len(after.comments) != len(tokens.comments):
        raise InternalError("fmt", f"formatting would change the content of {source.name}")
    return text


def _atoms(tokens: Tokens) -> list[_Atom]:
    """Tokens and comments in order, with the column that each has at the beginning of a line."""
    atoms: list[_Atom] = []
    comments = iter([*tokens.comments, (tokens.starts[-1] + 1, 0)])
    comment = next(comments)
    level = 0
    for statement in _statements(tokens):
        words = statement_words([tokens.texts[index] for index in statement])
        head, last = words[0].text, words[-1].text
        own = level - (head in _CLOSERS or head in _MIDDLES)
        hang = own * _INDENT + (len(head) + 1 if words[0].reserved else 2 * _INDENT)
        for index, word in zip(statement, words, strict=True):
            first = word is words[0]
            while comment[0] < tokens.starts[index]:
                role, column = (_Role.STANDS_ALONE, level * _INDENT) if first else (_Role.GOES_ON, hang)
                atoms.append(_Atom("", comment[0], role, column, None))
                comment = next(comments)
            role = _Role.BEGINS if first else _Role.GOES_ON
            column = own * _INDENT if first or (word.depth == 0 and word.text in (")", "]")) else hang
            atoms.append(_Atom(word.text, tokens.starts[index], role, column, word))
        level = own + (head in _OPENERS or head in _MIDDLES or (head == "if" and last == "then"))
    while comment[1]:
        atoms.append(_Atom("", comment[0], _Role.STANDS_ALONE, level * _INDENT, None))
        comment = next(comments)
    return atoms


def _statements(tokens: Tokens) -> Iterator[list[int]]:
    """The numbers of the tokens of each statement."""
    end = load_tables().symbols.index("_END")
    statement: list[int] = []
    for index, kind in enumerate(tokens.kinds[:-1]):
        if kind == end:
            yield statement
            statement = []
        else:
            statement.append(index)


def _lines(source: SourceFile, atoms: list[_Atom]) -> Iterator[tuple[str, str]]:
    """The code of each line and the comment at its end; at most two empty lines between what was apart.

    A line that goes on with a statement keeps the author's indent relative to the statement's first line.
    """
    text = source.text
    line: list[tuple[_Atom, str]] = []  # with the blanks and semicolons before each
    shift: int | None = None  # from the author's column of the statement to ours
    at = own = 0
    for atom in atoms:
        gap = text[at : atom.start]
        column = atom.column
        if "\n" in gap or not at:
            if line:
                yield _line(line)
                yield from [("", "")] * min(gap.count("\n") - 1, 2)
            line = []
            written = len(gap) - gap.rfind("\n") - 1
            if atom.role is _Role.BEGINS:
                own, shift = column, column - written
            elif atom.role is _Role.GOES_ON and shift is not None and written + shift - own >= _INDENT:
                column = written + shift
        elif atom.role is _Role.BEGINS:
            shift = None
        at = atom.start + len(atom.text) if atom.word else text.index("}", atom.start) + 1
        line.append((_Atom(text[atom.start : at], atom.start, atom.role, column, atom.word), gap))
    if line:
        yield _line(line)


def _line(line: list[tuple[_Atom, str]]) -> tuple[str, str]:
    """One line: its code with indent, and its last comment if that ends on the line."""
    last = line[-1][0]
    trailing = last.word is None and len(line) > 1 and "\n" not in last.text
    code = line[:-1] if trailing else line
    pieces = [" " * code[0][0].column]
    left: Word | None = None
    for number, (atom, gap) in enumerate(code):
        word = atom.word
        beside_comment = word is None or code[number - 1][0].word is None
        if number and ";" in gap and _any_word(code[number:]) and _any_word(code[:number]):
            pieces.append("; ")
        elif number and (beside_comment or (word and left and spaced(left, word, glued=not gap))):
            pieces.append(" ")
        pieces.append(atom.text)
        left = word or left
    return "".join(pieces), last.text if trailing else ""


def _any_word(code: list[tuple[_Atom, str]]) -> bool:
    """True if any of it is more than a comment."""
    return any(atom.word for atom, _ in code)


def _aligned(lines: Iterator[tuple[str, str]]) -> Iterator[str]:
    """The lines with the comments at the end of neighbouring lines below each other."""
    for commented, group in groupby(lines, key=lambda line: bool(line[1])):
        block = list(group)
        width = max(len(code) for code, _ in block) + 2
        yield from (f"{code:<{width}}{comment}" if commented else code for code, comment in block)
