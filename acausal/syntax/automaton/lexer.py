"""Text -> tokens, with the rule of newlines (section 1 of the language page).

The patterns are those of the grammar's terminals. A newline inside ( ) or [ ] or
after a token that lets a line go on is a blank; every other run of newlines and
semicolons is one `_END`. What fits no pattern becomes a token of kind STRAY, which no
row of the parse tables accepts, so that the first mistake in the text is the one reported.
"""

import re
from itertools import pairwise

from acausal.base.caches import once
from acausal.base.frozen import dataclass
from acausal.base.source import SourceFile
from acausal.syntax.automaton.quantity import quantity_end
from acausal.syntax.automaton.symbols import END_OF_TEXT, QUANTITY
from acausal.syntax.automaton.tables import Tables

STRAY = -1
BYTE_ORDER_MARK = "\ufeff"
_CONTINUES = frozenset(", = + - * .* / // ^ \\ to par at and or not".split())


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text as parallel lists; the last is the end of the text.

    `kinds` are numbers of terminals, `starts` and `ends` offsets (an `_END` ends with
    the token before it), `comments` the offsets of each comment.
    """

    kinds: list[int]
    texts: list[str]
    starts: list[int]
    ends: list[int]
    comments: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The one regular expression, the groups in it, and the fixed words and signs."""

    pattern: re.Pattern[str]
    words: dict[str, int]
    signs: dict[str, int]
    name: int
    end: int
    end_of_text: int
    quantity: int
    others: dict[int, int]


_NAME, _SIGN, _NUMBER, _NEWLINE, _COMMENT, _STRING, _INCLUDE, _STRAY = range(1, 9)


def tokenize(source: SourceFile, tables: Tables) -> Tokens:
    """The tokens of `source`; never fails."""
    lexicon = _lexicon(tables)
    words, signs, name, end_kind = lexicon.words, lexicon.signs, lexicon.name, lexicon.end
    kinds: list[int] = []
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    comments: list[tuple[int, int]] = []
    depth = 0
    goes_on = False  # the last token lets the line go on
    for match in lexicon.pattern.finditer(source.text, source.text.startswith(BYTE_ORDER_MARK)):
        group = match.lastindex
        if group is None:
            continue
        text = match[group]
        end = match.end()
        if group == _NAME:
            kind = words.get(text, name)
            goes_on = text in _CONTINUES
        elif group == _SIGN:
            kind = signs[text]
            goes_on = text in _CONTINUES
            if text in "([":
                depth += 1
            elif text in ")]":
                depth -= depth > 0
            elif text == ";" and not depth:
                if not kinds or kinds[-1] == end_kind:
                    continue
                kind, end = end_kind, ends[-1]
        elif group == _NEWLINE:
            if depth or goes_on or not kinds or kinds[-1] == end_kind:
                continue
            kind, end = end_kind, ends[-1]
        elif group == _COMMENT and text[-1] == "}":
            comments.append((end - len(text), end))
            continue
        else:
            kind = lexicon.others.get(group, STRAY)
            goes_on = False
        kinds.append(kind)
        texts.append(text)
        starts.append(match.start(group))
        ends.append(end)
    tokens = _with_quantities(Tokens(kinds, texts, starts, ends, comments), lexicon, source.text)
    return _closed(tokens, lexicon, len(source.text))


def _with_quantities(tokens: Tokens, lexicon: _Lexicon, text: str) -> Tokens:
    """The tokens, those of each number and its unit as one."""
    number, names = lexicon.others[_NUMBER], (lexicon.name, STRAY)
    if not any(kind == number and following in names for kind, following in pairwise(tokens.kinds)):
        return tokens
    joined = Tokens([], [], [], [], tokens.comments)
    behind = 0
    for place, kind in enumerate(tokens.kinds):
        start, end = tokens.starts[place], tokens.ends[place]
        if start < behind:
            continue
        is_quantity = False
        if kind == number and tokens.kinds[place + 1 : place + 2] in ([lexicon.name], [STRAY]):
            behind = quantity_end(text, end, lexicon.words)
            is_quantity = behind > end
        joined.kinds.append(lexicon.quantity if is_quantity else kind)
        joined.texts.append(text[start:behind] if is_quantity else tokens.texts[place])
        joined.starts.append(start)
        joined.ends.append(behind if is_quantity else end)
    return joined


def _closed(tokens: Tokens, lexicon: _Lexicon, length: int) -> Tokens:
    """The tokens with the end of the last statement and the end of the text added."""
    missing_end = bool(tokens.kinds) and tokens.kinds[-1] != lexicon.end
    for kind in (lexicon.end, lexicon.end_of_text) if missing_end else (lexicon.end_of_text,):
        tokens.kinds.append(kind)
        tokens.texts.append("")
        tokens.starts.append(length)
        tokens.ends.append(tokens.ends[-1] if tokens.ends else length)
    return tokens


@once
def _lexicon(tables: Tables) -> _Lexicon:
    """One pattern with a group each for names, signs, numbers, newlines, comments, strings, includes, the rest."""
    fixed: dict[str, int] = {}
    for name, (sort, text) in tables.patterns.items():
        for word in [text] if sort == "str" else _alternatives(name, text):
            fixed[word] = tables.symbols.index(name)
    signs = {text: kind for text, kind in fixed.items() if not text[0].isalpha()}
    words = {text: kind for text, kind in fixed.items() if text[0].isalpha()}
    sign = "|".join(re.escape(text) for text in sorted(signs, key=lambda text: (-len(text), text)))
    plain = {name: re.sub(r"(?<!\\)\((?!\?)", "(?:", text) for name, (_, text) in tables.patterns.items()}
    newline = rf"(?:{plain['_END']}[ \t]*)+"
    # An unclosed comment or string is one stray token, else a text full of them took quadratic time.
    # A number before a sign: `.5` is not `.` and `5`, but `.*` is a sign.
    named = {
        _NAME: plain["NAME"],
        _SIGN: sign,
        _NUMBER: plain["NUMBER"],
        _NEWLINE: newline,
        _COMMENT: plain["COMMENT"] + r"|\{[^}]*\Z",
        _STRING: plain["STRING"],
        _INCLUDE: plain["INCLUDE"],
        _STRAY: r'"[^\r\n]*|.',
    }
    groups = [rf"(?!\.[0-9])({named[g]})" if g == _SIGN else f"({named[g]})" for g in sorted(named)]
    number = tables.symbols.index
    return _Lexicon(
        pattern=re.compile(r"[ \t]*+(?:" + "|".join(groups) + r")|[ \t]++", re.DOTALL),
        words=words,
        signs=signs,
        name=number("NAME"),
        end=number("_END"),
        end_of_text=number(END_OF_TEXT),
        quantity=number(QUANTITY),
        others={_NUMBER: number("NUMBER"), _STRING: number("STRING"), _INCLUDE: number("INCLUDE")},
    )


def _alternatives(name: str, text: str) -> list[str]:
    """The signs of a terminal that is a choice between signs; none for a real pattern."""
    return text.removeprefix("(?:").removesuffix(")").split("|") if name == "RELATION" else []
